// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/gradient_kernels.h"

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/gradient_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

hn::Vec<Doubles> load(Doubles d, const float* values)
{
    const hn::Rebind<float, Doubles> half;
    return hn::PromoteTo(d, hn::LoadU(half, values));
}

GradientProducts products(
    std::span<const float* const> lanes, std::int64_t offset, std::int64_t count, const float* mean)
{
    const Doubles d;
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    auto squares = hn::Zero(d);
    auto dots = hn::Zero(d);
    std::int64_t i = 0;
    for (; i + width <= count; i += width) {
        auto gradient = hn::Zero(d);
        for (const float* lane : lanes) {
            gradient = hn::Add(gradient, load(d, lane + offset + i));
        }
        squares = hn::MulAdd(gradient, gradient, squares);
        dots = hn::MulAdd(gradient, load(d, mean + i), dots);
    }
    GradientProducts sums{
        hn::GetLane(hn::SumOfLanes(d, squares)), hn::GetLane(hn::SumOfLanes(d, dots))};
    for (; i < count; ++i) {
        double gradient = 0.0;
        for (const float* lane : lanes) {
            gradient += static_cast<double>(lane[offset + i]);
        }
        sums.squares += gradient * gradient;
        sums.dotMean += gradient * static_cast<double>(mean[i]);
    }
    return sums;
}

double squaredDistance(const float* values, const float* others, std::int64_t count)
{
    const Doubles d;
    const auto width = static_cast<std::int64_t>(hn::Lanes(d));
    auto sum = hn::Zero(d);
    std::int64_t i = 0;
    for (; i + width <= count; i += width) {
        const auto difference = hn::Sub(load(d, values + i), load(d, others + i));
        sum = hn::MulAdd(difference, difference, sum);
    }
    double total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; i < count; ++i) {
        const double difference = static_cast<double>(values[i]) - static_cast<double>(others[i]);
        total += difference * difference;
    }
    return total;
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(products);
HWY_EXPORT(squaredDistance);

GradientProducts productsOfRange(
    std::span<const float* const> lanes, std::int64_t offset, std::int64_t count, const float* mean)
{
    return HWY_DYNAMIC_DISPATCH(products)(lanes, offset, count, mean);
}

double squaredDistanceOf(std::span<const float> values, const float* others)
{
    return HWY_DYNAMIC_DISPATCH(squaredDistance)(
        values.data(), others, static_cast<std::int64_t>(values.size()));
}

} // namespace lockstep::cpu
#endif
