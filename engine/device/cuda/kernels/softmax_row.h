// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"

#include <cmath>
#include <cstdint>
#include <limits>

// Softmax and cross-entropy of one row of logits, which kLanes neighbouring lanes share: 1, or a
// warp.
namespace lockstep::cuda {

/// Sum over the lanes that share a row.
template<int kLanes>
[[nodiscard]] __device__ float sumOfRow(float value)
{
    return kLanes == 1 ? value : warpSum(value);
}

/// The largest logit of a row, the first one if several are.
struct Largest
{
    float value;
    int index;
};

template<int kLanes>
[[nodiscard]] __device__ Largest largestOfRow(const float* logits, int first, int classes)
{
    Largest largest{-std::numeric_limits<float>::infinity(), classes};
    for (int i = first; i < classes; i += kLanes) {
        if (logits[i] > largest.value || (largest.index == classes && !std::isnan(logits[i]))) {
            largest = {logits[i], i};
        }
    }
    for (unsigned mask = kLanes / 2; mask > 0; mask /= 2) {
        const Largest other{shuffleXor(largest.value, mask), shuffleXor(largest.index, mask)};
        if (other.value > largest.value
            || (other.value == largest.value && other.index < largest.index)) {
            largest = other;
        }
    }
    return largest;
}

/// By how much all logits of a row are below `top`, each times its weight where `weights` are
/// given.
template<int kLanes>
[[nodiscard]] __device__ float marginSum(
    const float* logits, int first, int classes, float top, const float* weights)
{
    float sum = 0.0F;
    for (int i = first; i < classes; i += kLanes) {
        const float margin = top - logits[i];
        sum += weights == nullptr ? margin : weights[i] * margin;
    }
    return sumOfRow<kLanes>(sum);
}

/// The loss of a row whose classes have weights; `logOfSum` is that of the sum of all exponentials.
template<int kLanes>
[[nodiscard]] __device__ double weightedLoss(
    const LogitsShape& shape, const float* logits, int label, float logOfSum)
{
    const auto smoothing = static_cast<double>(shape.labelSmoothing);
    double loss = (1.0 - smoothing) * static_cast<double>(shape.classWeights[label])
                  * (static_cast<double>(logOfSum) - static_cast<double>(logits[label]));
    if (shape.labelSmoothing > 0.0F) {
        const int first = kLanes == 1 ? 0 : static_cast<int>(lane());
        const float margins =
            marginSum<kLanes>(logits, first, shape.classes, logOfSum, shape.classWeights);
        loss += smoothing / shape.classes * static_cast<double>(margins);
    }
    return loss;
}

/// The loss of a row with this label; `logOfSum` is that of the sum of exp(logit - top).
template<int kLanes>
[[nodiscard]] __device__ double lossOfLabel(
    const LogitsShape& shape, const float* logits, int label, float top, float logOfSum)
{
    const int classes = shape.classes;
    if (label < 0 || label >= classes) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (shape.classWeights != nullptr) {
        return weightedLoss<kLanes>(shape, logits, label, logOfSum + top);
    }
    double margin = static_cast<double>(top) - static_cast<double>(logits[label]);
    if (shape.labelSmoothing > 0.0F) {
        const int first = kLanes == 1 ? 0 : static_cast<int>(lane());
        const float meanMargin =
            marginSum<kLanes>(logits, first, classes, top, nullptr) / static_cast<float>(classes);
        margin +=
            static_cast<double>(shape.labelSmoothing) * (static_cast<double>(meanMargin) - margin);
    }
    return static_cast<double>(logOfSum) + margin;
}

/// What kLanes neighbouring lanes find in a row; the same in all of them. Writes the probabilities.
template<int kLanes>
[[nodiscard]] __device__ ObjectiveResult
forwardRow(const LogitsShape& shape, int row, const float* logits, int label, float* probabilities)
{
    const int classes = shape.classes;
    const int first = kLanes == 1 ? 0 : static_cast<int>(lane());
    const Largest largest = largestOfRow<kLanes>(logits, first, classes);
    float sum = 0.0F;
    for (int i = first; i < classes; i += kLanes) {
        sum += std::exp(logits[i] - largest.value);
    }
    sum = sumOfRow<kLanes>(sum);
    for (int i = first; i < classes; i += kLanes) {
        probabilities[i] = std::exp(logits[i] - largest.value) / sum;
    }
    const auto lossOf = [&](int one) {
        return lossOfLabel<kLanes>(shape, logits, one, largest.value, std::log(sum));
    };
    double loss = lossOf(label);
    if (shape.mixed != nullptr) {
        const auto share = static_cast<double>(shape.mixed[row].share);
        loss = share * loss + (1.0 - share) * lossOf(shape.mixed[row].other);
    }
    return {loss, std::isfinite(sum) && largest.index == label ? 1 : 0};
}

/// d(loss of a row with this label)/d(logit).
[[nodiscard]] __device__ inline float diffOfLabel(
    const LogitsShape& shape, float probability, int column, int label)
{
    const float share = shape.labelSmoothing / static_cast<float>(shape.classes);
    const float target = (column == label ? 1.0F - shape.labelSmoothing : 0.0F) + share;
    if (shape.classWeights == nullptr) {
        return probability - target;
    }
    const float total =
        (1.0F - shape.labelSmoothing) * shape.classWeights[label] + share * shape.classWeightSum;
    return probability * total - shape.classWeights[column] * target;
}

/// d(loss of a row)/d(logit).
[[nodiscard]] __device__ inline float diffOfLogit(
    const LogitsShape& shape, int row, float probability, int column, int label)
{
    const float diff = diffOfLabel(shape, probability, column, label);
    if (shape.mixed == nullptr) {
        return diff;
    }
    const MixedLabel& mixed = shape.mixed[row];
    return mixed.share * diff
           + (1.0F - mixed.share) * diffOfLabel(shape, probability, column, mixed.other);
}

} // namespace lockstep::cuda
