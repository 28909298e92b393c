// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/lrn_kernel.h"

#include <algorithm>

#ifndef LOCKSTEP_LRN_SCRATCH
#define LOCKSTEP_LRN_SCRATCH
namespace lockstep::cpu {

/// Positions that are worked on together: enough that the window sums of one read what was stored
/// long ago (a load that spans two fresh stores waits for both), few enough for the first-level
/// cache.
constexpr std::int64_t kGroup = 8;

/// Rows are whole vectors of the widest instruction set.
constexpr std::int64_t kWidestVector = 16;
constexpr std::int64_t kRowSets = 3;

/// Channels of a row and zeros on each side of it.
struct ScratchShape
{
    std::int64_t channels;
    std::int64_t border;

    explicit ScratchShape(const LrnWork& work)
        : channels(roundUp(work.layout.blocks * work.layout.block)),
          border(roundUp(work.lrn.depthRadius))
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
#define HWY_TARGET_INCLUDE "device/cpu/kernels/lrn_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// Rows of channels, one per position, each with a border of zeros on both sides, so that a window
/// never asks where the channels end.
class Rows
{
public:
    explicit Rows(const ScratchShape& shape)
        : m_channels(shape.channels), m_stride(shape.channels + 2 * shape.border),
          m_border(shape.border)
    {
    }
    /// Of the first channel of a position.
    [[nodiscard]] std::int64_t place(std::int64_t position) const
    {
        return m_border + position * m_stride;
    }
    /// Whole vectors of channels.
    [[nodiscard]] std::int64_t channels() const { return m_channels; }

private:
    std::int64_t m_channels;
    std::int64_t m_stride;
    std::int64_t m_border;
};

template<class D>
HWY_INLINE hn::Vec<D> windowSum(D d, const float* center, std::int64_t radius)
{
    const auto pair = [&](std::int64_t offset) HWY_ATTR {
        return hn::Add(hn::LoadU(d, center - offset), hn::LoadU(d, center + offset));
    };
    const auto middle = hn::LoadU(d, center);
    if (radius == 4) { // the usual one, without a loop
        return hn::Add(hn::Add(middle, pair(1)), hn::Add(pair(2), hn::Add(pair(3), pair(4))));
    }
    auto sum = middle;
    for (std::int64_t offset = 1; offset <= radius; ++offset) {
        sum = hn::Add(sum, pair(offset));
    }
    return sum;
}

/// 1 / sqrt(x): the processor's estimate, and steps of Newton's method, each of which doubles its
/// bits. x86's vectors begin with 12 of them, all others with 8 or 9.
template<class D>
HWY_INLINE hn::Vec<D> reciprocalSqrt(D d, hn::Vec<D> x)
{
    constexpr bool kIsEmulated = HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128;
    constexpr int kSteps = HWY_ARCH_X86 && !kIsEmulated ? 1 : 2;
    const auto half = hn::Mul(x, hn::Set(d, 0.5F));
    auto y = hn::ApproximateReciprocalSqrt(x);
    for (int step = 0; step < kSteps; ++step) {
        y = hn::Mul(y, hn::NegMulAdd(half, hn::Mul(y, y), hn::Set(d, 1.5F)));
    }
    return y;
}

/// What both directions need of s: s^-beta and 1 / s.
template<class D>
struct Powers
{
    hn::Vec<D> power;
    hn::Vec<D> reciprocal;
};

/// beta = 0.75: with q = s^-1/4 the powers are q^3 and q^4.
struct ThreeQuarters
{
    template<class D>
    HWY_INLINE Powers<D> operator()(D d, hn::Vec<D> s) const
    {
        const auto r = reciprocalSqrt(d, s);
        const auto q = reciprocalSqrt(d, hn::Mul(s, r));
        return {hn::Mul(r, q), hn::Mul(r, r)};
    }
};

struct AnyBeta
{
    float beta;
    template<class D>
    HWY_INLINE Powers<D> operator()(D d, hn::Vec<D> s) const
    {
        const auto logarithm = hn::Log(d, s);
        const auto power = hn::Exp(d, hn::Mul(hn::Set(d, -beta), logarithm));
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

    /// Calls body(tag, place in the tensor, place in the rows) for all values.
    template<class Body>
    HWY_INLINE void forEachValue(const Rows& rows, Body body) const
    {
        // The usual block is one vector: a loop of unknown length would cost more than the work.
        const hn::CappedTag<float, kWidestVector> d;
        const bool isOneVector = m_layout.block == static_cast<std::int64_t>(hn::Lanes(d));
        for (std::int64_t b = 0; b < m_layout.blocks; ++b) {
            for (std::int64_t p = 0; p < m_positions; ++p) {
                const std::int64_t place = m_base + (b * m_layout.positions + p) * m_layout.block;
                const std::int64_t row = rows.place(p) + b * m_layout.block;
                if (isOneVector) {
                    body(d, place, row);
                } else {
                    forEachVector(m_layout.block, [&](auto tag, std::int64_t c) HWY_ATTR {
                        body(tag, place + c, row + c);
                    });
                }
            }
        }
    }

private:
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

/// Buffers of one call, zero at first: borders stay so. All have the same places.
struct Scratch
{
    Scratch(const LrnWork& work, float* memory) : Scratch(ScratchShape(work), memory) {}

    Rows rows;
    float* squares;
    float* direct; ///< dy * s^-beta
    float* terms;

private:
    Scratch(const ScratchShape& shape, float* memory)
        : rows(shape), squares(memory), direct(squares + shape.floatsPerSet()),
          terms(direct + shape.floatsPerSet())
    {
        std::fill_n(memory, kRowSets * shape.floatsPerSet(), 0.0F);
    }
};

/// Normalises tensors of one type with one way to the powers.
template<class T, class PowersOf>
class Normalisation
{
public:
    Normalisation(const LrnWork& work, float* scratch, PowersOf powersOf)
        : m_work(work), m_scratch(work, scratch), m_powersOf(powersOf)
    {
    }

    void forward(const std::byte* srcBytes, std::byte* dstBytes) const
    {
        const auto* src = reinterpret_cast<const T*>(srcBytes);
        auto* dst = reinterpret_cast<T*>(dstBytes);
        forEachGroup(m_work.layout, [&](const Group& group) HWY_ATTR {
            square(group, src);
            group.forEachValue(m_scratch.rows, [&](auto d, auto at, auto row) HWY_ATTR {
                const auto powers = m_powersOf(d, scaleAt(d, row));
                storeElements(d, hn::Mul(source(d, src + at), powers.power), dst + at);
            });
        });
    }

    void backward(const LrnGradients& tensors) const
    {
        const auto* src = reinterpret_cast<const T*>(tensors.src);
        const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
        auto* diffSrc = reinterpret_cast<T*>(tensors.diffSrc);
        const auto factor = static_cast<float>(-2.0 * m_work.lrn.alpha * m_work.lrn.beta);
        forEachGroup(m_work.layout, [&](const Group& group) HWY_ATTR {
            square(group, src);
            group.forEachValue(m_scratch.rows, [&](auto d, auto at, auto row) HWY_ATTR {
                const auto powers = m_powersOf(d, scaleAt(d, row));
                const auto direct = hn::Mul(loadElements(d, diffDst + at), powers.power);
                hn::StoreU(direct, d, m_scratch.direct + row);
                const auto term = hn::Mul(source(d, src + at), powers.reciprocal);
                hn::StoreU(hn::Mul(direct, term), d, m_scratch.terms + row);
            });
            group.forEachValue(m_scratch.rows, [&](auto d, auto at, auto row) HWY_ATTR {
                const auto sum = windowSum(d, m_scratch.terms + row, m_work.lrn.depthRadius);
                const auto x = source(d, src + at);
                const auto direct = hn::LoadU(d, m_scratch.direct + row);
                auto dx = hn::MulAdd(hn::Mul(hn::Set(d, factor), x), sum, direct);
                if (m_work.isRelu) {
                    dx = hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), dx);
                }
                storeElements(d, dx, diffSrc + at);
            });
        });
    }

private:
    template<class D>
    HWY_INLINE hn::Vec<D> source(D d, const T* at) const
    {
        const auto x = loadElements(d, at);
        return m_work.isRelu ? rectified(d, x) : x;
    }

