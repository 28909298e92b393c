// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lockstep::cuda {

/// Logits of a batch, row after row.
struct LogitsShape
{
    int rows = 0;
    int classes = 0;
    float labelSmoothing = 0.0F;         ///< the share of the target that all classes have alike
    const float* classWeights = nullptr; ///< by which each class's target is multiplied; null: 1
    float classWeightSum = 0.0F;
    const MixedLabel* mixed = nullptr; ///< by row; null: rows are not mixed
};

// Both enqueue and return; errors as checkCuda.

struct SoftmaxCrossEntropyArrays
{
    const float* logits = nullptr;
    const std::int32_t* labels = nullptr;
    float* probabilities = nullptr; ///< takes softmax(logits)
    ObjectiveResult* result = nullptr;
    std::int64_t* ends = nullptr; ///< takes the device's clock at the end; null: not wanted
};

/// The loss of a row in float32, their sum in double, always in the same order. A row with a NaN,
/// or with a label that is no class, has a loss that is NaN and counts as wrong.
void softmaxCrossEntropyForward(
    cudaStream_t stream, const LogitsShape& shape, const SoftmaxCrossEntropyArrays& arrays);

struct SoftmaxCrossEntropyDiff
{
    const float* probabilities = nullptr;
    const std::int32_t* labels = nullptr;
    float* diffLogits = nullptr;
    float scale = 1.0F; ///< d(loss)/d(loss of a row)
};

/// diff = (probability * sum of the targets - target) * scale.
void softmaxCrossEntropyBackward(
    cudaStream_t stream, const LogitsShape& shape, const SoftmaxCrossEntropyDiff& arrays);

} // namespace lockstep::cuda
