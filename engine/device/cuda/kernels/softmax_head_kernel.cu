// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/softmax_head_kernel.h"

#include "device/cuda/arrays/joined_parts.h"
#include "device/cuda/arrays/vector_access.h"
#include "device/cuda/kernels/result_sum.h"
#include "device/cuda/kernels/softmax_row.h"

#include <type_traits>

namespace lockstep::cuda {
namespace {

constexpr int kVector = 4;
/// Rows of a block of the forward kernel: a warp takes one.
constexpr unsigned kForwardWarps = 4;
constexpr unsigned kForwardThreads = kForwardWarps * kWarpLanes;

/// Columns of src that a block of the backward kernel takes; its threads share out the rows.
constexpr int kColumns = 8;
constexpr int kSlots = static_cast<int>(kBlockThreads) / kColumns;
constexpr int kWarps = static_cast<int>(kBlockThreads / kWarpLanes);

/// A value as it is multiplied.
template<class Operand, class Src>
[[nodiscard]] __device__ float operandOf(Src value)
{
    return toFloat(fromFloat<Operand>(toFloat(value)));
}

/// The lane's share of all products of a row.
template<class Src, class Operand, int kClasses>
__device__ void addProducts(
    const Src* src, const Operand* weights, const SoftmaxHeadShape& shape, float (&sums)[kClasses])
{
    for (int i = static_cast<int>(lane()) * kVector; i < shape.depth;
         i += static_cast<int>(kWarpLanes) * kVector) {
        float values[kVector];
        loadFloats(src + i, values);
        for (float& value : values) {
            value = operandOf<Operand>(value);
        }
        for (int c = 0; c < kClasses; ++c) {
            if (c < shape.logits.classes) {
                float factors[kVector];
                loadFloats(weights + c * shape.depth + i, factors);
                for (int k = 0; k < kVector; ++k) {
                    sums[c] = std::fma(values[k], factors[k], sums[c]);
                }
            }
        }
    }
}

template<class Src, class Operand, int kClasses>
__global__ void __launch_bounds__(kForwardThreads)
    softmaxHeadForwardKernel(SoftmaxHeadShape shape, SoftmaxHeadForward arrays)
{
    waitForKernelBefore();
    __shared__ float logits[kForwardWarps][kClasses];
    const unsigned warp = threadIdx.x / kWarpLanes;
    const auto row = static_cast<int>(blockIdx.x * kForwardWarps + warp);
    const int classes = shape.logits.classes;
    if (row < shape.logits.rows) {
        float sums[kClasses] = {};
        addProducts(
            static_cast<const Src*>(arrays.src) + std::int64_t{row} * shape.depth,
            static_cast<const Operand*>(arrays.weights), shape, sums);
        float logit = 0.0F; // of class lane()
        for (int c = 0; c < kClasses; ++c) {
            const float sum = warpSum(sums[c]);
            logit = static_cast<int>(lane()) == c ? sum : logit;
        }
        if (static_cast<int>(lane()) < classes) {
            logit += arrays.bias[lane()];
            logits[warp][lane()] = logit;
            if (arrays.logits != nullptr) {
                arrays.logits[std::int64_t{row} * classes + lane()] = logit;
            }
        }
        __syncwarp();
        const ObjectiveResult result = forwardRow<static_cast<int>(kWarpLanes)>(
            shape.logits, row, logits[warp], arrays.labels[row],
            arrays.probabilities + std::int64_t{row} * classes);
        if (lane() == 0) {
            arrays.rowResults[row] = result;
        }
    }
    if (isLastBlock(arrays.counter, gridDim.x)) {
        addResults<kForwardThreads>(
            shape.logits.rows, arrays.rowResults, arrays.result, arrays.ends);
    }
}

/// What a thread of the backward kernel has summed over its rows.
template<int kClasses>
struct ColumnSums
{
    float products[kClasses] = {}; ///< of the diffs of each class with src
    float diffs = 0.0F;            ///< of diffSrc
};

/// Joins what the threads of a column have summed, in a fixed order, and writes it.
template<int kClasses>
__device__ void joinSlots(
    const SoftmaxHeadShape& shape, const SoftmaxHeadBackward& arrays, ColumnSums<kClasses>& sums)
{
    constexpr int kSums = kClasses + 1;
    __shared__ float warps[kWarps][kSums][kColumns];
    const auto thread = static_cast<int>(threadIdx.x);
    for (int c = 0; c < kSums; ++c) {
        float sum = c < kClasses ? sums.products[c] : sums.diffs;
        for (unsigned mask = kColumns; mask < kWarpLanes; mask *= 2) {
            sum += shuffleXor(sum, mask);
        }
        if (lane() < kColumns) {
            warps[threadIdx.x / kWarpLanes][c][lane()] = sum;
        }
    }
    __syncthreads();
    for (int i = thread; i < kSums * kColumns; i += static_cast<int>(kBlockThreads)) {
        const int c = i / kColumns;
        const int column = static_cast<int>(blockIdx.x) * kColumns + i % kColumns;
        float sum = warps[0][c][i % kColumns];
        for (int warp = 1; warp < kWarps; ++warp) {
            sum += warps[warp][c][i % kColumns];
        }
        if (column < shape.depth && c < shape.logits.classes && arrays.diffWeights != nullptr) {
            arrays.diffWeights[c * shape.depth + column] = sum;
        }
        if (column < shape.depth && c == kClasses && arrays.diffSrcSums != nullptr) {
            arrays.diffSrcSums[column] = sum;
        }
    }
}

/// Gradients of the bias, from what each thread has summed of class threadIdx.x % kClasses.
template<int kClasses>
__device__ void joinBias(int classes, float sum, float* diffBias)
{
    __shared__ float warps[kWarps][kClasses];
    for (unsigned mask = kClasses; mask < kWarpLanes; mask *= 2) {
        sum += shuffleXor(sum, mask);
    }
    if (lane() < kClasses) {
        warps[threadIdx.x / kWarpLanes][lane()] = sum;
    }
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < classes) {
        sum = warps[0][threadIdx.x];
        for (int warp = 1; warp < kWarps; ++warp) {
            sum += warps[warp][threadIdx.x];
        }
        diffBias[threadIdx.x] = sum;
    }
}

template<class Src, class Operand, int kClasses>
__global__ void __launch_bounds__(kBlockThreads)
    softmaxHeadBackwardKernel(SoftmaxHeadShape shape, SoftmaxHeadBackward arrays)
{
    waitForKernelBefore();
    constexpr int kRows = 2048 / kClasses; // whose diffs lie in shared memory at once
    static_assert(kRows % kSlots == 0 && kWarpLanes % kClasses == 0);
    __shared__ float diffs[kRows][kClasses];
    __shared__ float weights[kClasses][kColumns];
    const LogitsShape& logits = shape.logits;
    const auto thread = static_cast<int>(threadIdx.x);
    const int ownColumn = thread % kColumns;
    const int column = static_cast<int>(blockIdx.x) * kColumns + ownColumn;
    const bool isInside = column < shape.depth;
    const auto* const src = static_cast<const Src*>(arrays.src);
    for (int c = thread / kColumns; c < kClasses; c += kSlots) {
        weights[c][ownColumn] =
            c < logits.classes && isInside
                ? toFloat(static_cast<const Operand*>(arrays.weights)[c * shape.depth + column])
                : 0.0F;
    }
    ColumnSums<kClasses> sums;
    float biasSum = 0.0F;
    for (int first = 0; first < logits.rows; first += kRows) {
        const int rows = logits.rows - first < kRows ? logits.rows - first : kRows;
        __syncthreads(); // those of the rows before may still be read
        for (int i = thread; i < rows * kClasses; i += static_cast<int>(kBlockThreads)) {
            const int row = first + i / kClasses;
            const int c = i % kClasses;
            const float diff =
                c < logits.classes
                    ? diffOfLogit(
                          logits, row, arrays.probabilities[std::int64_t{row} * logits.classes + c],
                          c, arrays.labels[row])
                          * arrays.scale
                    : 0.0F;
            biasSum += diff;
            diffs[i / kClasses][c] = operandOf<Operand>(diff);
        }
        __syncthreads();
        for (int row = thread / kColumns; isInside && row < rows; row += kSlots) {
            const std::int64_t place = std::int64_t{first + row} * shape.depth + column;
            const float value = toFloat(src[place]);
            float diff = 0.0F;
            for (int c = 0; c < kClasses; ++c) {
                sums.products[c] =
                    std::fma(diffs[row][c], operandOf<Operand>(value), sums.products[c]);
                diff = std::fma(diffs[row][c], weights[c][ownColumn], diff);
            }
            if (arrays.diffSrc != nullptr) {
                const Src stored =
                    fromFloat<Src>(arrays.srcIsRelu ? throughRelu(value, diff) : diff);
                static_cast<Src*>(arrays.diffSrc)[place] = stored;
                sums.diffs += toFloat(stored);
            }
        }
    }
    joinSlots(shape, arrays, sums);
    if (blockIdx.x == 0 && arrays.diffBias != nullptr) {
        joinBias<kClasses>(logits.classes, biasSum, arrays.diffBias);
    }
}

/// Calls body(a Src, an Operand, a constant of at least as many classes).
template<class Body>
void withKernel(const SoftmaxHeadShape& shape, Body body)
{
    withType(shape.srcType, [&](auto src) {
        withType(shape.type, [&](auto operand) {
            // What is rounded is multiplied with what is rounded.
            if constexpr (sizeof(operand) <= sizeof(src)) {
                constexpr int kFew = 16;
                shape.logits.classes <= kFew
                    ? body(src, operand, std::integral_constant<int, kFew>{})
                    : body(src, operand, std::integral_constant<int, 2 * kFew>{});
            }
        });
    });
}

} // namespace

void softmaxHeadForward(
    cudaStream_t stream, const SoftmaxHeadShape& shape, const SoftmaxHeadForward& arrays)
{
    const auto blocks = divideUp(static_cast<unsigned>(shape.logits.rows), kForwardWarps);
    withKernel(shape, [&](auto src, auto operand, auto classes) {
        launch(
            softmaxHeadForwardKernel<decltype(src), decltype(operand), classes.value>,
            {dim3(blocks), dim3(kForwardThreads)}, stream, shape, arrays);
    });
}

void softmaxHeadBackward(
    cudaStream_t stream, const SoftmaxHeadShape& shape, const SoftmaxHeadBackward& arrays)
{
    const auto blocks = static_cast<unsigned>(divideUp(shape.depth, kColumns));
    withKernel(shape, [&](auto src, auto operand, auto classes) {
        launch(
            softmaxHeadBackwardKernel<decltype(src), decltype(operand), classes.value>,
            {dim3(blocks), dim3(kBlockThreads)}, stream, shape, arrays);
    });
}

} // namespace lockstep::cuda
