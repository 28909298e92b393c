// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/step_kernels.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

#include <cmath>
#include <limits>

namespace lockstep::cuda {
namespace {

/// Floats that a thread takes at once.
constexpr int kFloats = kVectorValues<float>;

__device__ bool isStuck(const StepState& state)
{
    return state.stuckStep >= 0;
}

/// Keeps the smallest code: which thread comes first does not matter.
__device__ void report(StepState& state, std::uint64_t code)
{
    static_assert(sizeof(unsigned long long) == sizeof(code));
    atomicMin(reinterpret_cast<unsigned long long*>(&state.fault), code);
}

/// Value `place` of the average is not finite.
__device__ void reportLane(const AverageTask& task, std::int64_t place)
{
    std::uint64_t tower = fault::kNoTower;
    for (int lane = task.laneCount; lane-- > 0;) {
        if (!std::isfinite(task.lanes[lane].values[place])) {
            tower = static_cast<std::uint64_t>(task.firstTower + lane);
        }
    }
    report(*task.state, fault::ofGradient(place, tower));
}

__global__ void __launch_bounds__(kBlockThreads) averageKernel(AverageTask task)
{
    if (isStuck(*task.state)) {
        return;
    }
    const bool isThere =
        task.laneCount == 1 && task.lanes[0].values == task.dst && task.lanes[0].weight == 1.0F;
    forEachValue<kFloats>(task.count, task.offset % kFloats == 0, [&](auto width, std::int64_t i) {
        const std::int64_t place = task.offset + i;
        float sum[width.value] = {};
        for (int lane = 0; lane < task.laneCount; ++lane) {
            const WeightedGradient gradient = task.lanes[lane];
            float values[width.value];
            loadFloats(gradient.values + place, values);
            for (int k = 0; k < width.value; ++k) {
                sum[k] = std::fma(gradient.weight, values[k], sum[k]);
            }
        }
        // Before dst is written: it may be one of the lanes.
        for (int k = 0; k < width.value; ++k) {
            if (!std::isfinite(sum[k])) {
                reportLane(task, place + k);
            }
        }
        if (!isThere) {
            storeFloats(task.dst + place, sum);
        }
    });
}

__global__ void __launch_bounds__(kBlockThreads)
    checkKernel(StepState* state, const float* values, std::int64_t count, std::int64_t offset)
{
    if (isStuck(*state)) {
        return;
    }
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        if (!std::isfinite(values[i])) {
            report(*state, fault::ofGradient(offset + i, fault::kNoTower));
        }
    }
}

__global__ void __launch_bounds__(kWarpLanes) checkLossesKernel(LossCheckTask task)
{
    if (isStuck(*task.state)) {
        return;
    }
    for (int tower = static_cast<int>(threadIdx.x); tower < task.towers; tower += kWarpLanes) {
        double loss = task.state->weightDecayLoss;
        for (int i = 0; i < task.objectives; ++i) {
            const bool isActive = (task.inactive >> static_cast<unsigned>(i) & 1U) == 0;
            loss += isActive ? task.results[tower * task.objectives + i].lossSum : 0.0;
        }
        if (!std::isfinite(loss)) {
            report(*task.state, fault::ofLoss(task.firstTower + tower));
            if (task.poison != nullptr) {
                *task.poison = std::numeric_limits<float>::quiet_NaN();
            }
        }
    }
}

/// By one thread. The host may read while this writes.
__device__ void writeReport(const StepState& state, std::int64_t stuckStep, std::byte* slot)
{
    auto& report = *reinterpret_cast<volatile StepReport*>(slot);
    report.nanoseconds = globalNanoseconds();
    report.weightDecayLoss = state.weightDecayLoss;
    report.stuckStep = stuckStep;
    report.fault = state.fault;
    __threadfence_system();
    report.step = state.step;
}

/// Always in the same order: each thread takes every kBlockThreads-th value. In all threads.
__device__ double sumOf(const double* values, std::int64_t count)
{
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < count; i += kBlockThreads) {
        sum += values[i];
    }
    return blockSum(sum);
}

__global__ void __launch_bounds__(kBlockThreads) finishKernel(FinishTask task)
{
    StepState& state = *task.state;
    const bool isApplied = !isStuck(state) && state.fault == fault::kNone;
    std::byte* const slot =
        task.reports + state.step % task.reportSlots * static_cast<std::int64_t>(task.reportBytes);
    auto* const results = reinterpret_cast<ObjectiveResult*>(slot + sizeof(StepReport));
    for (int i = static_cast<int>(threadIdx.x); i < task.resultCount; i += kBlockThreads) {
        results[i] = task.results[i];
    }
    __threadfence_system(); // the results, before the first thread writes the report
    const double weightDecayLoss =
        isApplied ? sumOf(task.squares, task.chunkCount) : state.weightDecayLoss;
    __syncthreads();
    if (threadIdx.x == 0) {
        const std::int64_t stuckStep = isApplied || isStuck(state) ? state.stuckStep : state.step;
        writeReport(state, stuckStep, slot);
        state.weightDecayLoss = weightDecayLoss;
        state.stuckStep = stuckStep;
        state.step += 1;
    }
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

} // namespace lockstep::cuda
