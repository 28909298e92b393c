// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/scale_kernel.h"

#include "device/cuda/arrays/channel_tiles.h"
#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

// Channels are shared out in tiles; blocks in z take an image each.

[[nodiscard]] __device__ float factorAt(
    const ScaleShape& shape, const std::byte* factors, std::int64_t i)
{
    return shape.factorType == DataType::Float32
               ? reinterpret_cast<const float*>(factors)[i]
               : toFloat(reinterpret_cast<const Bfloat16*>(factors)[i]);
}

template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    scaleChannelsKernel(ScaleShape shape, const T* src, const std::byte* factors, T* dst)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    if (thread.channel >= shape.channels) {
        return;
    }
    const std::int64_t image = blockIdx.z;
    const std::int64_t first = image * shape.positions * shape.channels + thread.channel;
    float scale[kValues];
    for (int k = 0; k < kValues; ++k) {
        scale[k] = factorAt(shape, factors, image * shape.channels + thread.channel + k);
    }
    for (std::int64_t position = thread.position; position < shape.positions;
         position += thread.step) {
        const std::int64_t place = first + position * shape.channels;
        float values[kValues];
        loadFloats(src + place, values);
        for (int k = 0; k < kValues; ++k) {
            values[k] *= scale[k];
        }
        storeFloats(dst + place, values);
    }
}

template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    scaleFactorDiffsKernel(ScaleShape shape, const T* src, const T* diffDst, std::byte* diffFactors)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    const std::int64_t image = blockIdx.z;
    const std::int64_t first = image * shape.positions * shape.channels + thread.channel;
    float sums[kValues] = {};
    for (std::int64_t position = thread.position;
         thread.channel < shape.channels && position < shape.positions; position += thread.step) {
        float values[kValues];
        float diffs[kValues];
        loadFloats(src + first + position * shape.channels, values);
        loadFloats(diffDst + first + position * shape.channels, diffs);
        for (int k = 0; k < kValues; ++k) {
            sums[k] = std::fma(values[k], diffs[k], sums[k]);
        }
    }
    const float sum = tileSum<kValues>(sums);
    const std::int64_t channel = thread.firstChannel + threadIdx.x;
    if (threadIdx.x < kTileWidth<kValues> && channel < shape.channels) {
        const std::int64_t place = image * shape.channels + channel;
        if (shape.factorType == DataType::Float32) {
            reinterpret_cast<float*>(diffFactors)[place] = sum;
        } else {
            reinterpret_cast<Bfloat16*>(diffFactors)[place] = fromFloat<Bfloat16>(sum);
        }
    }
}

} // namespace

void scaleChannels(
    cudaStream_t stream, const ScaleShape& shape, const std::byte* src, const std::byte* factors,
    std::byte* dst)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        launch(
            scaleChannelsKernel<T, values.value>,
            tileShape<values.value>(shape.positions, shape.channels, shape.examples), stream, shape,
            reinterpret_cast<const T*>(src), factors, reinterpret_cast<T*>(dst));
    });
}

void scaleFactorDiffs(
    cudaStream_t stream, const ScaleShape& shape, const std::byte* src, const std::byte* diffDst,
    std::byte* diffFactors)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        LaunchShape tiles =
            tileShape<values.value>(shape.positions, shape.channels, shape.examples);
        tiles.grid.y = 1; // a block has all positions, so that it has the whole sum
        launch(
            scaleFactorDiffsKernel<T, values.value>, tiles, stream, shape,
            reinterpret_cast<const T*>(src), reinterpret_cast<const T*>(diffDst), diffFactors);
    });
}

} // namespace lockstep::cuda
