// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/bias_relu_kernel.h"

#include "device/cuda/arrays/bias_sums.h"

namespace lockstep::cuda {
namespace {

/// A thread takes one vector after another.
template<class T, int kValues>
__global__ void addBiasKernel(
    T* values, std::int64_t vectors, std::int64_t channels, const float* bias, bool hasRelu)
{
    waitForKernelBefore();
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
    BiasSums bias;
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
            values[k] = throughRelu(toFloat(loaded.dst.values[k]), values[k]);
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
__global__ void __launch_bounds__(kBlockThreads) biasBackwardKernel(BackwardArrays<T> arrays)
{
    waitForKernelBefore();
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
    addTileSums(arrays.bias, thread, arrays.channels, sums);
}

__global__ void __launch_bounds__(kMostThreads)
    joinSumsKernel(const float* parts, std::int64_t partCount, std::int64_t channels, float* joined)
{
    waitForKernelBefore();
    joinSums<kMostThreads, kWarpLanes>(parts, partCount, channels, joined);
}

template<class T, int kValues>
void backwardOf(cudaStream_t stream, const BiasBackwardTask& task)
{
    const ChannelValues& diff = task.diffDst;
    const unsigned parts = tileParts<kValues>(diff.positions);
    const GradientEnd end{false, task.diffBias, task.scratch, task.counters};
    const BackwardArrays<T> arrays{
        static_cast<T*>(diff.data),
        static_cast<const T*>(task.dst),
        task.rounded,
        biasSums(end, parts),
        diff.positions,
        diff.channels};
    launch(
        biasBackwardKernel<T, kValues>, tileShape<kValues>(diff.positions, diff.channels), stream,
        arrays);
    joinBiasParts(stream, end, parts, diff.channels);
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

void joinBiasParts(
    cudaStream_t stream, const GradientEnd& end, unsigned parts, std::int64_t channels)
{
    if (end.diffBias != nullptr && parts > 1 && end.counters == nullptr) {
        launch(
            joinSumsKernel, joinShape(channels), stream, end.scratch, std::int64_t{parts}, channels,
            end.diffBias);
    }
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
