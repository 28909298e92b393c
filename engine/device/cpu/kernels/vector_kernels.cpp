// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/vector_kernels.h"

#include <algorithm>

// Highway compiles the part between HWY_BEFORE_NAMESPACE and HWY_AFTER_NAMESPACE once per
// instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "device/cpu/kernels/vector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// After the two above, which the order of the alphabet would not keep.
#include "device/cpu/kernels/elements-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lockstep::cpu::HWY_NAMESPACE {

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

void round(const float* values, std::int64_t count, std::byte* rounded)
{
    forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
        storeElements(d, hn::LoadU(d, values + i), reinterpret_cast<Bfloat16*>(rounded) + i);
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

void relu(Element element, std::byte* values, std::int64_t count)
{
    withElement(element, [&](auto zero) HWY_ATTR {
        auto* value = reinterpret_cast<decltype(zero)*>(values);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            storeElements(d, rectified(d, loadElements(d, value + i)), value + i);
        });
    });
}

void maskByRelu(Element element, const std::byte* values, std::byte* diffs, std::int64_t count)
{
    withElement(element, [&](auto zero) HWY_ATTR {
        const auto* value = reinterpret_cast<const decltype(zero)*>(values);
        auto* diff = reinterpret_cast<decltype(zero)*>(diffs);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            const auto isOff = hn::Le(loadElements(d, value + i), hn::Zero(d));
            storeElements(d, hn::IfThenZeroElse(isOff, loadElements(d, diff + i)), diff + i);
        });
    });
}

void sumOfColumns(const std::byte* values, std::int64_t rows, std::int64_t columns, float* sums)
{
    // Sums of a few rows first: one long sum would lose the small addends.
    constexpr std::int64_t kFew = 64;
    const auto* elements = reinterpret_cast<const Bfloat16*>(values);
    forEachVector(columns, [&](auto d, std::int64_t c) HWY_ATTR {
        auto total = hn::Zero(d);
        for (std::int64_t first = 0; first < rows; first += kFew) {
            auto sum = hn::Zero(d);
            for (std::int64_t row = first; row < std::min(first + kFew, rows); ++row) {
                sum = hn::Add(sum, loadElements(d, elements + row * columns + c));
            }
            total = hn::Add(total, sum);
        }
        hn::StoreU(total, d, sums + c);
    });
}

void add(Element element, const AddedTensors& tensors, std::int64_t count, bool isRelu)
{
    withElement(element, [&](auto zero) HWY_ATTR {
        const auto* left = reinterpret_cast<const decltype(zero)*>(tensors.left);
        const auto* right = reinterpret_cast<const decltype(zero)*>(tensors.right);
        auto* sum = reinterpret_cast<decltype(zero)*>(tensors.sum);
        forEachVector(count, [&](auto d, std::int64_t i) HWY_ATTR {
            const auto value = hn::Add(loadElements(d, left + i), loadElements(d, right + i));
            storeElements(d, isRelu ? rectified(d, value) : value, sum + i);
        });
    });
}

} // namespace lockstep::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lockstep::cpu {

HWY_EXPORT(average);
HWY_EXPORT(sumOfSquares);
HWY_EXPORT(round);
HWY_EXPORT(relu);
HWY_EXPORT(maskByRelu);
HWY_EXPORT(sumOfColumns);
HWY_EXPORT(add);

bool averageRange(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count, float* dst)
{
    return HWY_DYNAMIC_DISPATCH(average)(lanes, offset, count, dst);
}

void roundRange(std::span<const float> values, std::byte* rounded)
{
    HWY_DYNAMIC_DISPATCH(round)
    (values.data(), static_cast<std::int64_t>(values.size()), rounded);
}

double sumOfSquaresOf(std::span<const float> values)
{
    return HWY_DYNAMIC_DISPATCH(sumOfSquares)(
        values.data(), static_cast<std::int64_t>(values.size()));
}

void reluForward(Element element, std::byte* value, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(relu)(element, value, count);
}

void reluBackward(Element element, const std::byte* value, std::byte* diff, std::int64_t count)
{
    HWY_DYNAMIC_DISPATCH(maskByRelu)(element, value, diff, count);
}

void sumColumns(const std::byte* values, std::int64_t rows, std::int64_t columns, float* sums)
{
    HWY_DYNAMIC_DISPATCH(sumOfColumns)(values, rows, columns, sums);
}

void addRange(Element element, const AddedTensors& tensors, std::int64_t count, bool isRelu)
{
    HWY_DYNAMIC_DISPATCH(add)(element, tensors, count, isRelu);
}

} // namespace lockstep::cpu
#endif
