// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/pooling/pool_shape.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace lockstep::cuda {

// Both enqueue and return; errors as checkCuda. Tensors begin at multiples of 16 bytes. Sums are
// float32, cell after cell.

/// dst = the mean of the cells of each window that are in the image.
void averagePoolForward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* src, std::byte* dst);

/// diffSrc = for each value of src, the sum of its shares in diffDst of the windows over it.
void averagePoolBackward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* diffDst, std::byte* diffSrc);

} // namespace lockstep::cuda
