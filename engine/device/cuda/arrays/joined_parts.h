// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/channel_tiles.h"
#include "device/cuda/arrays/join_counters.h"

#include <cstdint>

// How sums that several blocks make in parts are joined: by the block that comes last, or by a
// kernel of its own; in the same order, so that the bits are the same.
namespace lockstep::cuda {

/// True in all threads of the block that comes here last of `blocks`: it sees what the others wrote
/// before. The counter is zero at first, and again afterwards. All threads must call it.
[[nodiscard]] __device__ inline bool isLastBlock(std::uint32_t* counter, unsigned blocks)
{
    __shared__ bool isLast;
    __syncthreads(); // what the block wrote is written
    if (threadIdx.x == 0) {
        __threadfence();
        isLast = atomicInc(counter, blocks - 1) == blocks - 1;
        __threadfence();
    }
    __syncthreads();
    return isLast;
}

/// Of the blocks of a tile's channels; false without counters. All threads must call it.
[[nodiscard]] __device__ inline bool isLastOfTile(std::uint32_t* counters)
{
    return counters != nullptr && isLastBlock(counters + blockIdx.x, gridDim.y * gridDim.z);
}

/// Channel of a thread whose block joins kColumns channels; may be beyond the last one.
template<unsigned kColumns>
[[nodiscard]] __device__ inline std::int64_t joinedChannel()
{
    return static_cast<std::int64_t>(blockIdx.x) * kColumns + threadIdx.x % kColumns;
}

/// In thread i < kColumns of a block of kThreads: what the parts of its channel add up to, each as
/// ofPart(its number): every 32nd part first, then these sums in order. All threads must call it,
/// those without a channel with no parts.
template<unsigned kThreads, unsigned kColumns, class Sums, class OfPart>
[[nodiscard]] __device__ Sums joinParts(std::int64_t parts, OfPart ofPart)
{
    constexpr unsigned kRows = kThreads / kColumns;
    static_assert(kWarpLanes % kRows == 0);
    __shared__ Sums threads[kThreads];
    const unsigned row = threadIdx.x / kColumns;
    Sums total{};
    for (unsigned first = 0; first < kWarpLanes; first += kRows) {
        Sums sums{};
        for (std::int64_t part = first + row; part < parts; part += kWarpLanes) {
            sums.add(ofPart(part));
        }
        __syncthreads(); // a round before may still be read
        threads[threadIdx.x] = sums;
        __syncthreads();
        for (unsigned i = 0; row == 0 && i < kRows; ++i) {
            total.add(threads[i * kColumns + threadIdx.x]);
        }
    }
    return total;
}

/// Blocks of kMostThreads that join kWarpLanes channels each.
[[nodiscard]] inline LaunchShape joinShape(std::int64_t channels)
{
    const auto blocks = divideUp<std::int64_t>(channels, kWarpLanes);
    return {dim3(static_cast<unsigned>(blocks)), dim3(kMostThreads)};
}

} // namespace lockstep::cuda
