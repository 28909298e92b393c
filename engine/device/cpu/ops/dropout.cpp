// SPDX-License-Identifier: Apache-2.0
#include "network/dropout.h"
#include "device/cpu/kernels/dropout_kernel.h"
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>

namespace lockstep::cpu {
namespace {

/// Works on the values in the order in which their random numbers are drawn. Backward draws them
/// again, so that nothing is kept.
class DropoutOp : public Op
{
public:
    explicit DropoutOp(const Dropout& spec) : m_spec(spec) {}

    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Plain);
        plan.dst = m_source.tensor();
        m_element = elementOf(layoutOf(plan.dst));
        m_rows = plan.examples;
        m_rowValues = plan.dstShape.elements();
        m_firstRow = plan.firstRow;
        m_seed = dropoutSeed(plan.seed, plan.layer);
        m_drops = plan.isTrainingPass;
        m_threads = plan.threads;
    }

    void forward(const StepContext& context) override
    {
        m_firstRowOfPass = m_firstRow + context.rowsBefore;
        m_source.take(m_memory);
        const std::byte* src = m_source.src(m_memory);
        if (m_drops) {
            drop(context.step, src, m_memory.dst);
        } else {
            std::copy_n(src, m_source.tensor().bytes, m_memory.dst);
        }
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        drop(context.step, m_memory.diffDst, m_source.diffSrc(m_memory));
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override { return "own vector kernel"; }

private:
    void drop(std::int64_t step, const std::byte* src, std::byte* dst) const
    {
        const std::int64_t perRow = (m_rowValues + kShareValues - 1) / kShareValues;
        forRanges(m_threads, m_rows * perRow, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t share = begin; share < end; ++share) {
                const std::int64_t row = share / perRow;
                const std::int64_t first = share % perRow * kShareValues;
                const std::int64_t at = (row * m_rowValues + first) * bytesOf(m_element);
                dropOut(
                    m_spec,
                    {m_seed, static_cast<std::uint32_t>(step),
                     static_cast<std::uint32_t>(m_firstRowOfPass + row)},
                    m_element,
                    {first, std::min(kShareValues, m_rowValues - first), src + at, dst + at});
            }
        });
    }

    Dropout m_spec;
    ChannelSource m_source;
    Element m_element = Element::Float32;
    std::int64_t m_rows = 0;
    std::int64_t m_rowValues = 0;
    std::int64_t m_firstRow = 0;
    std::int64_t m_firstRowOfPass = 0;
    std::uint64_t m_seed = 0; ///< of the layer
    bool m_drops = false;
    int m_threads = 1;
};

} // namespace

std::unique_ptr<Op> makeOp(const Dropout& dropout)
{
    return std::make_unique<DropoutOp>(dropout);
}

} // namespace lockstep::cpu
