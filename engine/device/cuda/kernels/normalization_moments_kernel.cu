// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/normalization_values.h"

namespace lockstep::cuda {
namespace {

/// Mean of a part and its sum of squares about it.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    momentPartsKernel(NormalizationShape shape, const T* src, float* scratch)
{
    const TileThread thread = tileThread<kValues>();
    const std::int64_t group = blockIdx.z;
    const T* const values = src + group * shape.positions * shape.channels;
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
        float* const part = scratch + partOf(shape, group, blockIdx.y, gridDim.y) + channel;
        part[0] = toFloat(values[firstOfPart + channel]) + fromPivot;
        part[shape.channels] = about < 0.0F ? 0.0F : about;
    }
}

/// Count, mean and sum of squares about it, of positions that were seen so far.
struct Moments
{
    double count;
    double mean;
    double squares;

    /// Chan, Golub and LeVeque, 1979.
    __device__ void add(const Moments& other)
    {
        if (other.count > 0.0) {
            const double total = count + other.count;
            const double distance = other.mean - mean;
            mean += distance * (other.count / total);
            squares += other.squares + distance * distance * (count * other.count / total);
            count = total;
        }
    }
};

template<int kValues>
__global__ void __launch_bounds__(kMostThreads)
    joinMomentsKernel(NormalizationShape shape, std::int64_t parts, MomentsTask task)
{
    const std::int64_t channel = joinedChannel();
    for (std::int64_t group = 0; group < shape.groups; ++group) {
        const auto moments = joinParts<Moments>(
            shape, group, parts, task.scratch, [&](std::int64_t part, double mean, double squares) {
                const auto count = positionsOfPart<kValues>(shape.positions, part, parts);
                return Moments{static_cast<double>(count), mean, squares};
            });
        if (threadIdx.x >= kWarpLanes || channel >= shape.channels) {
            continue;
        }
        if (task.sums != nullptr) {
            task.sums[channel] = moments.count * moments.mean;
            task.sums[shape.channels + channel] =
                std::fma(moments.mean * moments.mean, moments.count, moments.squares);
        } else {
            const std::int64_t place = group * shape.channels + channel;
            task.mean[place] = static_cast<float>(moments.mean);
            task.variance[place] = static_cast<float>(moments.squares / moments.count);
        }
    }
}

__global__ void __launch_bounds__(kBlockThreads)
    finishMomentsKernel(MomentSums sums, float* means, float* variances)
{
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
        launch(
            momentPartsKernel<T, values.value>, tiles, stream, shape,
            reinterpret_cast<const T*>(task.src), task.scratch);
        launch(
            joinMomentsKernel<values.value>, joinShape(shape.channels), stream, shape,
            std::int64_t{tiles.grid.y}, task);
    });
}

void finishMoments(cudaStream_t stream, const MomentSums& sums, float* mean, float* variance)
{
    launch(finishMomentsKernel, shapeFor(sums.channels), stream, sums, mean, variance);
}

} // namespace lockstep::cuda
