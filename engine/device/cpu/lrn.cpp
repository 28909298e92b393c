// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/dnnl_helpers.h"
#include "device/cpu/lrn_kernel.h"
#include "device/cpu/ops.h"

#include <optional>

namespace lockstep::cpu {
namespace {

/// What the kernel can read directly; empty if the layout is another one.
std::optional<ChannelLayout> channelLayout(const TensorPlan& plan)
{
    using Tag = dnnl::memory::format_tag;
    const Desc layout = imageLayoutOf(plan);
    const std::int64_t positions = plan.shape.height * plan.shape.width;
    const auto blocksOf = [&](std::int64_t block) {
        return (plan.shape.channels + block - 1) / block;
    };
    for (const auto& [tag, block] : {std::pair{Tag::nChw16c, 16}, {Tag::nChw8c, 8}}) {
        if (layout == imageDesc(plan.examples, plan.shape, tag)) {
            return ChannelLayout{plan.examples, positions, blocksOf(block), block};
        }
    }
    if (layout == imageDesc(plan.examples, plan.shape, Tag::nhwc)) {
        return ChannelLayout{plan.examples, positions, 1, plan.shape.channels};
    }
    return std::nullopt;
}

class LrnOp : public Op
{
public:
    explicit LrnOp(const Lrn& lrn) : m_lrn(lrn) {}

    void plan(OpPlan& plan) override
    {
        const auto direct = channelLayout(plan.src);
        plan.dst = direct
                       ? plan.src
                       : tensorPlan(
                           plan.examples, plan.dstShape,
                           imageDesc(plan.examples, plan.dstShape, dnnl::memory::format_tag::nhwc));
        m_layout = *channelLayout(plan.dst);
        PartSizes scratchpad;
        m_kernelScratch = scratchpad.add(lrnScratchBytes(m_lrn, m_layout));
        if (!direct) {
            m_toRows.emplace(layoutOf(plan.src), layoutOf(plan.dst));
            m_fromRows.emplace(layoutOf(plan.dst), layoutOf(plan.src));
            PartSizes workspace;
            m_rows = workspace.add(plan.dst.bytes);
            plan.workspaceBytes = workspace.total();
            m_diffRows = scratchpad.add(plan.dst.bytes);
        }
        plan.scratchpadBytes = scratchpad.total();
    }

    void bind(const OpMemory& memory) override { m_memory = memory; }

    void forward(const StepContext& /*context*/) override
    {
        if (m_toRows) {
            m_toRows->run(m_memory.src, m_memory.workspace + m_rows);
        }
        lrnForward(m_lrn, m_layout, src(), floats(m_memory.dst), kernelScratch());
    }

    void backward(const StepContext& /*context*/) override
    {
        float* diffSrc = floats(m_fromRows ? m_memory.scratchpad + m_diffRows : m_memory.diffSrc);
        lrnBackward(m_lrn, m_layout, src(), floats(m_memory.diffDst), diffSrc, kernelScratch());
        if (m_fromRows) {
            m_fromRows->run(diffSrc, m_memory.diffSrc);
        }
    }

    [[nodiscard]] std::string describe() const override { return "own vector kernel"; }

private:
    static float* floats(std::byte* bytes) { return reinterpret_cast<float*>(bytes); }
    [[nodiscard]] const float* src() const
    {
        return floats(m_toRows ? m_memory.workspace + m_rows : m_memory.src);
    }
    [[nodiscard]] float* kernelScratch() const
    {
        return floats(m_memory.scratchpad + m_kernelScratch);
    }

    Lrn m_lrn;
    ChannelLayout m_layout;
    OpMemory m_memory;
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