    HWY_INLINE void square(const Group& group, const T* src) const
    {
        group.forEachValue(m_scratch.rows, [&](auto d, auto at, auto row) HWY_ATTR {
            const auto x = source(d, src + at);
            hn::StoreU(hn::Mul(x, x), d, m_scratch.squares + row);
        });
    }

    template<class D>
    HWY_INLINE hn::Vec<D> scaleAt(D d, std::int64_t row) const
    {
        const auto sum = windowSum(d, m_scratch.squares + row, m_work.lrn.depthRadius);
        return hn::MulAdd(
            hn::Set(d, static_cast<float>(m_work.lrn.alpha)), sum,
            hn::Set(d, static_cast<float>(m_work.lrn.bias)));
    }

    const LrnWork& m_work;
    Scratch m_scratch;
    PowersOf m_powersOf;
};

/// Calls body(the Normalisation of such work).
template<class Body>
void withKind(const LrnWork& work, float* scratch, Body body)
{
    withElement(work.layout.element, [&](auto zero) HWY_ATTR {
        using T = decltype(zero);
        if (work.lrn.beta == 0.75) {
            body(Normalisation<T, ThreeQuarters>(work, scratch, {}));
        } else {
            body(Normalisation<T, AnyBeta>(work, scratch, {static_cast<float>(work.lrn.beta)}));
        }
    });
}

void forward(const LrnWork& work, const std::byte* src, std::byte* dst, float* scratch)
{
    withKind(work, scratch, [&](const auto& kind) HWY_ATTR { kind.forward(src, dst); });
}

void backward(const LrnWork& work, const LrnGradients& tensors, float* scratch)
{
    withKind(work, scratch, [&](const auto& kind) HWY_ATTR { kind.backward(tensors); });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

std::size_t lrnScratchBytes(const LrnWork& work)
{
    return static_cast<std::size_t>(kRowSets * ScratchShape(work).floatsPerSet()) * sizeof(float);
}

void lrnForward(const LrnWork& work, const std::byte* src, std::byte* dst, float* scratch)
{
    HWY_DYNAMIC_DISPATCH(forward)(work, src, dst, scratch);
}

void lrnBackward(const LrnWork& work, const LrnGradients& tensors, float* scratch)
{
    HWY_DYNAMIC_DISPATCH(backward)(work, tensors, scratch);
}

} // namespace lockstep::cpu
#endif
