// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/normalization_kernel.h"

#include "device/cuda/kernels/normalization_values.h"

namespace lockstep::cuda {
namespace {

template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) normalizeForwardKernel(
    NormalizationShape shape, NormalizationFactors factors, const T* src, T* dst)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    if (thread.channel >= shape.channels) {
        return;
    }
    const std::int64_t group = blockIdx.z;
    const std::int64_t before = group * shape.positions;
    const ChannelFactors<kValues> channels(factors, group, thread.channel);
    forEachPosition(
        thread, shape.positions,
        [&](std::int64_t position) {
            return loadVector<kValues>(src + (before + position) * shape.channels + thread.channel);
        },
        [&](std::int64_t position, const Vector<T, kValues>& loaded) {
            float values[kValues];
            for (int k = 0; k < kValues; ++k) {
                const float value = channels.normalized(k, toFloat(loaded.values[k]));
                values[k] = channels.hasRelu ? relu(value) : value;
            }
            storeFloats(dst + (before + position) * shape.dstStride + thread.channel, values);
        });
}

template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) normalizeBackwardKernel(
    NormalizationShape shape, NormalizationFactors factors, NormalizationDiff task)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    if (thread.channel >= shape.channels) {
        return;
    }
    const std::int64_t group = blockIdx.z;
    const std::int64_t first = group * shape.positions * shape.channels + thread.channel;
    const T* const src = reinterpret_cast<const T*>(task.src) + first;
    const T* const diffDst = diffsOf<T>(shape, task.diffDst, group, thread.channel);
    T* const diffSrc = reinterpret_cast<T*>(task.diffSrc) + first;
    const ChannelFactors<kValues> channels(factors, group, thread.channel);
    float offsets[kValues] = {};
    float slopes[kValues] = {};
    if (task.diffs.offset != nullptr) {
        for (int k = 0; k < kValues; ++k) {
            const std::int64_t place = group * factors.groupStride + thread.channel + k;
            offsets[k] = task.diffs.offset[place];
            slopes[k] = task.diffs.slope[place];
        }
    }
    forEachPosition(
        thread, shape.positions,
        [&](std::int64_t position) {
            return ValueAndDiff<T, kValues>{
                loadVector<kValues>(src + position * shape.channels),
                loadVector<kValues>(diffDst + position * shape.dstStride)};
        },
        [&](std::int64_t position, const ValueAndDiff<T, kValues>& loaded) {
            float values[kValues];
            for (int k = 0; k < kValues; ++k) {
                const float x = toFloat(loaded.value.values[k]);
                const float dy = channels.diff(k, x, toFloat(loaded.diff.values[k]));
                const float toMoments = std::fma(x - channels.mean[k], slopes[k], offsets[k]);
                values[k] = channels.scale[k] * (dy - toMoments);
            }
            storeFloats(diffSrc + position * shape.channels, values);
        });
}

} // namespace

void normalizeForward(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const std::byte* src, std::byte* dst)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        launch(
            normalizeForwardKernel<T, values.value>,
            tileShape<values.value>(shape.positions, shape.channels, shape.groups), stream, shape,
            factors, reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void normalizeBackward(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const NormalizationDiff& task)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        launch(
            normalizeBackwardKernel<T, values.value>,
            tileShape<values.value>(shape.positions, shape.channels, shape.groups), stream, shape,
            factors, task);
    });
}

} // namespace lockstep::cuda
