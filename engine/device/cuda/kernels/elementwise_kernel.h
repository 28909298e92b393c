// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

struct ElementwiseTask
{
    Activation activation = Activation::Relu; ///< not None
    DataType type = DataType::Float32;
    std::int64_t count = 0;
};

// Both enqueue and return; errors as checkCuda. Arrays begin at multiples of 16 bytes. A NaN stays
// one.

/// dst[i] = activation(src[i]).
void elementwiseForward(
    cudaStream_t stream, const ElementwiseTask& task, const std::byte* src, std::byte* dst);

struct ElementwiseDiff
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    std::byte* diffSrc = nullptr;
};
/// From src, not from dst: a sigmoid that was rounded to bfloat16 has lost its distance from 1.
void elementwiseBackward(
    cudaStream_t stream, const ElementwiseTask& task, const ElementwiseDiff& arrays);

} // namespace lockstep::cuda
