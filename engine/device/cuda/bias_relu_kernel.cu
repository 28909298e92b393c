// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/bias_relu_kernel.h"

#include "device/cuda/kernel.h"
#include "device/cuda/vector_access.h"

namespace lockstep::cuda {
namespace {

// A block of the backward pass has kLanes rows of threads; each row takes a position at a time, its
// kColumns threads take neighbouring vectors of channels: 64 bytes with vectors of 16 bytes.
template<int kValues>
constexpr unsigned kColumns = kValues == 1 ? 16 : 4;
template<int kValues>
constexpr unsigned kLanes = kBlockThreads / kColumns<kValues>;

/// Positions that a thread has in flight at once.
constexpr int kUnroll = 4;

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

/// Masks and stores one vector and adds it to the thread's sums.
template<class T, int kValues>
__device__ void backwardVector(
    const BackwardArrays<T>& arrays, std::int64_t place, const Vector<T, kValues>& diffs,
    const Vector<T, kValues>& dsts, float (&sums)[kValues])
{
    float values[kValues];
    for (int k = 0; k < kValues; ++k) {
        values[k] = toFloat(diffs.values[k]);
        if (arrays.dst != nullptr) {
            values[k] = toFloat(dsts.values[k]) <= 0.0F ? 0.0F : values[k];
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

/// Adds the sums of the block's threads in a fixed order and stores one sum a channel.
template<class T, int kValues>
__device__ void storeSums(
    const BackwardArrays<T>& arrays, std::int64_t firstChannel, float (&sums)[kValues])
{
    constexpr unsigned kWarps = kBlockThreads / kWarpLanes;
    constexpr unsigned kWidth = kColumns<kValues> * kValues;
    __shared__ float warps[kWarps][kWidth];
    const unsigned column = threadIdx.x % kColumns<kValues>;
    for (int k = 0; k < kValues; ++k) {
        for (unsigned mask = kColumns<kValues>; mask < kWarpLanes; mask *= 2) {
            sums[k] += shuffleXor(sums[k], mask);
        }
        if (lane() < kColumns<kValues>) {
            warps[threadIdx.x / kWarpLanes][column * kValues + static_cast<unsigned>(k)] = sums[k];
        }
    }
    __syncthreads();
    const std::int64_t channel = firstChannel + threadIdx.x;
    if (threadIdx.x < kWidth && channel < arrays.channels) {
        float sum = warps[0][threadIdx.x];
        for (unsigned i = 1; i < kWarps; ++i) {
            sum += warps[i][threadIdx.x];
        }
        arrays.sums[blockIdx.y * arrays.channels + channel] = sum;
    }
}

/// Blocks in x share out the channels, blocks in y the positions.
template<class T, int kValues>
__global__ void biasBackwardKernel(BackwardArrays<T> arrays)
{
    const std::int64_t firstChannel =
        static_cast<std::int64_t>(blockIdx.x) * kColumns<kValues> * kValues;
    const std::int64_t channel =
        firstChannel + static_cast<std::int64_t>(threadIdx.x % kColumns<kValues>) * kValues;
    const std::int64_t step = static_cast<std::int64_t>(gridDim.y) * kLanes<kValues>;
    std::int64_t position =
        static_cast<std::int64_t>(blockIdx.y) * kLanes<kValues> + threadIdx.x / kColumns<kValues>;
    float sums[kValues] = {};
    if (channel < arrays.channels) {
        for (; position < arrays.positions; position += step * kUnroll) {
            Vector<T, kValues> diffs[kUnroll];
            Vector<T, kValues> dsts[kUnroll];
            for (int i = 0; i < kUnroll; ++i) {
                const std::int64_t place = (position + i * step) * arrays.channels + channel;
                if (position + i * step < arrays.positions) {
                    diffs[i] = loadVector<kValues>(arrays.diffDst + place);
                    dsts[i] = loadVector<kValues>(
                        arrays.dst == nullptr ? arrays.diffDst + place : arrays.dst + place);
                }
            }
            for (int i = 0; i < kUnroll; ++i) {
                const std::int64_t place = (position + i * step) * arrays.channels + channel;
                if (position + i * step < arrays.positions) {
                    backwardVector<T, kValues>(arrays, place, diffs[i], dsts[i], sums);
                }
            }
        }
    }
    if (arrays.sums != nullptr) {
        storeSums<T, kValues>(arrays, firstChannel, sums);
    }
}

/// Each warp of the block adds every 32nd part of 32 channels; then the warps are added in order.
__global__ void sumPartsKernel(
    const float* parts, float* sums, std::int64_t partCount, std::int64_t channels)
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

/// How the positions are shared out: few are summed by one block, whose sums are final.
template<int kValues>
unsigned partsOf(std::int64_t positions)
{
    constexpr std::int64_t kFewRounds = 4 * kUnroll;
    constexpr std::int64_t kMostParts = 512;
    const std::int64_t rounds = divideUp<std::int64_t>(positions, kLanes<kValues>);
    if (rounds <= kFewRounds) {
        return 1;
    }
    const std::int64_t parts = divideUp<std::int64_t>(rounds, kUnroll);
    return static_cast<unsigned>(parts < kMostParts ? parts : kMostParts);
}

template<class T, int kValues>
void addBiasTo(cudaStream_t stream, const ChannelValues& values, const float* bias, bool hasRelu)
{
    constexpr unsigned kMostBlocks = 132 * 16;
    const std::int64_t vectors = values.positions * values.channels / kValues;
    launch(
        addBiasKernel<T, kValues>, shapeFor(vectors, kMostBlocks), stream,
        static_cast<T*>(values.data), vectors, values.channels, bias, hasRelu);
}

template<class T, int kValues>
void backwardOf(cudaStream_t stream, const BiasBackwardTask& task)
{
    const ChannelValues& diff = task.diffDst;
    const unsigned parts = partsOf<kValues>(diff.positions);
    float* sums = task.diffBias == nullptr || parts == 1 ? task.diffBias : task.scratch;
    const BackwardArrays<T> arrays{
        static_cast<T*>(diff.data),
        static_cast<const T*>(task.dst),
        task.rounded,
        sums,
        diff.positions,
        diff.channels};
    const auto groups =
        divideUp<std::int64_t>(diff.channels, std::int64_t{kColumns<kValues>} * kValues);
    const LaunchShape shape{dim3(static_cast<unsigned>(groups), parts), dim3(kBlockThreads)};
    launch(biasBackwardKernel<T, kValues>, shape, stream, arrays);
    if (sums != task.diffBias) {
        const LaunchShape columns{
            dim3(static_cast<unsigned>(divideUp<std::int64_t>(diff.channels, kWarpLanes))),
            dim3(kMostThreads)};
        launch(
            sumPartsKernel, columns, stream, task.scratch, task.diffBias, std::int64_t{parts},
            diff.channels);
    }
}

template<class T>
bool isInVectors(const ChannelValues& values)
{
    return values.channels % kVectorValues<T> == 0;
}

template<class T>
void addBiasOf(cudaStream_t stream, const ChannelValues& values, const float* bias, bool hasRelu)
{
    const auto add = isInVectors<T>(values) ? addBiasTo<T, kVectorValues<T>> : addBiasTo<T, 1>;
    add(stream, values, bias, hasRelu);
}

template<class T>
void backwardOf(cudaStream_t stream, const BiasBackwardTask& task)
{
    const auto run =
        isInVectors<T>(task.diffDst) ? backwardOf<T, kVectorValues<T>> : backwardOf<T, 1>;
    run(stream, task);
}

} // namespace

void addBias(cudaStream_t stream, const ChannelValues& values, const float* bias, bool hasRelu)
{
    const auto add = values.type == DataType::Float32 ? addBiasOf<float> : addBiasOf<Bfloat16>;
    add(stream, values, bias, hasRelu);
}

std::size_t biasBackwardScratchBytes(const ChannelValues& diffDst)
{
    const bool isScalar = diffDst.type == DataType::Float32 ? !isInVectors<float>(diffDst)
                                                            : !isInVectors<Bfloat16>(diffDst);
    const unsigned parts =
        isScalar ? partsOf<1>(diffDst.positions) : partsOf<kVectorValues<float>>(diffDst.positions);
    return parts == 1 ? 0 : parts * static_cast<std::size_t>(diffDst.channels) * sizeof(float);
}

void biasBackward(cudaStream_t stream, const BiasBackwardTask& task)
{
    if (task.dst == nullptr && task.rounded == nullptr && task.diffBias == nullptr) {
        return;
    }
    if (task.diffDst.type == DataType::Float32) {
        backwardOf<float>(stream, task);
    } else {
        backwardOf<Bfloat16>(stream, task);
    }
}

} // namespace lockstep::cuda
