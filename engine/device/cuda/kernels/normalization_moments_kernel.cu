// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/normalization_values.h"

namespace lockstep::cuda {
namespace {

/// Sums over positions of the distance from a value near their mean, and of its square.
struct Moments
{
    double distances;
    double squares;

    __device__ void add(const Moments& other)
    {
        distances += other.distances;
        squares += other.squares;
    }
};

/// Of kColumns channels of a group, in a block of kThreads, from the means of the parts and their
/// sums of squares about them; distances are those from the mean of the first part.
template<int kValues, unsigned kThreads, unsigned kColumns>
__device__ void joinMoments(
    const NormalizationShape& shape, std::int64_t group, std::int64_t parts,
    const MomentsTask& task)
{
    const std::int64_t channel = joinedChannel<kColumns>();
    const bool isInside = channel < shape.channels;
    const float* const first = task.scratch + partOf(shape, group, 0, parts) + channel;
    const double pivot = isInside ? static_cast<double>(first[0]) : 0.0;
    const auto moments =
        joinParts<kThreads, kColumns, Moments>(isInside ? parts : 0, [&](std::int64_t number) {
            const float* const part = first + number * 2 * shape.channels;
            const double distance = static_cast<double>(part[0]) - pivot;
            const double distances =
                distance
                * static_cast<double>(positionsOfPart<kValues>(shape.positions, number, parts));
            return Moments{
                distances,
                std::fma(distances, distance, static_cast<double>(part[shape.channels]))};
        });
    if (threadIdx.x >= kColumns || !isInside) {
        return;
    }
    const auto count = static_cast<double>(shape.positions);
    const double fromPivot = moments.distances / count;
    const double mean = pivot + fromPivot;
    const double about = std::fma(-moments.distances, fromPivot, moments.squares);
    const double squares = about < 0.0 ? 0.0 : about;
    if (task.sums != nullptr) {
        task.sums[channel] = count * mean;
        task.sums[shape.channels + channel] = std::fma(mean * mean, count, squares);
    } else {
        const std::int64_t place = group * shape.channels + channel;
        task.mean[place] = static_cast<float>(mean);
        task.variance[place] = static_cast<float>(squares / count);
    }
}

/// Mean of a part and its sum of squares about it.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    momentPartsKernel(NormalizationShape shape, MomentsTask task)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    const std::int64_t group = blockIdx.z;
    const T* const values =
        reinterpret_cast<const T*>(task.src) + group * shape.positions * shape.channels;
    // Every block has at least one position.
    const std::int64_t firstOfPart =
        static_cast<std::int64_t>(blockIdx.y) * kTileRows<kValues> * shape.channels;
    float sums[kValues] = {};
    float squares[kValues] = {};
    if (thread.channel < shape.channels) {
        float pivots[kValues];
        loadFloats(values + firstOfPart + thread.channel, pivots);
        forEachPosition(
            thread, shape.positions,
            [&](std::int64_t position) {
                return loadVector<kValues>(values + position * shape.channels + thread.channel);
            },
            [&](std::int64_t, const Vector<T, kValues>& loaded) {
                for (int k = 0; k < kValues; ++k) {
                    const float distance = toFloat(loaded.values[k]) - pivots[k];
                    sums[k] += distance;
                    squares[k] = std::fma(distance, distance, squares[k]);
                }
            });
    }
    const float sum = tileSum<kValues>(sums);
    const float square = tileSum<kValues>(squares);
    const std::int64_t channel = thread.firstChannel + threadIdx.x;
    if (threadIdx.x < kTileWidth<kValues> && channel < shape.channels) {
        const auto count =
            static_cast<float>(positionsOfPart<kValues>(shape.positions, blockIdx.y, gridDim.y));
        const float fromPivot = sum / count;
        const float about = std::fma(-sum, fromPivot, square);
        float* const part = task.scratch + partOf(shape, group, blockIdx.y, gridDim.y) + channel;
        part[0] = toFloat(values[firstOfPart + channel]) + fromPivot;
        part[shape.channels] = about < 0.0F ? 0.0F : about;
    }
    if (isLastOfTile(task.counters)) {
        joinMoments<kValues, kBlockThreads, kTileWidth<kValues>>(shape, 0, gridDim.y, task);
    }
}

template<int kValues>
__global__ void __launch_bounds__(kMostThreads)
    joinMomentsKernel(NormalizationShape shape, std::int64_t parts, MomentsTask task)
{
    waitForKernelBefore();
    for (std::int64_t group = 0; group < shape.groups; ++group) {
        joinMoments<kValues, kMostThreads, kWarpLanes>(shape, group, parts, task);
    }
}

__global__ void __launch_bounds__(kBlockThreads)
    finishMomentsKernel(MomentSums sums, float* means, float* variances)
{
    waitForKernelBefore();
    const std::int64_t channel = globalThread();
    if (channel < sums.channels) {
        const auto count = static_cast<double>(sums.positions);
        const double mean = sums.sums[channel] / count;
        const double variance = std::fma(-mean, mean, sums.sums[sums.channels + channel] / count);
        means[channel] = static_cast<float>(mean);
        variances[channel] = static_cast<float>(variance < 0.0 ? 0.0 : variance);
    }
}

} // namespace

std::size_t normalizationScratchBytes(const NormalizationShape& shape)
{
    std::int64_t parts = 0;
    withVectors(shape, [&](auto, auto values) {
        parts = tileParts<values.value>(shape.positions, shape.groups);
    });
    return static_cast<std::size_t>(shape.groups * parts * 2 * shape.channels) * sizeof(float);
}

void computeMoments(cudaStream_t stream, const NormalizationShape& shape, const MomentsTask& task)
{
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const LaunchShape tiles =
            tileShape<values.value>(shape.positions, shape.channels, shape.groups);
        launch(momentPartsKernel<T, values.value>, tiles, stream, shape, task);
        if (task.counters == nullptr) {
            launch(
                joinMomentsKernel<values.value>, joinShape(shape.channels), stream, shape,
                std::int64_t{tiles.grid.y}, task);
        }
    });
}

void finishMoments(cudaStream_t stream, const MomentSums& sums, float* mean, float* variance)
{
    launch(finishMomentsKernel, shapeFor(sums.channels), stream, sums, mean, variance);
}

} // namespace lockstep::cuda
