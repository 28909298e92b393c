// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/kernels/pool_shape.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Bytes of the places: one for each value of dst.
[[nodiscard]] std::size_t maxPoolPlaceBytes(const PoolShape& shape);

// Both enqueue and return; errors as checkCuda. Tensors begin at multiples of 16 bytes. The largest
// window is 15 x 15: the place of its largest value is kept in one byte. `dstStride`: values from a
// position of dst, and of its gradient, to the next, a multiple of 16 bytes or the channels.

/// dst = the largest value of each window; the first one in row order where several are, or the
/// first NaN. `places` takes where it was, for the way back; null: not wanted.
void maxPoolForward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* src,
    std::byte* dst, std::uint8_t* places);

/// diffSrc = for each value of src, the sum in float32 of diffDst of the windows whose largest
/// value it was, window after window.
void maxPoolBackward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* diffDst,
    const std::uint8_t* places, std::byte* diffSrc);

} // namespace lockstep::cuda
