// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/joined_parts.h"

#include <cstdint>

// How kernels that pass over a gradient make the gradient of a bias besides.
namespace lockstep::cuda {

/// Where the sums of channels go.
struct BiasSums
{
    float* parts = nullptr; ///< by part, then channel; null: nobody wants the sums
    float* joined = nullptr;
    std::uint32_t* counters = nullptr; ///< null: the parts are not joined here
};

/// Of a kernel that makes them in so many parts; joinBiasParts() must follow it.
[[nodiscard]] inline BiasSums biasSums(const GradientEnd& end, unsigned parts)
{
    const bool hasParts = end.diffBias != nullptr && parts > 1;
    return {hasParts ? end.scratch : end.diffBias, end.diffBias, hasParts ? end.counters : nullptr};
}

struct Sum
{
    float value;

    __device__ void add(const Sum& other) { value += other.value; }
};

template<unsigned kThreads, unsigned kColumns>
__device__ void joinSums(
    const float* parts, std::int64_t partCount, std::int64_t channels, float* joined)
{
    const std::int64_t channel = joinedChannel<kColumns>();
    const bool isInside = channel < channels;
    const Sum sum =
        joinParts<kThreads, kColumns, Sum>(isInside ? partCount : 0, [&](std::int64_t part) {
            return Sum{parts[part * channels + channel]};
        });
    if (threadIdx.x < kColumns && isInside) {
        joined[channel] = sum.value;
    }
}

/// Adds what the threads of channel tiles have summed. All threads must call it.
template<int kValues>
__device__ void addTileSums(
    const BiasSums& to, const TileThread& thread, std::int64_t channels, float (&sums)[kValues])
{
    if (to.parts == nullptr) {
        return;
    }
    const float sum = tileSum<kValues>(sums);
    const std::int64_t channel = thread.firstChannel + threadIdx.x;
    if (threadIdx.x < kTileWidth<kValues> && channel < channels) {
        to.parts[blockIdx.y * channels + channel] = sum;
    }
    if (isLastOfTile(to.counters)) {
        joinSums<kBlockThreads, kTileWidth<kValues>>(to.parts, gridDim.y, channels, to.joined);
    }
}

} // namespace lockstep::cuda
