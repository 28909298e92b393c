// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/elementwise_kernel.h"
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>

namespace lockstep::cpu {
namespace {

/// Works on the values in the order in which they lie: without gaps, as the channels that only fill
/// up a block must stay 0, which a sigmoid would not leave them.
class ElementwiseOp : public Op
{
public:
    explicit ElementwiseOp(const Elementwise& spec) : m_activation(spec.activation) {}

    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Plain);
        plan.dst = m_source.tensor();
        m_element = elementOf(layoutOf(plan.dst));
        m_values = plan.examples * plan.dstShape.elements();
        m_threads = plan.threads;
    }

    void forward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        const std::byte* src = m_source.src(m_memory);
        forEachShare([&](std::int64_t at, std::int64_t count) {
            activate(m_activation, m_element, src + at, m_memory.dst + at, count);
        });
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        std::byte* diffSrc = m_source.diffSrc(m_memory);
        forEachShare([&](std::int64_t at, std::int64_t count) {
            activateBackward(
                m_activation, m_element,
                {m_source.src(m_memory) + at, m_memory.diffDst + at, diffSrc + at}, count);
        });
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override { return "own vector kernel"; }

private:
    /// Calls body(byte, values).
    template<class Body>
    void forEachShare(Body body) const
    {
        const std::int64_t shares = (m_values + kShareValues - 1) / kShareValues;
        forRanges(m_threads, shares, [&](std::int64_t first, std::int64_t end) {
            const std::int64_t value = first * kShareValues;
            body(value * bytesOf(m_element), std::min(m_values, end * kShareValues) - value);
        });
    }

    Activation m_activation;
    ChannelSource m_source;
    Element m_element = Element::Float32;
    std::int64_t m_values = 0;
    int m_threads = 1;
};

} // namespace

std::unique_ptr<Op> makeOp(const Elementwise& elementwise)
{
    return std::make_unique<ElementwiseOp>(elementwise);
}

} // namespace lockstep::cpu
