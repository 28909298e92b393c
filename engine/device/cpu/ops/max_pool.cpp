// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cpu/kernels/max_pool_kernel.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <optional>

namespace lockstep::cpu {
namespace {

/// Numbered in two bytes, one of which says "none".
constexpr std::size_t kMostCells = 65535;

/// Works on images as the layer before left them, wherever it left the channels side by side.
class MaxPoolOp : public Op
{
public:
    explicit MaxPoolOp(const MaxPool& pool) : m_pool(pool) {}

    [[nodiscard]] bool appliesPending() const override { return true; }

    void plan(OpPlan& plan) override
    {
        TensorPlan src = plan.src();
        if (!channelLayout(src)) {
            src = withChannelsLast(plan.src());
            m_toRows.emplace(layoutOf(plan.src()), layoutOf(src));
            m_rows = addPart(plan.scratchpadBytes, src.bytes);
            if (plan.needsDiffSrc()) {
                m_fromRows.emplace(layoutOf(src), layoutOf(plan.src()));
            }
        }
        m_kernel = MaxPoolKernel(workOn(src, plan));
        if (m_kernel.mostCells() > kMostCells) {
            fail(
                ErrorCode::BadInput,
                "a pooling window of {} x {} covers {} cells of the image, and at most {} can be "
                "told apart; make it smaller",
                m_pool.window.height, m_pool.window.width, m_kernel.mostCells(), kMostCells);
        }
        plan.dst = withSameLayout(src, plan.dstShape);
        m_channels = plan.dstShape.channels;
        if (plan.needsDiffSrc()) {
            m_index = addPart(plan.workspaceBytes, m_kernel.indexBytes());
        }
    }

    bool writeInto(const ChannelSlice& slice) override
    {
        const auto places = PiecePlaces::within(m_kernel.dstLayout(), m_channels, slice);
        if (places) {
            m_kernel.placeDst(*places);
        }
        return places.has_value();
    }

    void forward(const StepContext& /*context*/) override
    {
        const std::byte* src = m_memory.src();
        if (m_toRows) {
            m_toRows->run(src, m_memory.scratchpad + m_rows);
            src = m_memory.scratchpad + m_rows;
        }
        m_kernel.forward(src, m_memory.dst, index());
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        std::byte* diffSrc = m_fromRows ? m_memory.scratchpad + m_rows : m_memory.diffSrc();
        m_kernel.backward(m_memory.diffDst, index(), diffSrc);
        if (m_fromRows) {
            m_fromRows->run(diffSrc, m_memory.diffSrc());
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        return m_kernel.work().isRelu ? "own vector kernel, with ReLU" : "own vector kernel";
    }

private:
    [[nodiscard]] PoolWork workOn(const TensorPlan& src, const OpPlan& plan) const
    {
        const Shape& dst = plan.dstShape;
        const auto rows = paddingCells(
            m_pool.padding, src.shape.height, m_pool.window.height, m_pool.stride.height);
        const auto columns =
            paddingCells(m_pool.padding, src.shape.width, m_pool.window.width, m_pool.stride.width);
        return {*channelLayout(src), src.shape.height,
                src.shape.width,     dst.height,
                dst.width,           m_pool.window,
                m_pool.stride,       rows.before,
                columns.before,      src.pending == Activation::Relu,
                plan.threads};
    }

    [[nodiscard]] std::byte* index() const
    {
        return m_memory.diffSrc() != nullptr ? m_memory.workspace + m_index : nullptr;
    }

    MaxPool m_pool;
    MaxPoolKernel m_kernel;
    std::int64_t m_channels = 0; ///< without those that only fill up a block
    std::size_t m_index = 0;
    std::size_t m_rows = 0;
    std::optional<Reorder> m_toRows; ///< only where the layer before left planes
    std::optional<Reorder> m_fromRows;
};

} // namespace

std::unique_ptr<Op> makeOp(const MaxPool& pool)
{
    return std::make_unique<MaxPoolOp>(pool);
}

} // namespace lockstep::cpu
