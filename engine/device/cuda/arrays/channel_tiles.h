// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/join_counters.h"
#include "device/cuda/arrays/vector_access.h"

// How kernels that work channel by channel share out values of positions x channels, without gaps.
// A block has kTileRows rows of threads; each row takes a position at a time, its kTileColumns
// threads take neighbouring vectors of channels: 64 bytes with vectors of 16 bytes. Blocks in x
// share out the channels, blocks in y the positions, blocks in z the groups of positions.
namespace lockstep::cuda {

template<int kValues>
constexpr unsigned kTileColumns = kValues == 1 ? 16 : 4;
template<int kValues>
constexpr unsigned kTileRows = kBlockThreads / kTileColumns<kValues>;
/// Channels of a block.
template<int kValues>
constexpr unsigned kTileWidth = kTileColumns<kValues>* static_cast<unsigned>(kValues);
static_assert(
    kTileWidth<1> >= kLeastTileWidth && kTileWidth<4> >= kLeastTileWidth
    && kTileWidth<8> >= kLeastTileWidth);
/// Positions that a thread has in flight at once.
constexpr int kTileUnroll = 4;

/// What a thread takes.
struct TileThread
{
    std::int64_t firstChannel; ///< of the block
    std::int64_t channel;      ///< first one of its vector; may be beyond the last channel
    std::int64_t position;     ///< first one
    std::int64_t step;         ///< to the next position
};

template<int kValues>
[[nodiscard]] __device__ inline TileThread tileThread()
{
    const std::int64_t firstChannel = static_cast<std::int64_t>(blockIdx.x) * kTileWidth<kValues>;
    const unsigned column = threadIdx.x % kTileColumns<kValues>;
    return {
        firstChannel, firstChannel + static_cast<std::int64_t>(column) * kValues,
        static_cast<std::int64_t>(blockIdx.y)
                * kTileRows<kValues> + threadIdx.x / kTileColumns<kValues>,
        static_cast<std::int64_t>(gridDim.y) * kTileRows<kValues>};
}

/// Calls use(position, load(position)) for the thread's positions below `positions`, in order;
/// kTileUnroll of them are loaded before the first is used.
template<class Load, class Use>
__device__ void forEachPosition(
    const TileThread& thread, std::int64_t positions, Load load, Use use)
{
    std::int64_t position = thread.position;
    for (; position < positions; position += thread.step * kTileUnroll) {
        decltype(load(position)) values[kTileUnroll];
        for (int i = 0; i < kTileUnroll; ++i) {
            if (position + i * thread.step < positions) {
                values[i] = load(position + i * thread.step);
            }
        }
        for (int i = 0; i < kTileUnroll; ++i) {
            if (position + i * thread.step < positions) {
                use(position + i * thread.step, values[i]);
            }
        }
    }
}

/// Adds the values of the block's rows of threads, in a fixed order: thread i < kTileWidth gets the
/// sum of channel firstChannel + i. All threads must call it.
template<int kValues>
[[nodiscard]] __device__ float tileSum(float (&values)[kValues])
{
    constexpr unsigned kWarps = kBlockThreads / kWarpLanes;
    __shared__ float warps[kWarps][kTileWidth<kValues>];
    __syncthreads(); // a call before may still be read
    const unsigned column = threadIdx.x % kTileColumns<kValues>;
    for (int k = 0; k < kValues; ++k) {
        for (unsigned mask = kTileColumns<kValues>; mask < kWarpLanes; mask *= 2) {
            values[k] += shuffleXor(values[k], mask);
        }
        if (lane() < kTileColumns<kValues>) {
            warps[threadIdx.x / kWarpLanes][column * kValues + static_cast<unsigned>(k)] =
                values[k];
        }
    }
    __syncthreads();
    float sum = 0.0F;
    if (threadIdx.x < kTileWidth<kValues>) {
        sum = warps[0][threadIdx.x];
        for (unsigned i = 1; i < kWarps; ++i) {
            sum += warps[i][threadIdx.x];
        }
    }
    return sum;
}

/// Blocks that share out the positions of each of `groups` groups; few positions are one block's.
template<int kValues>
[[nodiscard]] unsigned tileParts(std::int64_t positions, std::int64_t groups = 1)
{
    constexpr std::int64_t kFewRounds = 4 * kTileUnroll;
    constexpr std::int64_t kMostParts = 512;
    const std::int64_t rounds = divideUp<std::int64_t>(positions, kTileRows<kValues>);
    if (rounds <= kFewRounds) {
        return 1;
    }
    const std::int64_t parts = divideUp<std::int64_t>(rounds, kTileUnroll);
    const std::int64_t most = divideUp<std::int64_t>(kMostParts, groups);
    return static_cast<unsigned>(parts < most ? parts : most);
}

template<int kValues>
[[nodiscard]] LaunchShape tileShape(
    std::int64_t positions, std::int64_t channels, std::int64_t groups = 1)
{
    const auto columns = divideUp<std::int64_t>(channels, kTileWidth<kValues>);
    return {
        dim3(
            static_cast<unsigned>(columns), tileParts<kValues>(positions, groups),
            static_cast<unsigned>(groups)),
        dim3(kBlockThreads)};
}

/// Positions of part `part` of `parts` of a group.
template<int kValues>
[[nodiscard]] __device__ inline std::int64_t positionsOfPart(
    std::int64_t positions, std::int64_t part, std::int64_t parts)
{
    constexpr std::int64_t kRows = kTileRows<kValues>;
    const std::int64_t left = positions % (parts * kRows) - part * kRows;
    return positions / (parts * kRows) * kRows + (left < 0 ? 0 : left < kRows ? left : kRows);
}

} // namespace lockstep::cuda
