// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/step_kernels.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/step_parts.h"
#include "device/cuda/arrays/vector_access.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

__global__ void __launch_bounds__(kBlockThreads) averageKernel(AverageTask task)
{
    waitForKernelBefore();
    noteBegin(task.begins);
    if (isStuck(*task.state)) {
        return;
    }
    const bool isAverageThere = isThere(task);
    forEachValue<kFloats>(task.count, task.offset % kFloats == 0, [&](auto width, std::int64_t i) {
        float sum[width.value] = {};
        averageValues<1>(task, isAverageThere, task.offset + i, sum);
    });
}

/// values . others, added to `sum`.
template<int kValues>
__device__ void addDot(const float (&values)[kValues], const float (&others)[kValues], double& sum)
{
    for (int k = 0; k < kValues; ++k) {
        sum = std::fma(static_cast<double>(values[k]), static_cast<double>(others[k]), sum);
    }
}

template<bool kIsAveraged>
__global__ void __launch_bounds__(kBlockThreads) measureKernel(MeasureTask task)
{
    waitForKernelBefore();
    const AverageTask& average = task.average;
    noteBegin(average.begins);
    if (isStuck(*average.state)) {
        return;
    }
    const UpdateChunk chunk = task.chunks[blockIdx.x];
    double* const sums = task.sums.at(average.state->step, blockIdx.x);
    const auto forEach = [&](auto body) {
        forEachValue<kFloats>(
            chunk.count, chunk.offset % kFloats == 0, threadIdx.x, kBlockThreads,
            [&](auto width, std::int64_t i) { body(width, chunk.offset + i); });
    };
    const auto keep = [&](int number, double ofThread) {
        const double sum = blockSum(ofThread);
        if (threadIdx.x == 0) {
            sums[number] = sum;
        }
    };
    const bool isAverageThere = isThere(average);
    double meanSquares = 0.0;
    forEach([&](auto width, std::int64_t place) {
        float mean[width.value] = {};
        if constexpr (kIsAveraged) {
            loadFloats(average.dst + place, mean);
        } else {
            averageValues<1>(average, isAverageThere, place, mean);
        }
        addDot(mean, mean, meanSquares);
    });
    keep(GradientSums::MeanSquares, meanSquares);
    // A thread finds what it has written itself, and the lanes are still near.
    for (int lane = 0; lane < average.laneCount; ++lane) {
        const float* const gradient = average.lanes[lane].values;
        double squares = 0.0;
        double dotMean = 0.0;
        forEach([&](auto width, std::int64_t place) {
            float values[width.value];
            float mean[width.value];
            loadFloats(gradient + place, values);
            loadFloats(average.dst + place, mean);
            addDot(values, values, squares);
            addDot(values, mean, dotMean);
        });
        keep(GradientSums::Towers + 2 * lane, squares);
        keep(GradientSums::Towers + 2 * lane + 1, dotMean);
    }
}

__global__ void __launch_bounds__(kBlockThreads)
    checkKernel(StepState* state, const float* values, std::int64_t count, std::int64_t offset)
{
    waitForKernelBefore();
    if (isStuck(*state)) {
        return;
    }
    checkValues(*state, values, count, offset);
}

__global__ void __launch_bounds__(kWarpLanes) checkLossesKernel(LossCheckTask task)
{
    waitForKernelBefore();
    if (isStuck(*task.state)) {
        return;
    }
    checkTowerLosses(task);
}

__global__ void __launch_bounds__(kBlockThreads) finishKernel(FinishTask task)
{
    waitForKernelBefore();
    finishStep(task);
}

__global__ void stampKernel(std::int64_t* place)
{
    waitForKernelBefore();
    noteTime(place);
}

} // namespace

void average(cudaStream_t stream, const AverageTask& task)
{
    if (task.count > 0) {
        launch(
            averageKernel, shapeFor(divideUp<std::int64_t>(task.count, kFloats), kFullGrid), stream,
            task);
    }
}

void measure(cudaStream_t stream, const MeasureTask& task)
{
    if (task.sums.chunks > 0) {
        const LaunchShape shape{dim3(static_cast<unsigned>(task.sums.chunks)), dim3(kBlockThreads)};
        launch(task.isAveraged ? measureKernel<true> : measureKernel<false>, shape, stream, task);
    }
}

void check(
    cudaStream_t stream, StepState* state, std::span<const float> values, std::int64_t offset)
{
    const auto count = static_cast<std::int64_t>(values.size());
    if (count > 0) {
        launch(
            checkKernel, shapeFor(count, kFullGrid), stream, state, values.data(), count, offset);
    }
}

void checkLosses(cudaStream_t stream, const LossCheckTask& task)
{
    launch(checkLossesKernel, {dim3(1), dim3(kWarpLanes)}, stream, task);
}

void finish(cudaStream_t stream, const FinishTask& task)
{
    launch(finishKernel, {dim3(1), dim3(kBlockThreads)}, stream, task);
}

void stamp(cudaStream_t stream, std::int64_t* place)
{
    launch(stampKernel, {dim3(1), dim3(1)}, stream, place);
}

} // namespace lockstep::cuda
