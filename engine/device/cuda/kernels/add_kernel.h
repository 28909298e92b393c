// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Tensors that are added, position by position; 16-byte aligned.
struct AddShape
{
    DataType type = DataType::Float32;
    std::int64_t positions = 0;
    std::int64_t channels = 0;
    std::int64_t rightChannels = 0; ///< of the right addend; 0 stands for those that it lacks
    bool hasRelu = false;           ///< a NaN stays one
};

// Both enqueue and return; errors as checkCuda.

/// sum = relu(left + right); right may be null, and left may be where the sum goes.
void addForward(
    cudaStream_t stream, const AddShape& shape, const std::byte* left, const std::byte* right,
    std::byte* sum);

struct AddDiff
{
    const std::byte* sum = nullptr; ///< as forward left it, for the ReLU
    const std::byte* diffSum = nullptr;
    std::byte* diffLeft = nullptr;  ///< null: not wanted
    std::byte* diffRight = nullptr; ///< likewise
};
void addBackward(cudaStream_t stream, const AddShape& shape, const AddDiff& arrays);

} // namespace lockstep::cuda
