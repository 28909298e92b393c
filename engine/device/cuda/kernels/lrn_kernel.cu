// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/lrn_kernel.h"

#include "device/cuda/arrays/vector_access.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

/// The settings as the kernels take them.
struct LrnFactors
{
    int radius;
    float bias;
    float alpha;
    float beta;
    bool isThreeQuarters; ///< beta is 0.75
};

/// s^-beta.
__device__ float powerOf(const LrnFactors& factors, float s)
{
    if (factors.isThreeQuarters) {
        const float r = rsqrtf(s);
        return r * std::sqrt(r);
    }
    return std::pow(s, -factors.beta);
}

// The fast way: a thread has `kValues` neighbouring channels, neighbouring threads of a warp those
// beside them, and what a window needs of others comes by shuffles. A warp takes as many positions
// as there is room for.

/// Where a thread of the fast way stands.
struct Place
{
    std::int64_t position;
    int channel;  ///< the first one
    bool isFirst; ///< of the threads of a position
    bool isLast;
    bool isActive; ///< it has a position
};

template<int kValues>
__device__ Place placeOf(const LrnShape& shape)
{
    const int threads = shape.channels / kValues;                 // of a position
    const int positions = static_cast<int>(kWarpLanes) / threads; // of a warp
    const int inWarp = static_cast<int>(lane()) / threads;
    const int part = static_cast<int>(lane()) - inWarp * threads;
    const std::int64_t position = globalThread() / kWarpLanes * positions + inWarp;
    return {
        position, part * kValues, part == 0, part == threads - 1,
        inWarp < positions && position < shape.positions};
}

