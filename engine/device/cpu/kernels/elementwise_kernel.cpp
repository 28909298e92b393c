// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/elementwise_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/elementwise_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// 1 / (1 + e^-x), by e^-|x|, which never overflows.
template<class D>
HWY_INLINE hn::Vec<D> logistic(D d, hn::Vec<D> x)
{
    const auto one = hn::Set(d, 1.0F);
    const auto small = hn::Exp(d, hn::Neg(hn::Abs(x)));
    const auto ofPositive = hn::Div(one, hn::Add(one, small));
    const auto ofNegative = hn::Mul(small, ofPositive);
    const auto result = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), ofNegative, ofPositive);
    // Exp clamps: put back what was not a number.
    return hn::IfThenElse(hn::IsNaN(x), x, result);
}

/// x / 6 + 1 / 2, at least 0 and at most 1; a NaN stays one.
template<class D>
HWY_INLINE hn::Vec<D> hardLogistic(D d, hn::Vec<D> x)
{
    const auto line = hn::MulAdd(x, hn::Set(d, 1.0F / 6.0F), hn::Set(d, 0.5F));
    const auto bounded = hn::Min(hn::Max(line, hn::Zero(d)), hn::Set(d, 1.0F));
    return hn::IfThenElse(hn::IsNaN(x), x, bounded);
}

/// Where a hard activation is not constant.
template<class D>
HWY_INLINE hn::Mask<D> isBetween(D d, hn::Vec<D> x)
{
    return hn::Lt(hn::Abs(x), hn::Set(d, 3.0F));
}

/// e^(-x^2 / 2).
template<class D>
HWY_INLINE hn::Vec<D> bell(D d, hn::Vec<D> x)
{
    return hn::Exp(d, hn::Mul(hn::Set(d, -0.5F), hn::Mul(x, x)));
}

/// The normal distribution, to 1e-7: Abramowitz and Stegun, Handbook of Mathematical Functions,
/// 7.1.26, for the error function at x / sqrt(2).
template<class D>
HWY_INLINE hn::Vec<D> normalDistribution(D d, hn::Vec<D> x)
{
    const auto one = hn::Set(d, 1.0F);
    const auto distance = hn::Abs(x);
    const auto t = hn::Div(one, hn::MulAdd(distance, hn::Set(d, 0.3275911F * 0.70710678F), one));
    auto sum = hn::Set(d, 1.061405429F);
    for (const float term : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F}) {
        sum = hn::MulAdd(sum, t, hn::Set(d, term));
    }
    const auto tail = hn::Mul(hn::Set(d, 0.5F), hn::Mul(hn::Mul(sum, t), bell(d, x)));
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(one, tail));
}

// Each activation: its value and its derivative at x.

struct Identity
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D /*d*/, hn::Vec<D> x) const
    {
        return x;
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> /*x*/) const
    {
        return hn::Set(d, 1.0F);
    }
};

struct Rectifier
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return rectified(d, x);
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        return hn::IfThenZeroElse(hn::Le(x, hn::Zero(d)), hn::Set(d, 1.0F));
    }
};

struct Logistic
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return logistic(d, x);
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        // Both factors by themselves: 1 - logistic(x) of a large x would be 0.
        return hn::Mul(logistic(d, x), logistic(d, hn::Neg(x)));
    }
};

struct SigmoidLinear
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return hn::Mul(x, logistic(d, x));
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        const auto ofGate = hn::MulAdd(x, logistic(d, hn::Neg(x)), hn::Set(d, 1.0F));
        return hn::Mul(logistic(d, x), ofGate);
    }
};

struct GaussianLinear
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return hn::Mul(x, normalDistribution(d, x));
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        const auto density = hn::Mul(hn::Set(d, 0.39894228F), bell(d, x));
        return hn::MulAdd(x, density, normalDistribution(d, x));
    }
};

struct HardLogistic
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return hardLogistic(d, x);
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        return hn::IfThenElseZero(isBetween(d, x), hn::Set(d, 1.0F / 6.0F));
    }
};

struct HardLinear
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> x) const
    {
        return hn::Mul(x, hardLogistic(d, x));
    }
    template<class D>
    HWY_INLINE hn::Vec<D> slope(D d, hn::Vec<D> x) const
    {
        const auto line = hn::MulAdd(x, hn::Set(d, 1.0F / 3.0F), hn::Set(d, 0.5F));
        return hn::IfThenElse(isBetween(d, x), line, hardLogistic(d, x));
    }
};

/// Calls body(function, a T), T the type of the elements.
template<class Body>
void forKind(Activation activation, Element element, Body body)
{
    withElement(element, [&](auto zero) HWY_ATTR {
        switch (activation) {
        case Activation::None:
            return body(Identity{}, zero);
        case Activation::Relu:
            return body(Rectifier{}, zero);
        case Activation::Sigmoid:
            return body(Logistic{}, zero);
        case Activation::Silu:
            return body(SigmoidLinear{}, zero);
        case Activation::Gelu:
            return body(GaussianLinear{}, zero);
        case Activation::HardSwish:
            return body(HardLinear{}, zero);
        case Activation::HardSigmoid:
            return body(HardLogistic{}, zero);
        }
    });
}

void forward(
    Activation activation, Element element, const std::byte* src, std::byte* dst,
    std::int64_t count)
{
    forKind(activation, element, [&](auto function, auto zero) HWY_ATTR {
        using T = decltype(zero);
        const auto* from = reinterpret_cast<const T*>(src);
        auto* to = reinterpret_cast<T*>(dst);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            storeElements(d, function.value(d, loadElements(d, from + i)), to + i);
        });
    });
}

void backward(
    Activation activation, Element element, const ActivationTensors& tensors, std::int64_t count)
{
    forKind(activation, element, [&](auto function, auto zero) HWY_ATTR {
        using T = decltype(zero);
        const auto* src = reinterpret_cast<const T*>(tensors.src);
        const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
        auto* diffSrc = reinterpret_cast<T*>(tensors.diffSrc);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            const auto slope = function.slope(d, loadElements(d, src + i));
            storeElements(d, hn::Mul(slope, loadElements(d, diffDst + i)), diffSrc + i);
        });
    });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(forward);
HWY_EXPORT(backward);

void activate(
    Activation activation, Element element, const std::byte* src, std::byte* dst,
    std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(forward)(activation, element, src, dst, count);
}

void activateBackward(
    Activation activation, Element element, const ActivationTensors& tensors, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(backward)(activation, element, tensors, count);
}

} // namespace lockstep::cpu
#endif
