// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

#include <cmath>
#include <limits>

// What the kernels of step_kernels.cu, and tail_kernel.cu in one, do at the end of a step.
namespace lockstep::cuda {

__device__ inline bool isStuck(const StepState& state)
{
    return state.stuckStep >= 0;
}

/// Whether a step still changes the weights.
__device__ inline bool mayUpdate(const StepState& state)
{
    return !isStuck(state) && state.fault == fault::kNone;
}

/// Keeps the smallest code: which thread comes first does not matter.
__device__ inline void report(StepState& state, std::uint64_t code)
{
    static_assert(sizeof(unsigned long long) == sizeof(code));
    atomicMin(reinterpret_cast<unsigned long long*>(&state.fault), code);
}

/// Value `place` of the average is not finite.
__device__ inline void reportLane(const AverageTask& task, std::int64_t place)
{
    std::uint64_t tower = fault::kNoTower;
    for (int lane = task.laneCount; lane-- > 0;) {
        if (!std::isfinite(task.lanes[lane].values[place])) {
            tower = static_cast<std::uint64_t>(task.firstTower + lane);
        }
    }
    report(*task.state, fault::ofGradient(place, tower));
}

/// The average is its only lane.
__device__ inline bool isThere(const AverageTask& task)
{
    return task.laneCount == 1 && task.lanes[0].values == task.dst && task.lanes[0].weight == 1.0F;
}

/// Averages, checks and keeps the values from `place` on, which `sum`, zeros at first, becomes. The
/// loads of kAtOnce lanes are under way together; they are added one after the other all the same.
template<int kAtOnce, int kValues>
__device__ void averageValues(
    const AverageTask& task, bool isAverageThere, std::int64_t place, float (&sum)[kValues])
{
    for (int first = 0; first < task.laneCount; first += kAtOnce) {
        WeightedGradient gradients[kAtOnce];
        float values[kAtOnce][kValues] = {};
        for (int i = 0; i < kAtOnce; ++i) {
            if (first + i < task.laneCount) {
                gradients[i] = task.lanes[first + i];
                loadFloats(gradients[i].values + place, values[i]);
            }
        }
        for (int i = 0; i < kAtOnce; ++i) {
            for (int k = 0; first + i < task.laneCount && k < kValues; ++k) {
                sum[k] = std::fma(gradients[i].weight, values[i][k], sum[k]);
            }
        }
    }
    // Before dst is written: it may be the only lane itself.
    for (int k = 0; k < kValues; ++k) {
        if (!std::isfinite(sum[k])) {
            reportLane(task, place + k);
        }
    }
    if (!isAverageThere) {
        storeFloats(task.dst + place, sum);
    }
}

/// By all threads of a one-dimensional grid; `values` are those of the arena from `offset` on.
__device__ inline void checkValues(
    StepState& state, const float* values, std::int64_t count, std::int64_t offset)
{
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        if (!std::isfinite(values[i])) {
            report(state, fault::ofGradient(offset + i, fault::kNoTower));
        }
    }
}

/// By a warp.
__device__ inline void checkTowerLosses(const LossCheckTask& task)
{
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

/// By one thread, after what others of its block wrote to the slot, and a barrier. The host may
/// read while this writes.
__device__ inline void writeReport(const StepState& state, std::int64_t stuckStep, std::byte* slot)
{
    auto& report = *reinterpret_cast<volatile StepReport*>(slot);
    report.nanoseconds = globalNanoseconds();
    report.weightDecayLoss = state.weightDecayLoss;
    report.stuckStep = stuckStep;
    report.fault = state.fault;
    report.gradientNorm = state.gradientNorm;
    __threadfence_system(); // all that before this, of the other threads too
    report.step = state.step;
}

/// Always in the same order: each thread takes every kBlockThreads-th value. In all threads.
__device__ inline double sumOf(const double* values, std::int64_t count)
{
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < count; i += kBlockThreads) {
        sum += values[i];
    }
    return blockSum(sum);
}

/// By a block of kBlockThreads.
__device__ inline void finishStep(const FinishTask& task)
{
    StepState& state = *task.state;
    const bool isApplied = mayUpdate(state);
    std::byte* const slot =
        task.reports + state.step % task.reportSlots * static_cast<std::int64_t>(task.reportBytes);
    auto* const results = reinterpret_cast<ObjectiveResult*>(slot + sizeof(StepReport));
    for (int i = static_cast<int>(threadIdx.x); i < task.resultCount; i += kBlockThreads) {
        results[i] = task.results[i];
    }
    auto* const stamps = reinterpret_cast<std::int64_t*>(results + task.resultCount);
    for (int i = static_cast<int>(threadIdx.x); i < task.stampCount; i += kBlockThreads) {
        stamps[i] = task.stamps[i];
    }
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

} // namespace lockstep::cuda
