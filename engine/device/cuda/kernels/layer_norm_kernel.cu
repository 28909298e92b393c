// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/layer_norm_kernel.h"

#include "device/cuda/arrays/bias_sums.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

/// Calls body(position) for the positions of the calling warp: each takes one after another.
template<class Body>
__device__ void forEachWarpPosition(std::int64_t positions, Body body)
{
    const std::int64_t warps = globalThreads() / kWarpLanes;
    for (std::int64_t position = globalThread() / kWarpLanes; position < positions;
         position += warps) {
        body(position);
    }
}

/// Sum over the channels of value(channel), the same in all lanes of the warp.
template<class Value>
[[nodiscard]] __device__ float channelSum(std::int64_t channels, Value value)
{
    float sum = 0.0F;
    for (std::int64_t c = lane(); c < channels; c += kWarpLanes) {
        sum += value(c);
    }
    return warpSum(sum);
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads) layerNormForwardKernel(
    LayerNormShape shape, const T* src, const float* gamma, const float* beta, T* dst,
    PositionMoments* moments)
{
    waitForKernelBefore();
    const auto channels = static_cast<float>(shape.channels);
    forEachWarpPosition(shape.positions, [&](std::int64_t position) {
        const T* const from = src + position * shape.channels;
        const float mean =
            channelSum(shape.channels, [&](std::int64_t c) { return toFloat(from[c]); }) / channels;
        const float variance = channelSum(
                                   shape.channels,
                                   [&](std::int64_t c) {
                                       const float distance = toFloat(from[c]) - mean;
                                       return distance * distance;
                                   })
                               / channels;
        const float scale = 1.0F / std::sqrt(variance + shape.epsilon);
        for (std::int64_t c = lane(); c < shape.channels; c += kWarpLanes) {
            const float hat = (toFloat(from[c]) - mean) * scale;
            dst[position * shape.channels + c] = fromFloat<T>(std::fma(hat, gamma[c], beta[c]));
        }
        if (lane() == 0) {
            moments[position] = {mean, scale};
        }
    });
}

/// With g = gamma * diffDst: diffSrc = scale * (g - mean(g) - hat * mean(g * hat)).
template<class T>
__global__ void __launch_bounds__(kBlockThreads) layerNormBackwardKernel(
    LayerNormShape shape, LayerNormDiff arrays, const T* src, const T* diffDst, T* diffSrc)
{
    waitForKernelBefore();
    const auto channels = static_cast<float>(shape.channels);
    forEachWarpPosition(shape.positions, [&](std::int64_t position) {
        const std::int64_t first = position * shape.channels;
        const PositionMoments moments = arrays.moments[position];
        const auto hat = [&](std::int64_t c) {
            return (toFloat(src[first + c]) - moments.mean) * moments.scale;
        };
        const auto diff = [&](std::int64_t c) {
            return arrays.gamma[c] * toFloat(diffDst[first + c]);
        };
        const float mean = channelSum(shape.channels, diff) / channels;
        const float slope =
            channelSum(shape.channels, [&](std::int64_t c) { return diff(c) * hat(c); }) / channels;
        for (std::int64_t c = lane(); c < shape.channels; c += kWarpLanes) {
            diffSrc[first + c] = fromFloat<T>(moments.scale * (diff(c) - mean - hat(c) * slope));
        }
    });
}

template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) layerNormParameterDiffsKernel(
    LayerNormShape shape, LayerNormDiff arrays, BiasSums ofGamma, BiasSums ofBeta)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    const T* const src = reinterpret_cast<const T*>(arrays.src);
    const T* const diffDst = reinterpret_cast<const T*>(arrays.diffDst);
    float gammas[kValues] = {};
    float betas[kValues] = {};
    for (std::int64_t position = thread.position;
         thread.channel < shape.channels && position < shape.positions; position += thread.step) {
        const std::int64_t place = position * shape.channels + thread.channel;
        const PositionMoments moments = arrays.moments[position];
        float values[kValues];
        float diffs[kValues];
        loadFloats(src + place, values);
        loadFloats(diffDst + place, diffs);
        for (int k = 0; k < kValues; ++k) {
            gammas[k] = std::fma(diffs[k], (values[k] - moments.mean) * moments.scale, gammas[k]);
            betas[k] += diffs[k];
        }
    }
    addTileSums(ofGamma, thread, shape.channels, gammas);
    addTileSums(ofBeta, thread, shape.channels, betas);
}

LaunchShape warpShape(const LayerNormShape& shape)
{
    return shapeFor(shape.positions * std::int64_t{kWarpLanes}, kFullGrid);
}

} // namespace

void layerNormForward(
    cudaStream_t stream, const LayerNormShape& shape, const std::byte* src, const float* gamma,
    const float* beta, std::byte* dst, PositionMoments* moments)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            layerNormForwardKernel<T>, warpShape(shape), stream, shape,
            reinterpret_cast<const T*>(src), gamma, beta, reinterpret_cast<T*>(dst), moments);
    });
}

void layerNormBackward(
    cudaStream_t stream, const LayerNormShape& shape, const LayerNormDiff& arrays,
    std::byte* diffSrc)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            layerNormBackwardKernel<T>, warpShape(shape), stream, shape, arrays,
            reinterpret_cast<const T*>(arrays.src), reinterpret_cast<const T*>(arrays.diffDst),
            reinterpret_cast<T*>(diffSrc));
    });
}

std::size_t layerNormScratchBytes(const LayerNormShape& shape)
{
    return 2 * biasBackwardScratchBytes({nullptr, shape.type, shape.positions, shape.channels});
}

void layerNormParameterDiffs(
    cudaStream_t stream, const LayerNormShape& shape, const LayerNormDiff& arrays, float* scratch,
    float* diffGamma, float* diffBeta)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const unsigned parts = tileParts<values.value>(shape.positions);
        const GradientEnd gamma{false, diffGamma, scratch, nullptr};
        const GradientEnd beta{false, diffBeta, scratch + parts * shape.channels, nullptr};
        launch(
            layerNormParameterDiffsKernel<T, values.value>,
            tileShape<values.value>(shape.positions, shape.channels), stream, shape, arrays,
            biasSums(gamma, parts), biasSums(beta, parts));
        joinBiasParts(stream, gamma, parts, shape.channels);
        joinBiasParts(stream, beta, parts, shape.channels);
    });
}

} // namespace lockstep::cuda
