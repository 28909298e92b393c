// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bias_sums.h"
#include "device/cuda/pooling/lrn_values.h"

#include <cstddef>

// Sums over positions of kernels of kBlockThreads whose lanes share out channels as ChannelLane
// says.
namespace lockstep::cuda {

/// Parts, at most: what the block that comes last reads in a moment.
constexpr std::int64_t kMostPositionParts = 512;

[[nodiscard]] constexpr std::size_t positionScratchBytes(std::int64_t channels)
{
    return static_cast<std::size_t>(kMostPositionParts * channels) * sizeof(float);
}

/// Blocks for `items`: one for each; where sums are wanted no more than there may be parts, with as
/// many items for all, as far as it goes.
[[nodiscard]] inline unsigned positionBlocks(const GradientEnd& end, std::int64_t items)
{
    const std::int64_t rounds = end.diffBias == nullptr ? 1 : divideUp(items, kMostPositionParts);
    return static_cast<unsigned>(items > 0 ? divideUp(items, rounds) : 1);
}

// One round of the join.
constexpr int kJoinGroups = kWarpLanes;
constexpr int kJoinColumns = 16;
constexpr int kJoinWidth = 4;
using JoinVector = Vector<float, kJoinWidth>;

/// Joins the parts of all channels, which are a multiple of 4, in the order of joinParts(): every
/// 32nd part first.
__device__ inline void joinPositionSums(
    const BiasSums& bias, int parts, int channels, JoinVector (&sums)[kJoinGroups][kJoinColumns])
{
    constexpr int kUnroll = 8;
    for (int first = 0; first < channels; first += kJoinColumns * kJoinWidth) {
        const int left = (channels - first) / kJoinWidth;
        const int columns = left < kJoinColumns ? left : kJoinColumns;
        __syncthreads(); // a round before may still be read
        for (int task = static_cast<int>(threadIdx.x); task < kJoinGroups * columns;
             task += static_cast<int>(kBlockThreads)) {
            const int group = task / columns;
            const int column = task - group * columns;
            const float* const values = bias.parts + first + column * kJoinWidth;
            JoinVector sum{};
            for (int part = group; part < parts; part += kUnroll * kJoinGroups) {
                JoinVector loaded[kUnroll];
                for (int i = 0; i < kUnroll; ++i) {
                    const int at = part + i * kJoinGroups;
                    loaded[i] = at < parts
                                    ? loadVector<kJoinWidth>(values + std::int64_t{at} * channels)
                                    : JoinVector{};
                }
                for (int i = 0; i < kUnroll; ++i) {
                    for (int k = 0; k < kJoinWidth; ++k) {
                        sum.values[k] += loaded[i].values[k];
                    }
                }
            }
            sums[group][column] = sum;
        }
        __syncthreads();
        const int channel = static_cast<int>(threadIdx.x);
        if (channel < columns * kJoinWidth) {
            float sum = 0.0F;
            for (int group = 0; group < kJoinGroups; ++group) {
                sum += sums[group][channel / kJoinWidth].values[channel % kJoinWidth];
            }
            bias.joined[first + channel] = sum;
        }
    }
}

/// Adds what the lanes have summed for their channels. All threads must call it.
template<int kValues>
__device__ void addPositionSums(
    const BiasSums& bias, const ChannelLane& at, int channels, const float (&sums)[kValues])
{
    if (bias.parts == nullptr) {
        return;
    }
    constexpr unsigned kWarps = kBlockThreads / kWarpLanes;
    __shared__ JoinVector shared[kJoinGroups][kJoinColumns];
    static_assert(sizeof(shared) >= kBlockThreads * kValues * sizeof(float));
    float* const all = shared[0][0].values; // by warp and position, then channel
    const int row = static_cast<int>(threadIdx.x / kWarpLanes) * at.positions + at.position;
    for (int k = 0; k < kValues && at.isUsed(); ++k) {
        all[row * channels + at.channel + k] = sums[k];
    }
    __syncthreads();
    for (int channel = static_cast<int>(threadIdx.x); channel < channels;
         channel += static_cast<int>(kBlockThreads)) {
        float sum = 0.0F;
        for (int i = 0; i < static_cast<int>(kWarps) * at.positions; ++i) {
            sum += all[i * channels + channel];
        }
        bias.parts[std::int64_t{blockIdx.x} * channels + channel] = sum;
    }
    if (bias.counters != nullptr && isLastBlock(bias.counters, gridDim.x)) {
        joinPositionSums(bias, static_cast<int>(gridDim.x), channels, shared);
    }
}

} // namespace lockstep::cuda