/// Sums of `values` over the window around each of the thread's own; beyond the first and the last
/// channel lie zeros. Always in the order of the channels. All lanes must call it.
template<int kValues>
__device__ void windowSums(
    const Place& place, int radius, const float (&values)[kValues], float (&sums)[kValues])
{
    float around[3 * kValues];
    for (int k = 0; k < kValues; ++k) {
        around[kValues + k] = values[k];
        around[k] = around[2 * kValues + k] = 0.0F;
        // Of the thread before, the last `radius` values are wanted, of the one after the first.
        if (kValues - k <= radius) {
            const float before = shuffleUp(values[k], 1);
            around[k] = place.isFirst ? 0.0F : before;
        }
        if (k < radius) {
            const float after = shuffleDown(values[k], 1);
            around[2 * kValues + k] = place.isLast ? 0.0F : after;
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

/// s of the thread's channels.
template<int kValues>
__device__ void scalesOf(
    const LrnFactors& factors, const Place& place, const float (&x)[kValues], float (&s)[kValues])
{
    float squares[kValues];
    for (int k = 0; k < kValues; ++k) {
        squares[k] = x[k] * x[k];
    }
    windowSums(place, factors.radius, squares, s);
    for (int k = 0; k < kValues; ++k) {
        s[k] = std::fma(factors.alpha, s[k], factors.bias);
    }
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnForwardKernel(LrnFactors factors, LrnShape shape, const T* src, T* dst)
{
    constexpr int kValues = kVectorValues<T>;
    const Place place = placeOf<kValues>(shape);
    const std::int64_t index = place.position * shape.channels + place.channel;
    float x[kValues] = {};
    float s[kValues];
    if (place.isActive) {
        loadFloats(src + index, x);
    }
    scalesOf(factors, place, x, s);
    if (place.isActive) {
        for (int k = 0; k < kValues; ++k) {
            x[k] *= powerOf(factors, s[k]);
        }
        storeFloats(dst + index, x);
    }
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnBackwardKernel(LrnFactors factors, LrnShape shape, LrnGradients<T> tensors)
{
    constexpr int kValues = kVectorValues<T>;
    const Place place = placeOf<kValues>(shape);
    const std::int64_t index = place.position * shape.channels + place.channel;
    float x[kValues] = {};
    float diff[kValues] = {};
    if (place.isActive) {
        loadFloats(tensors.src + index, x);
        loadFloats(tensors.diffDst + index, diff);
    }
    float s[kValues];
    float terms[kValues];
    float sums[kValues];
    scalesOf(factors, place, x, s);
    for (int k = 0; k < kValues; ++k) {
        diff[k] *= powerOf(factors, s[k]);
        terms[k] = diff[k] * x[k] / s[k];
    }
    windowSums(place, factors.radius, terms, sums);
    if (place.isActive) {
        const float common = -2.0F * factors.alpha * factors.beta;
        for (int k = 0; k < kValues; ++k) {
            diff[k] = std::fma(common * x[k], sums[k], diff[k]);
        }
        storeFloats(tensors.diffSrc + index, diff);
    }
}

// The way for all other shapes: a thread for each value, which looks at all neighbours itself.

/// The channels of one position.
template<class T>
struct Row
{
    const T* values;
    int channels;

    [[nodiscard]] __device__ float at(int channel) const { return toFloat(values[channel]); }
    [[nodiscard]] __device__ int first(int channel, int radius) const
    {
        return channel > radius ? channel - radius : 0;
    }
    [[nodiscard]] __device__ int last(int channel, int radius) const
    {
        return radius < channels - 1 - channel ? channel + radius : channels - 1;
    }
};

template<class T>
__device__ float scaleAt(const LrnFactors& factors, const Row<T>& row, int channel)
{
    float sum = 0.0F;
    for (int j = row.first(channel, factors.radius); j <= row.last(channel, factors.radius); ++j) {
        sum += row.at(j) * row.at(j);
    }
    return std::fma(factors.alpha, sum, factors.bias);
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnAnyForwardKernel(LrnFactors factors, LrnShape shape, const T* src, T* dst)
{
    const std::int64_t index = globalThread();
    if (index >= shape.positions * shape.channels) {
        return;
    }
    const std::int64_t position = index / shape.channels;
    const auto channel = static_cast<int>(index - position * shape.channels);
    const Row<T> row{src + position * shape.channels, shape.channels};
    dst[index] = fromFloat<T>(row.at(channel) * powerOf(factors, scaleAt(factors, row, channel)));
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnAnyBackwardKernel(LrnFactors factors, LrnShape shape, LrnGradients<T> tensors)
{
    const std::int64_t index = globalThread();
    if (index >= shape.positions * shape.channels) {
        return;
    }
    const std::int64_t position = index / shape.channels;
    const auto channel = static_cast<int>(index - position * shape.channels);
    const Row<T> row{tensors.src + position * shape.channels, shape.channels};
    const Row<T> diff{tensors.diffDst + position * shape.channels, shape.channels};
    float sum = 0.0F;
    float own = 0.0F;
    for (int j = row.first(channel, factors.radius); j <= row.last(channel, factors.radius); ++j) {
        const float s = scaleAt(factors, row, j);
        const float scaled = diff.at(j) * powerOf(factors, s);
        own = j == channel ? scaled : own;
        sum += scaled * row.at(j) / s;
    }
    const float common = -2.0F * factors.alpha * factors.beta;
    tensors.diffSrc[index] = fromFloat<T>(std::fma(common * row.at(channel), sum, own));
}

LrnFactors factorsOf(const Lrn& lrn, const LrnShape& shape)
{
    // A window of more channels than there are is as wide as all of them.
    const auto radius = lrn.depthRadius < shape.channels ? lrn.depthRadius : shape.channels;
    return {
        static_cast<int>(radius), static_cast<float>(lrn.bias), static_cast<float>(lrn.alpha),
        static_cast<float>(lrn.beta), lrn.beta == 0.75};
}

template<class T>
bool isFast(const LrnFactors& factors, const LrnShape& shape)
{
    constexpr int kValues = kVectorValues<T>;
    return shape.channels % kValues == 0 && shape.channels <= kValues * static_cast<int>(kWarpLanes)
           && factors.radius <= kValues;
}

/// Whole warps for all positions.
template<class T>
LaunchShape fastShape(const LrnShape& shape)
{
    const std::int64_t positions = kWarpLanes / (shape.channels / kVectorValues<T>);
    return shapeFor(divideUp<std::int64_t>(shape.positions, positions) * kWarpLanes);
}

LaunchShape anyShape(const LrnShape& shape)
{
    return shapeFor(shape.positions * shape.channels);
}

} // namespace

void lrnForward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape, const std::byte* src,
    std::byte* dst)
{
    const LrnFactors factors = factorsOf(lrn, shape);
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        const bool fast = isFast<T>(factors, shape);
        launch(
            fast ? lrnForwardKernel<T> : lrnAnyForwardKernel<T>,
            fast ? fastShape<T>(shape) : anyShape(shape), stream, factors, shape,
            reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void lrnBackward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape,
    const LrnGradients<std::byte>& tensors)
{
    const LrnFactors factors = factorsOf(lrn, shape);
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        const bool fast = isFast<T>(factors, shape);
        const LrnGradients<T> typed{
            reinterpret_cast<const T*>(tensors.src), reinterpret_cast<const T*>(tensors.diffDst),
            reinterpret_cast<T*>(tensors.diffSrc)};
        launch(
            fast ? lrnBackwardKernel<T> : lrnAnyBackwardKernel<T>,
            fast ? fastShape<T>(shape) : anyShape(shape), stream, factors, shape, typed);
    });
}

} // namespace lockstep::cuda
