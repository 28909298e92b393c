// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"

#include "device/cuda/arrays/kernel.h"

#include <cmath>
#include <limits>

namespace lockstep::cuda {
namespace {

/// Up to so many classes a thread takes a row alone, above it a warp does.
constexpr int kClassesOfThread = 32;
constexpr unsigned kForwardThreads = 1024;

/// Sum over the lanes that share a row.
template<int kLanes>
__device__ float sumOfRow(float value)
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
__device__ Largest largestOfRow(const float* logits, int first, int classes)
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

/// By how much all logits of a row are below the largest.
template<int kLanes>
__device__ float marginSum(const float* logits, int first, int classes, float largest)
{
    float sum = 0.0F;
    for (int i = first; i < classes; i += kLanes) {
        sum += largest - logits[i];
    }
    return sumOfRow<kLanes>(sum);
}

/// What kLanes neighbouring lanes find in a row; the same in all of them. Writes the probabilities.
template<int kLanes>
__device__ ObjectiveResult
forwardRow(const LogitsShape& shape, const float* logits, int label, float* probabilities)
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
    if (label < 0 || label >= classes) {
        return {std::numeric_limits<double>::quiet_NaN(), 0};
    }
    double margin = static_cast<double>(largest.value) - static_cast<double>(logits[label]);
    if (shape.labelSmoothing > 0.0F) {
        const float meanMargin =
            marginSum<kLanes>(logits, first, classes, largest.value) / static_cast<float>(classes);
        margin +=
            static_cast<double>(shape.labelSmoothing) * (static_cast<double>(meanMargin) - margin);
    }
    const bool isRight = std::isfinite(sum) && largest.index == label;
    return {static_cast<double>(std::log(sum)) + margin, isRight ? 1 : 0};
}

/// One block for all rows: a few thousand numbers, and their sum needs no second kernel.
template<int kLanes>
__global__ void __launch_bounds__(kForwardThreads, 1)
    softmaxCrossEntropyForwardKernel(LogitsShape shape, SoftmaxCrossEntropyArrays arrays)
{
    constexpr int kStep = static_cast<int>(kForwardThreads) / kLanes;
    double lossSum = 0.0;
    std::int64_t correct = 0;
    for (int row = static_cast<int>(threadIdx.x) / kLanes; row < shape.rows; row += kStep) {
        const std::int64_t offset = std::int64_t{row} * shape.classes;
        const ObjectiveResult result = forwardRow<kLanes>(
            shape, arrays.logits + offset, arrays.labels[row], arrays.probabilities + offset);
        lossSum += result.lossSum;
        correct += result.correct;
    }
    // All lanes of a row know its result: one of them counts.
    const bool counts = threadIdx.x % kLanes == 0;
    lossSum = blockSum(counts ? lossSum : 0.0);
    correct = blockSum(counts ? correct : std::int64_t{0});
    if (threadIdx.x == 0) {
        *arrays.result = {lossSum, correct};
    }
}

__global__ void __launch_bounds__(kBlockThreads)
    softmaxCrossEntropyBackwardKernel(LogitsShape shape, SoftmaxCrossEntropyDiff arrays)
{
    const std::int64_t index = globalThread();
    if (index < std::int64_t{shape.rows} * shape.classes) {
        const auto row = static_cast<int>(index / shape.classes);
        const auto column = static_cast<int>(index - std::int64_t{row} * shape.classes);
        const float target = (column == arrays.labels[row] ? 1.0F - shape.labelSmoothing : 0.0F)
                             + shape.labelSmoothing / static_cast<float>(shape.classes);
        arrays.diffLogits[index] = (arrays.probabilities[index] - target) * arrays.scale;
    }
}

} // namespace

void softmaxCrossEntropyForward(
    cudaStream_t stream, const LogitsShape& shape, const SoftmaxCrossEntropyArrays& arrays)
{
    launch(
        shape.classes <= kClassesOfThread
            ? softmaxCrossEntropyForwardKernel<1>
            : softmaxCrossEntropyForwardKernel<static_cast<int>(kWarpLanes)>,
        {dim3(1), dim3(kForwardThreads)}, stream, shape, arrays);
}

void softmaxCrossEntropyBackward(
    cudaStream_t stream, const LogitsShape& shape, const SoftmaxCrossEntropyDiff& arrays)
{
    launch(
        softmaxCrossEntropyBackwardKernel, shapeFor(std::int64_t{shape.rows} * shape.classes),
        stream, shape, arrays);
}

} // namespace lockstep::cuda
