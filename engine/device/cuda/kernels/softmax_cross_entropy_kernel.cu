// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"

#include "device/cuda/kernels/result_sum.h"
#include "device/cuda/kernels/softmax_row.h"

namespace lockstep::cuda {
namespace {

/// Up to so many classes a thread takes a row alone, above it a warp does.
constexpr int kClassesOfThread = 32;
constexpr unsigned kForwardThreads = 1024;

/// One block for all rows: a few thousand numbers, and their sum needs no second kernel.
template<int kLanes>
__global__ void __launch_bounds__(kForwardThreads, 1)
    softmaxCrossEntropyForwardKernel(LogitsShape shape, SoftmaxCrossEntropyArrays arrays)
{
    waitForKernelBefore();
    constexpr int kStep = static_cast<int>(kForwardThreads) / kLanes;
    double lossSum = 0.0;
    std::int64_t correct = 0;
    for (int row = static_cast<int>(threadIdx.x) / kLanes; row < shape.rows; row += kStep) {
        const std::int64_t offset = std::int64_t{row} * shape.classes;
        const ObjectiveResult result = forwardRow<kLanes>(
            shape, row, arrays.logits + offset, arrays.labels[row], arrays.probabilities + offset);
        lossSum += result.lossSum;
        correct += result.correct;
    }
    // All lanes of a row know its result: one of them counts.
    const bool counts = threadIdx.x % kLanes == 0;
    writeResult(counts ? lossSum : 0.0, counts ? correct : 0, arrays.result, arrays.ends);
}

__global__ void __launch_bounds__(kBlockThreads)
    softmaxCrossEntropyBackwardKernel(LogitsShape shape, SoftmaxCrossEntropyDiff arrays)
{
    waitForKernelBefore();
    const std::int64_t index = globalThread();
    if (index < std::int64_t{shape.rows} * shape.classes) {
        const auto row = static_cast<int>(index / shape.classes);
        const auto column = static_cast<int>(index - std::int64_t{row} * shape.classes);
        arrays.diffLogits[index] =
            diffOfLogit(shape, row, arrays.probabilities[index], column, arrays.labels[row])
            * arrays.scale;
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
