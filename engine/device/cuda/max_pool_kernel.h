// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/cuda_layout.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// A pooling of NHWC tensors whose channels are not padded. The largest window is 15 x 15: the
/// place of its largest value is kept in one byte. Fewer than 2^31 values in each tensor.
struct PoolShape
{
    DataType type = DataType::Float32;
    int examples = 0;
    int channels = 0;
    int srcHeight = 0;
    int srcWidth = 0;
    int dstHeight = 0;
    int dstWidth = 0;
    int windowHeight = 1;
    int windowWidth = 1;
    int strideHeight = 1;
    int strideWidth = 1;
    int top = 0; ///< cells of padding before the first row; see paddingCells()
    int left = 0;
};

/// Bytes of the places: one for each value of dst.
[[nodiscard]] std::size_t maxPoolPlaceBytes(const PoolShape& shape);

// Both enqueue and return; errors as checkCuda. Tensors begin at multiples of 16 bytes.

/// dst = the largest value of each window; the first one in row order where several are, or the
/// first NaN. `places` takes where it was, for the way back; null: not wanted.
void maxPoolForward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* src, std::byte* dst,
    std::uint8_t* places);

/// diffSrc = for each value of src, the sum in float32 of diffDst of the windows whose largest
/// value it was, window after window.
void maxPoolBackward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* diffDst,
    const std::uint8_t* places, std::byte* diffSrc);

} // namespace lockstep::cuda
