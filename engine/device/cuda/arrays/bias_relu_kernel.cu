// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/bias_relu_kernel.h"

#include "device/cuda/arrays/channel_tiles.h"

namespace lockstep::cuda {
namespace {

/// A NaN is not less than anything, so that it stays.
[[nodiscard]] __device__ inline float relu(float value)
{
    return value <= 0.0F ? 0.0F : value;
}

/// A thread takes one vector after another.
template<class T, int kValues>
__global__ void addBiasKernel(
    T* values, std::int64_t vectors, std::int64_t channels, const float* bias, bool hasRelu)
{
    for (std::int64_t i = globalThread(); i < vectors; i += globalThreads()) {
        float value[kValues];
        loadFloats(values + i * kValues, value);
        const std::int64_t channel = i * kValues % channels;
        for (int k = 0; k < kValues; ++k) {
            const float sum = bias == nullptr ? value[k] : value[k] + bias[channel + k];
            value[k] = hasRelu ? relu(sum) : sum;
        }
        storeFloats(values + i * kValues, value);
    }
}

template<class T>
struct BackwardArrays
{
    T* diffDst;
    const T* dst;
    Bfloat16* rounded;
    float* sums; ///< gridDim.y x channels
    std::int64_t positions;
    std::int64_t channels;
};

/// What is loaded of a position.
template<class T, int kValues>
struct DiffAndDst
{
    Vector<T, kValues> diff;
    Vector<T, kValues> dst;
};

/// Masks and stores one vector and adds it to the thread's sums.
template<class T, int kValues>
__device__ void backwardVector(
    const BackwardArrays<T>& arrays, std::int64_t place, const DiffAndDst<T, kValues>& loaded,
    float (&sums)[kValues])
{
    float values[kValues];
    for (int k = 0; k < kValues; ++k) {
        values[k] = toFloat(loaded.diff.values[k]);
        if (arrays.dst != nullptr) {
            values[k] = toFloat(loaded.dst.values[k]) <= 0.0F ? 0.0F : values[k];
        }
        sums[k] += values[k];
    }
    if (arrays.dst != nullptr) {
        storeFloats(arrays.diffDst + place, values);
    }
    if (arrays.rounded != nullptr) {
        storeFloats(arrays.rounded + place, values);
    }
}

template<class T, int kValues>
__global__ void biasBackwardKernel(BackwardArrays<T> arrays)
{
    const TileThread thread = tileThread<kValues>();
    float sums[kValues] = {};
    if (thread.channel < arrays.channels) {
        const auto load = [&](std::int64_t position) {
            const std::int64_t place = position * arrays.channels + thread.channel;
            return DiffAndDst<T, kValues>{
                loadVector<kValues>(arrays.diffDst + place),
                loadVector<kValues>(
                    arrays.dst == nullptr ? arrays.diffDst + place : arrays.dst + place)};
        };
        forEachPosition(
            thread, arrays.positions, load, [&](std::int64_t position, const auto& loaded) {
                const std::int64_t place = position * arrays.channels + thread.channel;
                backwardVector<T, kValues>(arrays, place, loaded, sums);
            });
    }
    if (arrays.sums != nullptr) {
        const float sum = tileSum<kValues>(sums);
        const std::int64_t channel = thread.firstChannel + threadIdx.x;
        if (threadIdx.x < kTileWidth<kValues> && channel < arrays.channels) {
            arrays.sums[blockIdx.y * arrays.channels + channel] = sum;
        }
    }
}

/// Each warp of the block adds every 32nd part of 32 channels; then the warps are added in order.
__global__ void __launch_bounds__(kMostThreads)
    sumPartsKernel(const float* parts, float* sums, std::int64_t partCount, std::int64_t channels)
{
    __shared__ float warps[kWarpLanes][kWarpLanes];
    const unsigned warp = threadIdx.x / kWarpLanes;
    const std::int64_t channel = static_cast<std::int64_t>(blockIdx.x) * kWarpLanes + lane();
    float sum = 0.0F;
    if (channel < channels) {
        for (std::int64_t part = warp; part < partCount; part += kWarpLanes) {
            sum += parts[part * channels + channel];
        }
    }
    warps[warp][lane()] = sum;
    __syncthreads();
    if (warp == 0 && channel < channels) {
        for (unsigned i = 1; i < kWarpLanes; ++i) {
            sum += warps[i][lane()];
        }
        sums[channel] = sum;
    }
}

template<class T, int kValues>
void backwardOf(cudaStream_t stream, const BiasBackwardTask& task)
{
    const ChannelValues& diff = task.diffDst;
    const unsigned parts = tileParts<kValues>(diff.positions);
    float* sums = task.diffBias == nullptr || parts == 1 ? task.diffBias : task.scratch;
    const BackwardArrays<T> arrays{
        static_cast<T*>(diff.data),
        static_cast<const T*>(task.dst),
        task.rounded,
        sums,
        diff.positions,
        diff.channels};
    launch(
        biasBackwardKernel<T, kValues>, tileShape<kValues>(diff.positions, diff.channels), stream,
        arrays);
    if (sums != task.diffBias) {
        launch(
            sumPartsKernel, joinShape(diff.channels), stream, task.scratch, task.diffBias,
            std::int64_t{parts}, diff.channels);
    }
}

} // namespace

void addBias(cudaStream_t stream, const ChannelValues& values, const float* bias, bool hasRelu)
{
    withVectors(values, [&](auto zero, auto width) {
        using T = decltype(zero);
        const std::int64_t vectors = values.positions * values.channels / width.value;
        launch(
            addBiasKernel<T, width.value>, shapeFor(vectors, kDoubleGrid), stream,
            static_cast<T*>(values.data), vectors, values.channels, bias, hasRelu);
    });
}

std::size_t biasBackwardScratchBytes(const ChannelValues& diffDst)
{
    unsigned parts = 0;
    withVectors(
        diffDst, [&](auto, auto width) { parts = tileParts<width.value>(diffDst.positions); });
    return parts == 1 ? 0 : parts * static_cast<std::size_t>(diffDst.channels) * sizeof(float);
}

void biasBackward(cudaStream_t stream, const BiasBackwardTask& task)
{
    if (task.dst == nullptr && task.rounded == nullptr && task.diffBias == nullptr) {
        return;
    }
    withVectors(task.diffDst, [&](auto zero, auto width) {
        backwardOf<decltype(zero), width.value>(stream, task);
    });
}

} // namespace lockstep::cuda
