// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/sigmoid_cross_entropy_kernel.h"

#include "device/cuda/arrays/vector_access.h"
#include "device/cuda/kernels/result_sum.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

constexpr unsigned kForwardThreads = 1024;
/// What counts as a yes.
constexpr float kPositiveTarget = 0.5F;

[[nodiscard]] __device__ float lossOf(float logit, float target)
{
    return relu(logit) - logit * target + std::log1p(std::exp(-std::fabs(logit)));
}

/// What a thread has found in its cells of a row.
struct RowFindings
{
    double loss = 0.0;
    std::int64_t positiveLogits = 0;
    std::int64_t positiveTargets = 0;
    std::int64_t notNumbers = 0;
};

/// The target of a row's only logit, in all threads.
__device__ float sumTarget(const float* mask, std::int64_t cells)
{
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < cells; i += kForwardThreads) {
        sum += static_cast<double>(mask[i]);
    }
    const auto all = static_cast<float>(blockSum(sum));
    return all > 1.0F ? 1.0F : all;
}

/// One block a row.
template<class T>
__global__ void __launch_bounds__(kForwardThreads, 1) sigmoidCrossEntropyForwardKernel(
    SigmoidLossShape shape, SigmoidLossArrays arrays, ObjectiveResult* results)
{
    waitForKernelBefore();
    const std::int64_t row = blockIdx.x;
    const T* const logits = reinterpret_cast<const T*>(arrays.logits) + row * shape.cells;
    const float* const mask = arrays.masks + row * shape.maskCells;
    float* const diffs = arrays.diffs + row * shape.cells;
    const float target = shape.isSum ? sumTarget(mask, shape.maskCells) : 0.0F;
    RowFindings found;
    for (std::int64_t i = threadIdx.x; i < shape.cells; i += kForwardThreads) {
        const float logit = toFloat(logits[i]);
        const float wanted = shape.isSum ? target : mask[i];
        const float loss = lossOf(logit, wanted);
        diffs[i] = (1.0F / (1.0F + std::exp(-logit)) - wanted) / static_cast<float>(shape.cells);
        found.loss += static_cast<double>(loss);
        found.positiveLogits += logit > 0.0F ? 1 : 0;
        found.positiveTargets += wanted >= kPositiveTarget ? 1 : 0;
        found.notNumbers += std::isnan(loss) ? 1 : 0;
    }
    const double loss = blockSum(found.loss) / static_cast<double>(shape.cells);
    const bool saysYes = blockSum(found.positiveLogits) > 0;
    const bool isYes = blockSum(found.positiveTargets) > 0;
    const bool isNumber = blockSum(found.notNumbers) == 0;
    if (threadIdx.x == 0) {
        results[row] = {loss, isNumber && saysYes == isYes ? 1 : 0};
        if (results == arrays.result) {
            noteTime(arrays.ends);
        }
    }
}

/// One block.
__global__ void __launch_bounds__(kBlockThreads)
    sumRowsKernel(std::int64_t rows, SigmoidLossArrays arrays)
{
    waitForKernelBefore();
    addResults<kBlockThreads>(rows, arrays.rowResults, arrays.result, arrays.ends);
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads) sigmoidCrossEntropyBackwardKernel(
    std::int64_t count, const float* diffs, float scale, T* diffLogits)
{
    waitForKernelBefore();
    const std::int64_t i = globalThread();
    if (i < count) {
        diffLogits[i] = fromFloat<T>(diffs[i] * scale);
    }
}

} // namespace

void sigmoidCrossEntropyForward(
    cudaStream_t stream, const SigmoidLossShape& shape, const SigmoidLossArrays& arrays)
{
    // The result of an only row is that of all.
    ObjectiveResult* const results = shape.rows == 1 ? arrays.result : arrays.rowResults;
    withType(shape.type, [&](auto zero) {
        launch(
            sigmoidCrossEntropyForwardKernel<decltype(zero)>,
            {dim3(static_cast<unsigned>(shape.rows)), dim3(kForwardThreads)}, stream, shape, arrays,
            results);
    });
    if (results != arrays.result) {
        launch(sumRowsKernel, {dim3(1), dim3(kBlockThreads)}, stream, shape.rows, arrays);
    }
}

void sigmoidCrossEntropyBackward(
    cudaStream_t stream, const SigmoidLossShape& shape, const float* diffs, float scale,
    std::byte* diffLogits)
{
    const std::int64_t count = shape.rows * shape.cells;
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            sigmoidCrossEntropyBackwardKernel<T>, shapeFor(count), stream, count, diffs, scale,
            reinterpret_cast<T*>(diffLogits));
    });
}

} // namespace lockstep::cuda
