// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/pooling/pool_shape.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Bytes of the places: one for each value of dst.
[[nodiscard]] std::size_t maxPoolPlaceBytes(const PoolShape& shape);

// Both enqueue and return; errors as checkCuda. Tensors begin at multiples of 16 bytes. The largest
// window is 15 x 15: the place of its largest value is kept in one byte. `dstStride`: values from a
// position of dst, and of its gradient, to the next, a multiple of 16 bytes or the channels.

/// Where the largest values were, for the way back.
struct PoolPlaces
{
    std::uint8_t* values = nullptr; ///< null: not wanted
    /// The way back gives 0 where the largest value is not greater than 0; a NaN passes.
    bool maskGradient = false;
};

/// dst = the largest value of each window; the first one in row order where several are, or the
/// first NaN.
void maxPoolForward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* src,
    std::byte* dst, const PoolPlaces& places);

/// diffSrc = for each value of src, the sum in float32 of diffDst of the windows whose largest
/// value it was, window after window. The sums for a bias are those of these sums, not rounded;
/// whether the gradient is masked, the places say. `end.scratch`: biasBackwardScratchBytes() of
/// src.
void maxPoolBackward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* diffDst,
    const std::uint8_t* places, std::byte* diffSrc, const GradientEnd& end);

} // namespace lockstep::cuda
