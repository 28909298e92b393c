// SPDX-License-Identifier: Apache-2.0
// Reading and writing float32 and bfloat16 as vectors of float32, for files that Highway compiles
// once per instruction set: include it after <hwy/highway.h>.
#if defined(LOCKSTEP_ELEMENTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef LOCKSTEP_ELEMENTS_INL_H
#undef LOCKSTEP_ELEMENTS_INL_H
#else
#define LOCKSTEP_ELEMENTS_INL_H
#endif

#include "device/cpu/runtime/channel_layout.h"

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The bits of a bfloat16: the upper half of a float32.
using Bfloat16 = std::uint16_t;

/// Calls body(a T), T the type of the elements.
template<class Body>
HWY_INLINE void withElement(Element element, Body body)
{
    if (element == Element::Float32) {
        body(float{});
    } else {
        body(Bfloat16{});
    }
}

template<class D>
HWY_INLINE hn::Vec<D> loadElements(D d, const float* from)
{
    return hn::LoadU(d, from);
}

template<class D>
HWY_INLINE hn::Vec<D> loadElements(D d, const Bfloat16* from)
{
    const hn::RebindToUnsigned<D> bits;
    const hn::Rebind<Bfloat16, D> half;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(bits, hn::LoadU(half, from))));
}

template<class D>
HWY_INLINE void storeElements(D d, hn::Vec<D> values, float* to)
{
    hn::StoreU(values, d, to);
}

/// Rounds to nearest, ties to even; a NaN stays one.
template<class D>
HWY_INLINE void storeElements(D /*d*/, hn::Vec<D> values, Bfloat16* to)
{
    const hn::RebindToUnsigned<D> bits;
    const hn::RebindToSigned<D> whole;
    const hn::Rebind<Bfloat16, D> half;
    const auto raw = hn::BitCast(bits, values);
    const auto high = hn::ShiftRight<16>(raw);
    const auto odd = hn::And(high, hn::Set(bits, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(raw, hn::Add(odd, hn::Set(bits, 0x7FFF))));
    const auto quiet = hn::Or(high, hn::Set(bits, 0x40));
    const auto isNan = hn::RebindMask(bits, hn::IsNaN(values));
    const auto result = hn::IfThenElse(isNan, quiet, rounded);
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(whole, result)), half, to);
}

/// Calls body(tag, i) for whole vectors of float32 and then, one by one, for what is left.
template<class Body>
HWY_INLINE void forEachVector(std::int64_t count, Body body)
{
    const hn::ScalableTag<float> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        body(d, i);
    }
    const hn::CappedTag<float, 1> one;
    for (; i < count; ++i) {
        body(one, i);
    }
}

/// max(value, 0), but a NaN stays one.
template<class D>
HWY_INLINE hn::Vec<D> rectified(D d, hn::Vec<D> value)
{
    return hn::IfThenZeroElse(hn::Le(value, hn::Zero(d)), value);
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
