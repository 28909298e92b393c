// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/vector_access.h"
#include "network/layer_spec.h"

#include <cmath>
#include <cstdint>

// The fast way of a local response normalisation: a thread has `kValues` neighbouring channels,
// neighbouring threads of a warp those beside them, and what a window needs of others comes by
// shuffles. A warp takes as many positions as there is room for.
namespace lockstep::cuda {

/// The settings as the kernels take them.
struct AnyLrn
{
    float bias;
    float alpha;
    float beta;
    int radius;

    /// s^-beta.
    [[nodiscard]] __device__ float power(float s) const
    {
        return beta == 0.75F ? threeQuarters(s) : std::pow(s, -beta);
    }
    [[nodiscard]] __device__ static float threeQuarters(float s)
    {
        const float r = rsqrtf(s);
        return r * std::sqrt(r);
    }
};

/// The usual ones, which the compiler knows: half the instructions, in the same order.
struct UsualLrn
{
    float bias;
    float alpha;
    static constexpr float beta = 0.75F;
    static constexpr int radius = 4;

    [[nodiscard]] __device__ static float power(float s) { return AnyLrn::threeQuarters(s); }
};

[[nodiscard]] inline AnyLrn anyLrn(const Lrn& lrn, int channels)
{
    // A window of more channels than there are is as wide as all of them.
    const auto radius = lrn.depthRadius < channels ? lrn.depthRadius : channels;
    return {
        static_cast<float>(lrn.bias), static_cast<float>(lrn.alpha), static_cast<float>(lrn.beta),
        static_cast<int>(radius)};
}

/// Calls body(the settings).
template<class Body>
void withLrn(const Lrn& lrn, int channels, Body body)
{
    const AnyLrn any = anyLrn(lrn, channels);
    if (any.radius == UsualLrn::radius && any.beta == UsualLrn::beta) {
        body(UsualLrn{any.bias, any.alpha});
    } else {
        body(any);
    }
}

template<class T>
[[nodiscard]] bool isFast(const Lrn& lrn, int channels)
{
    constexpr int kValues = kVectorValues<T>;
    return channels % kValues == 0 && channels <= kValues * static_cast<int>(kWarpLanes)
           && anyLrn(lrn, channels).radius <= kValues;
}

/// Where a lane stands among those of its warp.
struct ChannelLane
{
    int positions; ///< of a warp
    int position;  ///< of them; that of an idle lane is beyond the last one
    int channel;   ///< the first one
    bool isFirst;  ///< of the lanes of a position
    bool isLast;

    [[nodiscard]] __device__ bool isUsed() const { return position < positions; }
};

template<int kValues>
[[nodiscard]] __device__ ChannelLane channelLane(int channels)
{
    const int lanes = channels / kValues; // of a position
    const int position = static_cast<int>(lane()) / lanes;
    const int part = static_cast<int>(lane()) - position * lanes;
    return {
        static_cast<int>(kWarpLanes) / lanes, position, part * kValues, part == 0,
        part == lanes - 1};
}

/// Calls body(lane, position, is there one) in all lanes; warps take positions in turns.
template<int kValues, class Body>
__device__ void forEachLrnPosition(std::int64_t positions, int channels, Body body)
{
    const ChannelLane at = channelLane<kValues>(channels);
    for (std::int64_t first = globalThread() / kWarpLanes * at.positions; first < positions;
         first += globalThreads() / kWarpLanes * at.positions) {
        const std::int64_t position = first + at.position;
        body(at, position, at.isUsed() && position < positions);
    }
}

/// Sums of `values` over the window around each of the lane's own; beyond the first and the last
/// channel lie zeros. Always in the order of the channels. All lanes must call it.
template<int kValues>
__device__ void windowSums(
    const ChannelLane& at, int radius, const float (&values)[kValues], float (&sums)[kValues])
{
    float around[3 * kValues];
    for (int k = 0; k < kValues; ++k) {
        around[kValues + k] = values[k];
        around[k] = around[2 * kValues + k] = 0.0F;
        // Of the lane before, the last `radius` values are wanted, of the one after the first.
        if (kValues - k <= radius) {
            const float before = shuffleUp(values[k], 1);
            around[k] = at.isFirst ? 0.0F : before;
        }
        if (k < radius) {
            const float after = shuffleDown(values[k], 1);
            around[2 * kValues + k] = at.isLast ? 0.0F : after;
        }
    }
    for (int k = 0; k < kValues; ++k) {
        sums[k] = 0.0F;
        for (int j = k; j <= k + 2 * kValues; ++j) {
            const int distance = j < kValues + k ? kValues + k - j : j - kValues - k;
            sums[k] += distance <= radius ? around[j] : 0.0F;
        }
    }
}

/// s of the lane's channels.
template<int kValues, class Factors>
__device__ void scalesOf(
    const Factors& factors, const ChannelLane& at, const float (&x)[kValues], float (&s)[kValues])
{
    float squares[kValues];
    for (int k = 0; k < kValues; ++k) {
        squares[k] = x[k] * x[k];
    }
    windowSums(at, factors.radius, squares, s);
    for (int k = 0; k < kValues; ++k) {
        s[k] = std::fma(factors.alpha, s[k], factors.bias);
    }
}

/// Puts the normalised values in the place of the values. All lanes must call it.
template<int kValues, class Factors>
__device__ void normalize(const Factors& factors, const ChannelLane& at, float (&x)[kValues])
{
    float s[kValues];
    scalesOf(factors, at, x, s);
    for (int k = 0; k < kValues; ++k) {
        x[k] *= factors.power(s[k]);
    }
}

/// Puts the gradient of the values `x` in the place of that of the normalised ones. All lanes must
/// call it.
template<int kValues, class Factors>
__device__ void normalizeBack(
    const Factors& factors, const ChannelLane& at, const float (&x)[kValues],
    float (&diff)[kValues])
{
    float s[kValues];
    float terms[kValues];
    float sums[kValues];
    scalesOf(factors, at, x, s);
    for (int k = 0; k < kValues; ++k) {
        diff[k] *= factors.power(s[k]);
        terms[k] = diff[k] * x[k] / s[k];
    }
    windowSums(at, factors.radius, terms, sums);
    const float common = -2.0F * factors.alpha * factors.beta;
    for (int k = 0; k < kValues; ++k) {
        diff[k] = std::fma(common * x[k], sums[k], diff[k]);
    }
}

/// The end of a gradient's way through a ReLU whose values are x, and its share of a sum.
template<int kValues>
__device__ void endDiff(
    bool hasRelu, const float (&x)[kValues], float (&diff)[kValues], float (&sums)[kValues])
{
    for (int k = 0; k < kValues; ++k) {
        diff[k] = hasRelu ? throughRelu(x[k], diff[k]) : diff[k];
        sums[k] += diff[k];
    }
}

/// Warps for all positions.
template<class T>
[[nodiscard]] std::int64_t lrnWarps(std::int64_t positions, int channels)
{
    const std::int64_t ofWarp = kWarpLanes / (channels / kVectorValues<T>);
    return divideUp<std::int64_t>(positions, ofWarp);
}

} // namespace lockstep::cuda
