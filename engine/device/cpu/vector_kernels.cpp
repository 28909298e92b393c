// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/vector_kernels.h"

#include <algorithm>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/vector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

/// Calls body(tag, i) for whole vectors and then, one by one, for what is left.
template<class Body>
HWY_INLINE void forEachVector(std::int64_t count, Body body)
{
    const Floats d;
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

bool average(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count, float* dst)
{
    bool allFinite = true;
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        auto sum = hn::Zero(d);
        for (const WeightedGradient& lane : lanes) {
            sum = hn::MulAdd(hn::Set(d, lane.weight), hn::LoadU(d, lane.values + offset + i), sum);
        }
        hn::StoreU(sum, d, dst + i);
        allFinite &= hn::AllTrue(d, hn::IsFinite(sum));
    });
    return allFinite;
}

void update(
    const UpdateRule& rule, std::int64_t count, const float* gradient, float* weights,
    float* average)
{
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        const auto w = hn::LoadU(d, weights + i);
        const auto g = hn::MulAdd(hn::Set(d, rule.weightDecay), w, hn::LoadU(d, gradient + i));
        const auto moved = hn::NegMulAdd(hn::Set(d, rule.learningRate), g, w);
        const auto a = hn::LoadU(d, average + i);
        hn::StoreU(moved, d, weights + i);
        hn::StoreU(hn::MulAdd(hn::Set(d, rule.averageRate), hn::Sub(moved, a), a), d, average + i);
    });
}

/// In double, lane by lane of the vector; the lanes are summed at the end.
double sumOfSquares(const float* values, std::int64_t count)
{
    const hn::ScalableTag<double> d;
    const hn::Rebind<float, decltype(d)> half;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    auto sum = hn::Zero(d);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto v = hn::PromoteTo(d, hn::LoadU(half, values + i));
        sum = hn::MulAdd(v, v, sum);
    }
    double total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; i < count; ++i) {
        total += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
    return total;
}

void relu(float* value, std::int64_t count)
{
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        const auto v = hn::LoadU(d, value + i);
        hn::StoreU(hn::IfThenZeroElse(hn::Le(v, hn::Zero(d)), v), d, value + i);
    });
}

void maskByRelu(const float* value, float* diff, std::int64_t count)
{
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        const auto isOff = hn::Le(hn::LoadU(d, value + i), hn::Zero(d));
        hn::StoreU(hn::IfThenZeroElse(isOff, hn::LoadU(d, diff + i)), d, diff + i);
    });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(average);
HWY_EXPORT(update);
HWY_EXPORT(sumOfSquares);
HWY_EXPORT(relu);
HWY_EXPORT(maskByRelu);

bool averageRange(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count, float* dst)
{
    return HWY_DYNAMIC_DISPATCH(average)(lanes, offset, count, dst);
}

void updateRange(
    const UpdateRule& rule, std::int64_t count, const float* gradient, float* weights,
    float* average)
{
    HWY_DYNAMIC_DISPATCH(update)(rule, count, gradient, weights, average);
}

double sumOfSquaresOf(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(sumOfSquares)(
        values.data(), static_cast<std::int64_t>(values.size()));
}

void reluForward(float* value, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(relu)(value, count);
}

void reluBackward(const float* value, float* diff, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(maskByRelu)(value, diff, count);
}

} // namespace lockstep::cpu
#endif
