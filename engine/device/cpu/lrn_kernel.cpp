// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/lrn_kernel.h"

#include <algorithm>
#include <array>
#include <cstddef>

#ifndef LOCKSTEP_LRN_SCRATCH
#define LOCKSTEP_LRN_SCRATCH
namespace lockstep::cpu {

/// Positions that are worked on together: enough that the window sums of one read what was stored
/// long ago (a load that spans two fresh stores waits for both), few enough for the first-level
/// cache.
constexpr std::int64_t kGroup = 8;

/// Rows are whole vectors of the widest instruction set.
constexpr std::int64_t kWidestVector = 16;
constexpr std::int64_t kRowSets = 5;

/// Channels of a row and zeros on each side of it.
struct ScratchShape
{
    std::int64_t channels;
    std::int64_t border;

    ScratchShape(const Lrn& lrn, const ChannelLayout& layout)
        : channels(roundUp(layout.blocks * layout.block)), border(roundUp(lrn.depthRadius))
    {
    }
    [[nodiscard]] std::int64_t floatsPerSet() const { return kGroup * (channels + 2 * border); }
    static std::int64_t roundUp(std::int64_t count)
    {
        return (count + kWidestVector - 1) / kWidestVector * kWidestVector;
    }
};

} // namespace lockstep::cpu
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/lrn_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;

/// Rows of channels, one per position, each with a border of zeros on both sides, so that a window
/// never asks where the channels end.
class Rows
{
public:
    Rows(const ScratchShape& shape, float* values)
        : m_channels(shape.channels), m_stride(shape.channels + 2 * shape.border),
          m_values(values + shape.border)
    {
    }
    [[nodiscard]] float* row(std::int64_t position) const { return m_values + position * m_stride; }
    /// Whole vectors of channels.
    [[nodiscard]] std::int64_t channels() const { return m_channels; }

private:
    std::int64_t m_channels;
    std::int64_t m_stride;
    float* m_values;
};

HWY_INLINE Vector windowSum(const float* center, std::int64_t radius)
{
    const Floats d;
    Vector sum = hn::LoadU(d, center);
    for (std::int64_t offset = 1; offset <= radius; ++offset) {
        sum = hn::Add(sum, hn::Add(hn::LoadU(d, center - offset), hn::LoadU(d, center + offset)));
    }
    return sum;
}

/// 1 / sqrt(x): the processor's estimate and two steps of Newton's method, full float precision.
HWY_INLINE Vector reciprocalSqrt(Vector x)
{
    const Floats d;
    const auto half = hn::Mul(x, hn::Set(d, 0.5F));
    auto y = hn::ApproximateReciprocalSqrt(x);
    for (int step = 0; step < 2; ++step) {
        y = hn::Mul(y, hn::NegMulAdd(half, hn::Mul(y, y), hn::Set(d, 1.5F)));
    }
    return y;
}

/// What both directions need of s: s^-beta and 1 / s.
struct Powers
{
    Vector power;
    Vector reciprocal;
};

/// beta = 0.75: with q = s^-1/4 the powers are q^3 and q^4.
struct ThreeQuarters
{
    HWY_INLINE Powers operator()(Vector s) const
    {
        const Vector r = reciprocalSqrt(s);
        const Vector q = reciprocalSqrt(hn::Mul(s, r));
        return {hn::Mul(r, q), hn::Mul(r, r)};
    }
};

struct AnyBeta
{
    float beta;
    HWY_INLINE Powers operator()(Vector s) const
    {
        const Floats d;
        const Vector logarithm = hn::Log(d, s);
        const Vector power = hn::Exp(d, hn::Mul(hn::Set(d, -beta), logarithm));
        // Exp and Log clamp: put back what was not a number.
        const auto isFinite = hn::IsFinite(s);
        return {
            hn::IfThenElse(isFinite, power, hn::Mul(s, hn::Zero(d))), hn::Div(hn::Set(d, 1.0F), s)};
    }
};

/// The cells of one group of positions in one image.
class Group
{
public:
    Group(const ChannelLayout& layout, std::int64_t image, std::int64_t first)
        : m_layout(layout),
          m_base((image * layout.blocks * layout.positions + first) * layout.block),
          m_positions(std::min(kGroup, layout.positions - first))
    {
    }
    [[nodiscard]] std::int64_t positions() const { return m_positions; }

    void load(const float* tensor, const Rows& rows) const
    {
        forEachBlock([&](std::int64_t offset, std::int64_t position, std::int64_t channel) {
            copy(tensor + m_base + offset, rows.row(position) + channel);
        });
    }
    void store(const Rows& rows, float* tensor) const
    {
        forEachBlock([&](std::int64_t offset, std::int64_t position, std::int64_t channel) {
            copy(rows.row(position) + channel, tensor + m_base + offset);
        });
    }

private:
    template<class Body>
    HWY_INLINE void forEachBlock(Body body) const
    {
        for (std::int64_t b = 0; b < m_layout.blocks; ++b) {
            for (std::int64_t p = 0; p < m_positions; ++p) {
                body((b * m_layout.positions + p) * m_layout.block, p, b * m_layout.block);
            }
        }
    }
    HWY_INLINE void copy(const float* from, float* to) const
    {
        if (m_layout.block == 16) {
            std::copy_n(from, 16, to);
        } else {
            std::copy_n(from, m_layout.block, to);
        }
    }

    const ChannelLayout& m_layout;
    std::int64_t m_base;
    std::int64_t m_positions;
};

template<class Body>
HWY_INLINE void forEachGroup(const ChannelLayout& layout, Body body)
{
    for (std::int64_t image = 0; image < layout.images; ++image) {
        for (std::int64_t first = 0; first < layout.positions; first += kGroup) {
            body(Group(layout, image, first));
        }
    }
}

