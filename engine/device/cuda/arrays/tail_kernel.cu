// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/tail_kernel.h"

#include "device/cuda/arrays/joined_parts.h"
#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/step_parts.h"
#include "device/cuda/arrays/update_parts.h"

namespace lockstep::cuda {
namespace {

/// Each thread stands for so many of those that share out a chunk in update().
constexpr unsigned kShares = kUpdateThreads / kBlockThreads;
/// At least so many blocks run at once on a processor: 528 on an H100, where a network of a million
/// parameters has 527 chunks. One more, and registers spill.
constexpr int kLeastBlocks = 4;
/// Lanes whose loads are under way together. With more, registers spill.
constexpr int kLanesAtOnce = 2;

/// Calls body(chunk, its number) for those of this block.
template<class Body>
__device__ void forOwnChunks(const UpdateTask& task, Body body)
{
    for (std::int64_t i = blockIdx.x; i < task.chunkCount; i += gridDim.x) {
        body(task.chunks[i], i);
    }
}

__device__ void averageChunks(const TailTask& task)
{
    forOwnChunks(task.update, [&](const UpdateChunk& chunk, std::int64_t /*number*/) {
        AverageTask average = task.average;
        average.lanes = chunk.momentRate > 0.0F ? task.momentLanes : average.lanes;
        const bool isAverageThere = isThere(average);
        forEachValue<kFloats>(
            chunk.count, chunk.offset % kFloats == 0, threadIdx.x, kBlockThreads,
            [&](auto width, std::int64_t i) {
                float sum[width.value] = {};
                averageValues<kLanesAtOnce>(average, isAverageThere, chunk.offset + i, sum);
            });
    });
}

/// The bits of blockSum() in a block of kUpdateThreads, for which the threads of this one stand.
__device__ double sumOfShares(const double (&shares)[kShares])
{
    constexpr unsigned kWarps = kUpdateThreads / kWarpLanes;
    __shared__ double warps[kWarps];
    __syncthreads(); // a call before may still be read
    for (unsigned i = 0; i < kShares; ++i) {
        const double own = warpSum(shares[i]);
        if (lane() == 0) {
            warps[(i * kBlockThreads + threadIdx.x) / kWarpLanes] = own;
        }
    }
    __syncthreads();
    double sum = warps[0];
    for (unsigned i = 1; i < kWarps; ++i) {
        sum += warps[i];
    }
    return sum;
}

template<UpdateKind kKind, bool kHasOperands, bool kIsClipped>
__device__ void updateChunks(const UpdateTask& task)
{
    const StepOrder order = orderOf(task);
    forOwnChunks(task, [&](const UpdateChunk& chunk, std::int64_t number) {
        double squares[kShares];
        for (unsigned i = 0; i < kShares; ++i) {
            squares[i] = updateChunk<kKind, kHasOperands, false, kIsClipped>(
                             task, chunk, order, i * kBlockThreads + threadIdx.x)
                             .weights;
        }
        const double sum = hasDecayLoss<kKind>(chunk) ? sumOfShares(squares) : 0.0;
        if (threadIdx.x == 0) {
            task.squares[number] = weightDecayOf(chunk, sum);
        }
    });
}

template<UpdateKind kKind, bool kHasOperands, bool kIsClipped>
__global__ void __launch_bounds__(kBlockThreads, kLeastBlocks) tailKernel(TailTask task)
{
    waitForKernelBefore();
    const AverageTask& average = task.average;
    noteBegin(average.begins);
    StepState& state = *average.state;
    if (!isStuck(state)) { // which the last block alone changes, when the others are done
        if (average.laneCount > 0) {
            averageChunks(task);
        } else {
            checkValues(state, average.dst + average.offset, average.count, average.offset);
        }
        if (blockIdx.x == 0 && threadIdx.x < kWarpLanes) {
            checkTowerLosses(task.losses);
        }
        if constexpr (kIsClipped) {
            forOwnChunks(task.update, [&](const UpdateChunk& chunk, std::int64_t number) {
                squareGradient(task.update, chunk, number);
            });
            noteGradientNorm(task.update);
        }
    }
    gridBarrier(); // all faults are noted
    noteBegin(task.update.begins);
    if (mayUpdate(state)) {
        updateChunks<kKind, kHasOperands, kIsClipped>(task.update);
    }
    if (isLastBlock(&state.endedBlocks, gridDim.x)) {
        finishStep(task.finish);
    }
}

/// Apart, so that those who clip nothing have all the registers.
template<UpdateKind kKind, bool kIsClipped>
void launchTail(cudaStream_t stream, const TailTask& task)
{
    const auto kernel = task.update.operands != nullptr ? tailKernel<kKind, true, kIsClipped>
                                                        : tailKernel<kKind, false, kIsClipped>;
    launch(kernel, cooperativeShape(kernel, kBlockThreads, task.update.chunkCount), stream, task);
}

template<UpdateKind kKind>
void launchTail(cudaStream_t stream, const TailTask& task)
{
    task.update.clipNorm > 0.0F ? launchTail<kKind, true>(stream, task)
                                : launchTail<kKind, false>(stream, task);
}

} // namespace

void endStep(cudaStream_t stream, const TailTask& task)
{
    switch (task.update.constants.kind) {
    case UpdateKind::Sgd:
        return launchTail<UpdateKind::Sgd>(stream, task);
    case UpdateKind::Momentum:
        return launchTail<UpdateKind::Momentum>(stream, task);
    case UpdateKind::RmsProp:
        return launchTail<UpdateKind::RmsProp>(stream, task);
    case UpdateKind::Adam:
        return launchTail<UpdateKind::Adam>(stream, task);
    case UpdateKind::AdamW:
        return launchTail<UpdateKind::AdamW>(stream, task);
    }
}

} // namespace lockstep::cuda
