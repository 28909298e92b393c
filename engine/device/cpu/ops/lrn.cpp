// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/lrn_kernel.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <optional>
#include <utility>

namespace lockstep::cpu {
namespace {

class LrnOp : public Op
{
public:
    explicit LrnOp(const Lrn& lrn) { m_work.lrn = lrn; }

    [[nodiscard]] bool appliesPending() const override { return true; }

    void plan(OpPlan& plan) override
    {
        const bool isDirect = channelLayout(plan.src()).has_value();
        plan.dst = isDirect ? plan.src() : withChannelsLast(plan.src());
        m_work.isRelu = std::exchange(plan.dst.pending, Activation::None) == Activation::Relu;
        m_work.layout = *channelLayout(plan.dst);
        m_kernelScratch = addPart(plan.scratchpadBytes, lrnScratchBytes(m_work));
        if (!isDirect) {
            m_toRows.emplace(layoutOf(plan.src()), layoutOf(plan.dst));
            m_fromRows.emplace(layoutOf(plan.dst), layoutOf(plan.src()));
            m_rows = addPart(plan.workspaceBytes, plan.dst.bytes);
            m_diffRows = addPart(plan.scratchpadBytes, plan.dst.bytes);
        }
    }

    void forward(const StepContext& /*context*/) override
    {
        if (m_toRows) {
            m_toRows->run(m_memory.src(), m_memory.workspace + m_rows);
        }
        lrnForward(m_work, src(), m_memory.dst, kernelScratch());
    }

    void backward(const StepContext& /*context*/) override
    {
        std::byte* diffSrc = m_fromRows ? m_memory.scratchpad + m_diffRows : m_memory.diffSrc();
        lrnBackward(m_work, {src(), m_memory.diffDst, diffSrc}, kernelScratch());
        if (m_fromRows) {
            m_fromRows->run(diffSrc, m_memory.diffSrc());
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        return m_work.isRelu ? "own vector kernel, with ReLU" : "own vector kernel";
    }

private:
    [[nodiscard]] const std::byte* src() const
    {
        return m_toRows ? m_memory.workspace + m_rows : m_memory.src();
    }
    [[nodiscard]] float* kernelScratch() const
    {
        return reinterpret_cast<float*>(m_memory.scratchpad + m_kernelScratch);
    }

    LrnWork m_work;
    std::size_t m_kernelScratch = 0;
    std::size_t m_rows = 0;
    std::size_t m_diffRows = 0;
    std::optional<Reorder> m_toRows; ///< only where the layer before gives another layout
    std::optional<Reorder> m_fromRows;
};

} // namespace

std::unique_ptr<Op> makeOp(const Lrn& lrn)
{
    return std::make_unique<LrnOp>(lrn);
}

} // namespace lockstep::cpu
