// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Logits of a batch, row after row, and what they are held against.
struct SigmoidLossShape
{
    DataType type = DataType::Float32; ///< of the logits and their gradient
    std::int64_t rows = 0;
    std::int64_t cells = 0; ///< logits of a row
    std::int64_t maskCells = 0;
    /// The target of the only logit is min(1, sum of the row's mask); else the target of a cell is
    /// that cell of the mask.
    bool isSum = false;
};

// Both enqueue and return; errors as checkCuda.

struct SigmoidLossArrays
{
    const std::byte* logits = nullptr;
    const float* masks = nullptr;
    float* diffs = nullptr; ///< takes (sigmoid(logit) - target) / cells
    ObjectiveResult* result = nullptr;
    ObjectiveResult* rowResults = nullptr; ///< to work in: one for each row
    std::int64_t* ends = nullptr; ///< takes the device's clock at the end; null: not wanted
};

/// The loss of a cell in float32, max(x, 0) - x * t + log(1 + exp(-|x|)); sums in double, always in
/// the same order. What is correct: see ObjectiveResult. A NaN makes the loss one and its row
/// wrong.
void sigmoidCrossEntropyForward(
    cudaStream_t stream, const SigmoidLossShape& shape, const SigmoidLossArrays& arrays);

/// diffLogits = diffs * scale, where scale = d(loss)/d(loss of a row).
void sigmoidCrossEntropyBackward(
    cudaStream_t stream, const SigmoidLossShape& shape, const float* diffs, float scale,
    std::byte* diffLogits);

} // namespace lockstep::cuda
