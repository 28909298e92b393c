// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/lrn_kernel.h"

#include "device/cuda/pooling/position_sums.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads)
    lrnForwardKernel(Factors factors, LrnShape shape, const T* src, T* dst)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    forEachLrnPosition<kValues>(
        shape.positions, shape.channels,
        [&](const ChannelLane& at, std::int64_t position, bool isActive) {
            const std::int64_t index = position * shape.channels + at.channel;
            float x[kValues] = {};
            if (isActive) {
                loadFloats(src + index, x);
            }
            normalize(factors, at, x);
            if (isActive) {
                storeFloats(dst + index, x);
            }
        });
}

template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads) lrnBackwardKernel(
    Factors factors, LrnShape shape, LrnGradients<T> tensors, bool hasRelu, BiasSums bias)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    float sums[kValues] = {};
    forEachLrnPosition<kValues>(
        shape.positions, shape.channels,
        [&](const ChannelLane& at, std::int64_t position, bool isActive) {
            const std::int64_t index = position * shape.channels + at.channel;
            float x[kValues] = {};
            float diff[kValues] = {};
            if (isActive) {
                loadFloats(tensors.src + index, x);
                loadFloats(tensors.diffDst + index, diff);
            }
            normalizeBack(factors, at, x, diff);
            if (isActive) {
                endDiff(hasRelu, x, diff, sums);
                storeFloats(tensors.diffSrc + index, diff);
            }
        });
    addPositionSums(bias, channelLane<kValues>(shape.channels), shape.channels, sums);
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
__device__ float scaleAt(const AnyLrn& factors, const Row<T>& row, int channel)
{
    float sum = 0.0F;
    for (int j = row.first(channel, factors.radius); j <= row.last(channel, factors.radius); ++j) {
        sum += row.at(j) * row.at(j);
    }
    return std::fma(factors.alpha, sum, factors.bias);
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnAnyForwardKernel(AnyLrn factors, LrnShape shape, const T* src, T* dst)
{
    waitForKernelBefore();
    const std::int64_t index = globalThread();
    if (index >= shape.positions * shape.channels) {
        return;
    }
    const std::int64_t position = index / shape.channels;
    const auto channel = static_cast<int>(index - position * shape.channels);
    const Row<T> row{src + position * shape.channels, shape.channels};
    dst[index] = fromFloat<T>(row.at(channel) * factors.power(scaleAt(factors, row, channel)));
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    lrnAnyBackwardKernel(AnyLrn factors, LrnShape shape, LrnGradients<T> tensors)
{
    waitForKernelBefore();
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
        const float scaled = diff.at(j) * factors.power(s);
        own = j == channel ? scaled : own;
        sum += scaled * row.at(j) / s;
    }
    const float common = -2.0F * factors.alpha * factors.beta;
    tensors.diffSrc[index] = fromFloat<T>(std::fma(common * row.at(channel), sum, own));
}

/// Whole warps for all positions.
template<class T>
LaunchShape fastShape(const LrnShape& shape)
{
    return shapeFor(lrnWarps<T>(shape.positions, shape.channels) * kWarpLanes);
}

LaunchShape anyShape(const LrnShape& shape)
{
    return shapeFor(shape.positions * shape.channels);
}

} // namespace

std::size_t lrnScratchBytes(const LrnShape& shape)
{
    const std::size_t any =
        biasBackwardScratchBytes({nullptr, shape.type, shape.positions, shape.channels});
    const std::size_t fast = positionScratchBytes(shape.channels);
    return any > fast ? any : fast;
}

void lrnForward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape, const std::byte* src,
    std::byte* dst)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        const auto* const from = reinterpret_cast<const T*>(src);
        auto* const to = reinterpret_cast<T*>(dst);
        if (!isFast<T>(lrn, shape.channels)) {
            launch(
                lrnAnyForwardKernel<T>, anyShape(shape), stream, anyLrn(lrn, shape.channels), shape,
                from, to);
            return;
        }
        withLrn(lrn, shape.channels, [&](auto factors) {
            launch(
                lrnForwardKernel<T, decltype(factors)>, fastShape<T>(shape), stream, factors, shape,
                from, to);
        });
    });
}

void lrnBackward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape,
    const LrnGradients<std::byte>& tensors, const GradientEnd& end)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        const LrnGradients<T> typed{
            reinterpret_cast<const T*>(tensors.src), reinterpret_cast<const T*>(tensors.diffDst),
            reinterpret_cast<T*>(tensors.diffSrc)};
        if (!isFast<T>(lrn, shape.channels)) {
            launch(
                lrnAnyBackwardKernel<T>, anyShape(shape), stream, anyLrn(lrn, shape.channels),
                shape, typed);
            biasBackward(
                stream, {{tensors.diffSrc, shape.type, shape.positions, shape.channels},
                         end.hasRelu ? tensors.src : nullptr,
                         nullptr,
                         end.diffBias,
                         end.scratch,
                         end.counters});
            return;
        }
        LaunchShape grid = fastShape<T>(shape);
        grid.grid.x = positionBlocks(end, grid.grid.x);
        withLrn(lrn, shape.channels, [&](auto factors) {
            launch(
                lrnBackwardKernel<T, decltype(factors)>, grid, stream, factors, shape, typed,
                end.hasRelu, biasSums(end, grid.grid.x));
        });
        joinBiasParts(stream, end, grid.grid.x, shape.channels);
    });
}

} // namespace lockstep::cuda
