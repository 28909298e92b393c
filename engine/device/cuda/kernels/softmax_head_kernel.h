// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/kernels/softmax_cross_entropy_kernel.h"
#include "device/cuda/runtime/cuda_layout.h"

#include <cuda_runtime_api.h>

#include <cstdint>

// The last fully connected layer of a network and its loss, softmax cross-entropy, in one kernel
// each way. Operands are rounded to `type`, sums are taken in float32 in an order that depends on
// the sizes only.
namespace lockstep::cuda {

struct SoftmaxHeadShape
{
    LogitsShape logits;
    int depth = 0; ///< values that a logit is made of
    DataType srcType = DataType::Float32;
    DataType type = DataType::Float32; ///< of the weights; float32 src is rounded to it

    /// Larger ones are for the libraries.
    [[nodiscard]] bool isSmall() const
    {
        constexpr int kMostClasses = 32;
        constexpr int kMostDepth = 1024;
        constexpr int kVector = 4; // values that are loaded at once
        return logits.classes <= kMostClasses && depth <= kMostDepth && depth % kVector == 0;
    }
};

// Src and weights are 16-byte aligned. Both functions enqueue and return; errors as checkCuda.

struct SoftmaxHeadForward
{
    const void* src = nullptr;     ///< rows x depth
    const void* weights = nullptr; ///< classes x depth
    const float* bias = nullptr;
    const std::int32_t* labels = nullptr;
    float* logits = nullptr; ///< null: not wanted
    float* probabilities = nullptr;
    ObjectiveResult* rowResults = nullptr; ///< of each row
    ObjectiveResult* result = nullptr;     ///< as softmaxCrossEntropyForward
    std::uint32_t* counter = nullptr;      ///< one, zero before and after
    std::int64_t* ends = nullptr;          ///< as SoftmaxCrossEntropyArrays'
};

void softmaxHeadForward(
    cudaStream_t stream, const SoftmaxHeadShape& shape, const SoftmaxHeadForward& arrays);

struct SoftmaxHeadBackward
{
    const void* src = nullptr;
    const void* weights = nullptr;
    const float* probabilities = nullptr;
    const std::int32_t* labels = nullptr;
    float scale = 1.0F; ///< d(loss)/d(loss of a row)
    // What is made; null: not wanted.
    float* diffWeights = nullptr;
    float* diffBias = nullptr;
    void* diffSrc = nullptr; ///< of srcType
    /// Src went through a ReLU, and diffSrc goes back through it: is 0 where src is not greater
    /// than 0; a NaN stays where src is one.
    bool srcIsRelu = false;
    float* diffSrcSums = nullptr; ///< of diffSrc over the rows: the gradient of that layer's bias
};

void softmaxHeadBackward(
    cudaStream_t stream, const SoftmaxHeadShape& shape, const SoftmaxHeadBackward& arrays);

} // namespace lockstep::cuda