template<class Body>
HWY_INLINE void forEachVector(const Group& group, const Rows& rows, Body body)
{
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(Floats()));
    for (std::int64_t p = 0; p < group.positions(); ++p) {
        for (std::int64_t c = 0; c < rows.channels(); c += lanes) {
            body(p, c);
        }
    }
}

/// Buffers of one call, zero at first: borders stay so.
struct Scratch
{
    Scratch(const Lrn& lrn, const ChannelLayout& layout, float* memory)
        : Scratch({lrn, layout}, memory)
    {
    }
    Rows x;
    Rows squares;
    Rows dy;
    Rows power;
    Rows terms;

private:
    Scratch(const ScratchShape& shape, float* memory)
        : x(shape, memory), squares(shape, memory + shape.floatsPerSet()),
          dy(shape, memory + 2 * shape.floatsPerSet()),
          power(shape, memory + 3 * shape.floatsPerSet()),
          terms(shape, memory + 4 * shape.floatsPerSet())
    {
        std::fill_n(memory, kRowSets * shape.floatsPerSet(), 0.0F);
    }
};

HWY_INLINE void square(const Group& group, const Scratch& s)
{
    const Floats d;
    forEachVector(group, s.x, [&](std::int64_t p, std::int64_t c) HWY_ATTR {
        const auto x = hn::LoadU(d, s.x.row(p) + c);
        hn::StoreU(hn::Mul(x, x), d, s.squares.row(p) + c);
    });
}

HWY_INLINE Vector scaleOf(const Lrn& lrn, const Scratch& s, std::int64_t p, std::int64_t c)
{
    const Floats d;
    return hn::MulAdd(
        hn::Set(d, static_cast<float>(lrn.alpha)), windowSum(s.squares.row(p) + c, lrn.depthRadius),
        hn::Set(d, static_cast<float>(lrn.bias)));
}

template<class PowersOf>
HWY_INLINE void forwardWith(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, float* dst, float* scratch,
    PowersOf powersOf)
{
    const Floats d;
    const Scratch s(lrn, layout, scratch);
    forEachGroup(layout, [&](const Group& group) HWY_ATTR {
        group.load(src, s.x);
        square(group, s);
        forEachVector(group, s.x, [&](std::int64_t p, std::int64_t c) HWY_ATTR {
            const Powers powers = powersOf(scaleOf(lrn, s, p, c));
            hn::StoreU(hn::Mul(hn::LoadU(d, s.x.row(p) + c), powers.power), d, s.dy.row(p) + c);
        });
        group.store(s.dy, dst);
    });
}

template<class PowersOf>
HWY_INLINE void backwardWith(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, const float* diffDst,
    float* diffSrc, float* scratch, PowersOf powersOf)
{
    const Floats d;
    const Scratch s(lrn, layout, scratch);
    const auto factor = static_cast<float>(-2.0 * lrn.alpha * lrn.beta);
    forEachGroup(layout, [&](const Group& group) HWY_ATTR {
        group.load(src, s.x);
        group.load(diffDst, s.dy);
        square(group, s);
        forEachVector(group, s.x, [&](std::int64_t p, std::int64_t c) HWY_ATTR {
            const Powers powers = powersOf(scaleOf(lrn, s, p, c));
            const auto direct = hn::Mul(hn::LoadU(d, s.dy.row(p) + c), powers.power);
            hn::StoreU(direct, d, s.power.row(p) + c);
            hn::StoreU(
                hn::Mul(hn::Mul(direct, hn::LoadU(d, s.x.row(p) + c)), powers.reciprocal), d,
                s.terms.row(p) + c);
        });
        forEachVector(group, s.x, [&](std::int64_t p, std::int64_t c) HWY_ATTR {
            const auto sum = windowSum(s.terms.row(p) + c, lrn.depthRadius);
            const auto x = hn::Mul(hn::Set(d, factor), hn::LoadU(d, s.x.row(p) + c));
            hn::StoreU(hn::MulAdd(x, sum, hn::LoadU(d, s.power.row(p) + c)), d, s.dy.row(p) + c);
        });
        group.store(s.dy, diffSrc);
    });
}

void forward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, float* dst, float* scratch)
{
    if (lrn.beta == 0.75) {
        forwardWith(lrn, layout, src, dst, scratch, ThreeQuarters{});
    } else {
        forwardWith(lrn, layout, src, dst, scratch, AnyBeta{static_cast<float>(lrn.beta)});
    }
}

void backward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, const float* diffDst,
    float* diffSrc, float* scratch)
{
    if (lrn.beta == 0.75) {
        backwardWith(lrn, layout, src, diffDst, diffSrc, scratch, ThreeQuarters{});
    } else {
        backwardWith(
            lrn, layout, src, diffDst, diffSrc, scratch, AnyBeta{static_cast<float>(lrn.beta)});
    }
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

std::size_t lrnScratchBytes(const Lrn& lrn, const ChannelLayout& layout)
{
    return static_cast<std::size_t>(kRowSets * ScratchShape(lrn, layout).floatsPerSet())
           * sizeof(float);
}

void lrnForward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, float* dst, float* scratch)
{
    HWY_DYNAMIC_DISPATCH(forward)(lrn, layout, src, dst, scratch);
}

void lrnBackward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, const float* diffDst,
    float* diffSrc, float* scratch)
{
    HWY_DYNAMIC_DISPATCH(backward)(lrn, layout, src, diffDst, diffSrc, scratch);
}

} // namespace lockstep::cpu
#endif
