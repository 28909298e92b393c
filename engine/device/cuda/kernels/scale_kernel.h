// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Images without gaps, 16-byte aligned, and a factor for each channel of each image.
struct ScaleShape
{
    DataType type = DataType::Float32;
    DataType factorType = DataType::Float32;
    std::int64_t examples = 0;  ///< below 65536
    std::int64_t positions = 0; ///< of an image
    std::int64_t channels = 0;
};

// Both enqueue and return; errors as checkCuda.

/// dst = src * factor: forward, and the way back of the gradient.
void scaleChannels(
    cudaStream_t stream, const ScaleShape& shape, const std::byte* src, const std::byte* factors,
    std::byte* dst);

/// diffFactors = sum over the positions of src * diffDst, in float32 in an order that depends on
/// the sizes only.
void scaleFactorDiffs(
    cudaStream_t stream, const ScaleShape& shape, const std::byte* src, const std::byte* diffDst,
    std::byte* diffFactors);

} // namespace lockstep::cuda
