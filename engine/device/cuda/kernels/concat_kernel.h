// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// The same piece of every position of two tensors. Sizes are in bytes, multiples of 2, as are the
/// addresses.
struct PieceCopy
{
    std::int64_t positions = 0;
    std::size_t bytes = 0;     ///< of a piece
    std::size_t srcStride = 0; ///< from position to position
    std::size_t dstStride = 0;
};

/// Enqueues the copy of a piece of each position; src and dst are the first pieces. Errors as
/// checkCuda.
void copyPieces(cudaStream_t stream, const PieceCopy& copy, const std::byte* src, std::byte* dst);

} // namespace lockstep::cuda
