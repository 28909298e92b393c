// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Images whose channels are not padded.
struct GlobalPoolShape
{
    DataType type = DataType::Float32;
    std::int64_t examples = 0;  ///< below 65536
    std::int64_t positions = 0; ///< of an image, below 2^31
    std::int64_t channels = 0;
};

// All enqueue and return; errors as checkCuda. dst has one float32 for each
// channel of each image.

/// The mean; sums in float32 in an order that depends on the sizes only.
void globalAverageForward(
    cudaStream_t stream, const GlobalPoolShape& shape, const std::byte* src, float* dst);
void globalAverageBackward(
    cudaStream_t stream, const GlobalPoolShape& shape, const float* diffDst, std::byte* diffSrc);

/// The largest value: the first one where several are, or the first NaN. `places` takes its
/// position, for the way back; null: not wanted.
void globalMaxForward(
    cudaStream_t stream, const GlobalPoolShape& shape, const std::byte* src, float* dst,
    std::int32_t* places);
void globalMaxBackward(
    cudaStream_t stream, const GlobalPoolShape& shape, const float* diffDst,
    const std::int32_t* places, std::byte* diffSrc);

} // namespace lockstep::cuda
