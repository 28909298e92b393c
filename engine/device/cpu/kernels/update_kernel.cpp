// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/update_kernel.h"

#include <limits>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/update_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

/// Moves a slot by `rate` of a difference to it and returns what it is then.
template<class D>
HWY_INLINE hn::Vec<D> follow(D d, float rate, hn::Vec<D> difference, float* slot)
{
    const auto moved = hn::MulAdd(hn::Set(d, rate), difference, hn::LoadU(d, slot));
    hn::StoreU(moved, d, slot);
    return moved;
}

/// The slot of the mean square follows g^2, at most the largest number: infinity, of which a finite
/// gradient may have the square, would make the step after it NaN.
template<class D>
HWY_INLINE hn::Vec<D> followSquare(D d, float rate, hn::Vec<D> g, float* slot)
{
    const auto most = hn::Set(d, std::numeric_limits<float>::max());
    return follow(d, rate, hn::Min(hn::MulSub(g, g, hn::LoadU(d, slot)), most), slot);
}

/// momentum * slot + addend, which the slot becomes.
template<class D>
HWY_INLINE hn::Vec<D> accumulate(D d, float momentum, hn::Vec<D> addend, float* slot)
{
    const auto sum = hn::MulAdd(hn::Set(d, momentum), hn::LoadU(d, slot), addend);
    hn::StoreU(sum, d, slot);
    return sum;
}

/// The new weights of values [i, i + lanes); their slots are moved. Every product that is added to
/// something is fused by name, so that GPUs come to the same bits.
template<UpdateKind kKind, class D>
HWY_INLINE hn::Vec<D> movedWeights(
    D d, const UpdateRule& rule, const UpdateArrays& arrays, std::int64_t i, hn::Vec<D> g,
    hn::Vec<D> w)
{
    const UpdateConstants& constants = rule.constants;
    const auto rate = hn::Set(d, rule.learningRate);
    if constexpr (kKind == UpdateKind::Sgd) {
        return hn::NegMulAdd(rate, g, w);
    } else if constexpr (kKind == UpdateKind::Momentum) {
        const auto m = accumulate(d, constants.momentum, g, arrays.optimizerState[0] + i);
        const auto ahead = hn::MulAdd(hn::Set(d, constants.momentum), m, g);
        return hn::NegMulAdd(rate, constants.isNesterov ? ahead : m, w);
    } else if constexpr (kKind == UpdateKind::RmsProp) {
        const auto s = followSquare(d, constants.squareRate, g, arrays.optimizerState[0] + i);
        const auto root = hn::Sqrt(hn::Add(s, hn::Set(d, constants.epsilon)));
        const auto step = hn::Div(hn::Mul(rate, g), root);
        return hn::Sub(w, accumulate(d, constants.momentum, step, arrays.optimizerState[1] + i));
    } else {
        static_assert(kKind == UpdateKind::Adam || kKind == UpdateKind::AdamW);
        float* const mean = arrays.optimizerState[0] + i;
        const auto m = follow(d, constants.meanRate, hn::Sub(g, hn::LoadU(d, mean)), mean);
        const auto s = followSquare(d, constants.squareRate, g, arrays.optimizerState[1] + i);
        const auto epsilon = hn::Set(d, constants.epsilon);
        const auto root = hn::MulAdd(hn::Set(d, rule.epsilonScale), epsilon, hn::Sqrt(s));
        return hn::Sub(w, hn::Div(hn::Mul(rate, m), root));
    }
}

template<UpdateKind kKind>
void updateBy(const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays)
{
    constexpr bool isDecoupled = !decaysByLoss(kKind);
    const float share = isDecoupled ? rule.decayRate * rule.weightDecay : rule.weightDecay;
    auto* const operands = reinterpret_cast<Bfloat16*>(arrays.operands);
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        const auto decay = hn::Set(d, share);
        const auto scale = hn::Set(d, rule.gradientScale);
        const auto w = hn::LoadU(d, arrays.weights + i);
        const auto gradient = hn::Mul(scale, hn::LoadU(d, arrays.gradient + i));
        const auto g = isDecoupled ? gradient : hn::MulAdd(decay, w, gradient);
        const auto moved = movedWeights<kKind>(
            d, rule, arrays, i, g, isDecoupled ? hn::NegMulAdd(decay, w, w) : w);
        const auto a = hn::LoadU(d, arrays.average + i);
        hn::StoreU(moved, d, arrays.weights + i);
        hn::StoreU(
            hn::MulAdd(hn::Set(d, rule.averageRate), hn::Sub(moved, a), a), d, arrays.average + i);
        if (operands != nullptr) {
            storeElements(d, moved, operands + i);
        }
    });
}

void update(const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays)
{
    switch (rule.constants.kind) {
    case UpdateKind::Sgd:
        return updateBy<UpdateKind::Sgd>(rule, count, arrays);
    case UpdateKind::Momentum:
        return updateBy<UpdateKind::Momentum>(rule, count, arrays);
    case UpdateKind::RmsProp:
        return updateBy<UpdateKind::RmsProp>(rule, count, arrays);
    case UpdateKind::Adam:
        return updateBy<UpdateKind::Adam>(rule, count, arrays);
    case UpdateKind::AdamW:
        return updateBy<UpdateKind::AdamW>(rule, count, arrays);
    }
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(update);

void updateRange(const UpdateRule& rule, std::int64_t count, const UpdateArrays& arrays)
{
    HWY_DYNAMIC_DISPATCH(update)(rule, count, arrays);
}

} // namespace lockstep::cpu
#endif
