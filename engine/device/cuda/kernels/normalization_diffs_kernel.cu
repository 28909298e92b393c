// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/normalization_values.h"

namespace lockstep::cuda {
namespace {

struct DiffSums
{
    double offset;
    double slope;

    __device__ void add(const DiffSums& other)
    {
        offset += other.offset;
        slope += other.slope;
    }
};

__device__ void storeDiffs(
    const MomentDiffs& diffs, std::int64_t place, const DiffSums& sums, double positions,
    double spread)
{
    diffs.offset[place] = static_cast<float>(sums.offset / positions);
    diffs.slope[place] = static_cast<float>(sums.slope / (positions * spread));
}

/// What is added up over the groups of a channel.
struct GradientSums
{
    double gamma;
    double beta;
    double mean;
    double variance;
};

__device__ void storeGradients(
    const NormalizationGradients& gradients, std::int64_t channel, const GradientSums& sums)
{
    if (gradients.gamma != nullptr) {
        gradients.gamma[channel] = static_cast<float>(sums.gamma);
    }
    if (gradients.beta != nullptr) {
        gradients.beta[channel] = static_cast<float>(sums.beta);
    }
    if (gradients.mean != nullptr) {
        gradients.mean[channel] = static_cast<float>(gradients.momentScale * sums.mean);
        gradients.variance[channel] =
            static_cast<float>(gradients.momentScale * gradients.varianceScale * sums.variance);
    }
}

/// Of kColumns channels, in a block of kThreads.
template<unsigned kThreads, unsigned kColumns>
__device__ void joinDiffs(
    const NormalizationShape& shape, std::int64_t parts, const NormalizationFactors& factors,
    const DiffSumsTask& task)
{
    const std::int64_t channel = joinedChannel<kColumns>();
    const bool isInside = channel < shape.channels;
    const bool isOne = threadIdx.x < kColumns && isInside;
    GradientSums total{0.0, 0.0, 0.0, 0.0};
    for (std::int64_t group = 0; group < shape.groups; ++group) {
        const auto sums =
            joinParts<kThreads, kColumns, DiffSums>(isInside ? parts : 0, [&](std::int64_t number) {
                const float* const part =
                    task.scratch + partOf(shape, group, number, parts) + channel;
                return DiffSums{
                    static_cast<double>(part[0]), static_cast<double>(part[shape.channels])};
            });
        if (!isOne) {
            continue;
        }
        const std::int64_t moment = group * factors.groupStride + channel;
        const auto variance = static_cast<double>(factors.variance[moment]);
        const double spread = variance + static_cast<double>(factors.epsilon);
        total.gamma += sums.slope / std::sqrt(spread);
        total.beta += sums.offset;
        total.mean += static_cast<double>(factors.mean[moment]);
        total.variance += variance;
        if (task.sums != nullptr) {
            task.sums[channel] = sums.offset;
            task.sums[shape.channels + channel] = sums.slope;
        } else if (task.diffs.offset != nullptr) {
            storeDiffs(
                task.diffs, group * shape.channels + channel, sums,
                static_cast<double>(shape.positions), spread);
        }
    }
    if (isOne) {
        storeGradients(task.gradients, channel, total);
    }
}

/// Sums of dy and of dy * (x - mean) over a part.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    diffPartsKernel(NormalizationShape shape, NormalizationFactors factors, DiffSumsTask task)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    const std::int64_t group = blockIdx.z;
    const std::int64_t first = group * shape.positions * shape.channels + thread.channel;
    float offsets[kValues] = {};
    float slopes[kValues] = {};
    if (thread.channel < shape.channels) {
        const T* const src = reinterpret_cast<const T*>(task.src) + first;
        const T* const diffDst = diffsOf<T>(shape, task.diffDst, group, thread.channel);
        const ChannelFactors<kValues> channels(factors, group, thread.channel);
        forEachPosition(
            thread, shape.positions,
            [&](std::int64_t position) {
                return ValueAndDiff<T, kValues>{
                    loadVector<kValues>(src + position * shape.channels),
                    loadVector<kValues>(diffDst + position * shape.dstStride)};
            },
            [&](std::int64_t, const ValueAndDiff<T, kValues>& loaded) {
                for (int k = 0; k < kValues; ++k) {
                    const float x = toFloat(loaded.value.values[k]);
                    const float dy = channels.diff(k, x, toFloat(loaded.diff.values[k]));
                    offsets[k] += dy;
                    slopes[k] = std::fma(dy, x - channels.mean[k], slopes[k]);
                }
            });
    }
    const float offset = tileSum<kValues>(offsets);
    const float slope = tileSum<kValues>(slopes);
    const std::int64_t channel = thread.firstChannel + threadIdx.x;
    if (threadIdx.x < kTileWidth<kValues> && channel < shape.channels) {
        float* const part = task.scratch + partOf(shape, group, blockIdx.y, gridDim.y) + channel;
        part[0] = offset;
        part[shape.channels] = slope;
    }
    if (isLastOfTile(task.counters)) {
        joinDiffs<kBlockThreads, kTileWidth<kValues>>(shape, gridDim.y, factors, task);
    }
}

__global__ void __launch_bounds__(kMostThreads) joinDiffsKernel(
    NormalizationShape shape, std::int64_t parts, NormalizationFactors factors, DiffSumsTask task)
{
    waitForKernelBefore();
    joinDiffs<kMostThreads, kWarpLanes>(shape, parts, factors, task);
}

__global__ void __launch_bounds__(kBlockThreads)
    finishDiffsKernel(MomentSums sums, NormalizationFactors factors, MomentDiffs diffs)
{
    waitForKernelBefore();
    const std::int64_t channel = globalThread();
    if (channel < sums.channels) {
        const double spread =
            static_cast<double>(factors.variance[channel]) + static_cast<double>(factors.epsilon);
        storeDiffs(
            diffs, channel, {sums.sums[channel], sums.sums[sums.channels + channel]},
            static_cast<double>(sums.positions), spread);
    }
}

} // namespace

void sumDiffs(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const DiffSumsTask& task)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const LaunchShape tiles =
            tileShape<values.value>(shape.positions, shape.channels, shape.groups);
        launch(diffPartsKernel<T, values.value>, tiles, stream, shape, factors, task);
        if (task.counters == nullptr) {
            launch(
                joinDiffsKernel, joinShape(shape.channels), stream, shape,
                std::int64_t{tiles.grid.y}, factors, task);
        }
    });
}

void finishDiffs(
    cudaStream_t stream, const MomentSums& sums, const NormalizationFactors& factors,
    const MomentDiffs& diffs)
{
    launch(finishDiffsKernel, shapeFor(sums.channels), stream, sums, factors, diffs);
}

} // namespace lockstep::cuda
