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

struct Identity
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D /*d*/, hn::Vec<D> src) const
    {
        return src;
    }
    template<class D>
    HWY_INLINE hn::Vec<D> gradient(D /*d*/, hn::Vec<D> /*dst*/, hn::Vec<D> diff) const
    {
        return diff;
    }
};

struct Rectifier
{
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> src) const
    {
        return rectified(d, src);
    }
    template<class D>
    HWY_INLINE hn::Vec<D> gradient(D d, hn::Vec<D> dst, hn::Vec<D> diff) const
    {
        return hn::IfThenZeroElse(hn::Le(dst, hn::Zero(d)), diff);
    }
};

struct Logistic
{
    /// 1 / (1 + e^-x), by e^-|x|, which never overflows.
    template<class D>
    HWY_INLINE hn::Vec<D> value(D d, hn::Vec<D> src) const
    {
        const auto one = hn::Set(d, 1.0F);
        const auto small = hn::Exp(d, hn::Neg(hn::Abs(src)));
        const auto ofPositive = hn::Div(one, hn::Add(one, small));
        const auto ofNegative = hn::Mul(small, ofPositive);
        const auto result = hn::IfThenElse(hn::Lt(src, hn::Zero(d)), ofNegative, ofPositive);
        // Exp clamps: put back what was not a number.
        return hn::IfThenElse(hn::IsNaN(src), src, result);
    }
    template<class D>
    HWY_INLINE hn::Vec<D> gradient(D d, hn::Vec<D> dst, hn::Vec<D> diff) const
    {
        return hn::Mul(diff, hn::Mul(dst, hn::Sub(hn::Set(d, 1.0F), dst)));
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
        const auto* dst = reinterpret_cast<const T*>(tensors.dst);
        const auto* diffDst = reinterpret_cast<const T*>(tensors.diffDst);
        auto* diffSrc = reinterpret_cast<T*>(tensors.diffSrc);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            const auto diff =
                function.gradient(d, loadElements(d, dst + i), loadElements(d, diffDst + i));
            storeElements(d, diff, diffSrc + i);
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
