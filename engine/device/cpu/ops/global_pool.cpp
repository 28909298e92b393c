// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/parallel_ranges.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lockstep::cpu {
namespace {

float load(const float* from)
{
    return *from;
}
float load(const std::uint16_t* from)
{
    return std::bit_cast<float>(std::uint32_t{*from} << 16U);
}
void store(float value, float* to)
{
    *to = value;
}
/// To nearest, ties to even; a NaN stays one.
void store(float value, std::uint16_t* to)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = bits + 0x7FFFU + ((bits >> 16U) & 1U);
    *to = static_cast<std::uint16_t>((std::isnan(value) ? bits | 0x400000U : rounded) >> 16U);
}

/// One value for each channel of each image: few numbers of small images, hence plain loops. What
/// comes out is a float32 vector, as a fully connected layer wants it.
class GlobalPoolOp : public Op
{
public:
    explicit GlobalPoolOp(const GlobalPool& spec) : m_isMax(spec.reduction == Reduction::Max) {}

    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Any);
        m_layout = *channelLayout(m_source.tensor());
        m_channels = plan.dstShape.channels;
        m_threads = plan.threads;
        plan.dst = tensorPlan(plan.examples, plan.dstShape, matrixDesc(plan.examples, m_channels));
        if (m_isMax) {
            m_places = addPart(
                plan.workspaceBytes,
                static_cast<std::size_t>(plan.examples * m_channels) * sizeof(std::int64_t));
        }
    }

    void forward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        const std::byte* src = m_source.src(m_memory);
        withElements([&](auto* none) {
            using T = std::remove_pointer_t<decltype(none)>;
            forEachChannel([&](std::int64_t number, std::int64_t first) {
                const T* values = reinterpret_cast<const T*>(src) + first;
                dst()[number] = m_isMax ? largest(values, number) : average(values);
            });
        });
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        std::byte* diffSrc = m_source.diffSrc(m_memory);
        std::fill_n(diffSrc, m_source.tensor().bytes, std::byte{0});
        withElements([&](auto* none) {
            using T = std::remove_pointer_t<decltype(none)>;
            forEachChannel([&](std::int64_t number, std::int64_t first) {
                spread(diffDst()[number], number, reinterpret_cast<T*>(diffSrc) + first);
            });
        });
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override { return "own"; }

private:
    template<class Body>
    void withElements(Body body) const
    {
        if (m_layout.element == Element::Float32) {
            body(static_cast<float*>(nullptr));
        } else {
            body(static_cast<std::uint16_t*>(nullptr));
        }
    }

    /// Calls body(number in dst, first value) for every channel of every image.
    template<class Body>
    void forEachChannel(Body body) const
    {
        forRanges(m_threads, m_layout.images * m_channels, [&](auto first, auto end) {
            for (std::int64_t number = first; number < end; ++number) {
                const std::int64_t image = number / m_channels;
                const std::int64_t c = number % m_channels;
                const std::int64_t plane = image * m_layout.blocks + c / m_layout.block;
                body(number, plane * m_layout.positions * m_layout.block + c % m_layout.block);
            }
        });
    }

    template<class T>
    float average(const T* values) const
    {
        double sum = 0.0;
        for (std::int64_t p = 0; p < m_layout.positions; ++p) {
            sum += static_cast<double>(load(values + p * m_layout.block));
        }
        return static_cast<float>(sum / static_cast<double>(m_layout.positions));
    }

    /// The first one of equals; the first NaN, where there is one.
    template<class T>
    float largest(const T* values, std::int64_t number)
    {
        std::int64_t place = 0;
        float found = load(values);
        for (std::int64_t p = 1; p < m_layout.positions && !std::isnan(found); ++p) {
            const float value = load(values + p * m_layout.block);
            if (!(value <= found)) {
                found = value;
                place = p;
            }
        }
        places()[number] = place;
        return found;
    }

    template<class T>
    void spread(float diff, std::int64_t number, T* to) const
    {
        if (m_isMax) {
            store(diff, to + places()[number] * m_layout.block);
            return;
        }
        const float share = diff / static_cast<float>(m_layout.positions);
        for (std::int64_t p = 0; p < m_layout.positions; ++p) {
            store(share, to + p * m_layout.block);
        }
    }

    [[nodiscard]] float* dst() const { return reinterpret_cast<float*>(m_memory.dst); }
    [[nodiscard]] const float* diffDst() const
    {
        return reinterpret_cast<const float*>(m_memory.diffDst);
    }
    [[nodiscard]] std::int64_t* places() const
    {
        return reinterpret_cast<std::int64_t*>(m_memory.workspace + m_places);
    }

    bool m_isMax;
    ChannelSource m_source;
    ChannelLayout m_layout;
    std::int64_t m_channels = 0;
    int m_threads = 1;
    std::size_t m_places = 0; ///< of the largest, by image and channel
};

} // namespace

std::unique_ptr<Op> makeOp(const GlobalPool& pool)
{
    return std::make_unique<GlobalPoolOp>(pool);
}

} // namespace lockstep::cpu
