// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/update_kernel.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/step_parts.h"
#include "device/cuda/arrays/update_parts.h"

namespace lockstep::cuda {
namespace {

/// A measured step, of which there is one in many, keeps the weights of before as well: its block
/// takes more registers rather than spill. 0 leaves the number of blocks to the compiler.
template<UpdateKind kKind, bool kHasOperands, bool kIsMeasured>
__global__ void __launch_bounds__(kUpdateThreads, kIsMeasured ? 1 : 0) updateKernel(UpdateTask task)
{
    waitForKernelBefore();
    noteBegin(task.begins);
    if (!mayUpdate(*task.state)) {
        return;
    }
    const UpdateChunk chunk = task.chunks[blockIdx.x];
    const ChunkSquares squares = updateChunk<kKind, kHasOperands, kIsMeasured, true>(
        task, chunk, orderOf(task), threadIdx.x);
    const double sum = hasDecayLoss<kKind>(chunk) ? blockSum(squares.weights) : 0.0;
    if (threadIdx.x == 0) {
        task.squares[blockIdx.x] = weightDecayOf(chunk, sum);
    }
    if constexpr (kIsMeasured) {
        const double before = blockSum(squares.before);
        const double update = blockSum(squares.update);
        if (threadIdx.x == 0) {
            double* const sums = task.sums.at(task.state->step, blockIdx.x);
            sums[GradientSums::WeightSquares] = before;
            sums[GradientSums::UpdateSquares] = update;
        }
    }
}

__global__ void __launch_bounds__(kBlockThreads) clipKernel(UpdateTask task)
{
    waitForKernelBefore();
    if (mayUpdate(*task.state)) {
        squareGradient(task, task.chunks[blockIdx.x], blockIdx.x);
        noteGradientNorm(task);
    }
}

template<UpdateKind kKind, bool kHasOperands>
void launchUpdate(cudaStream_t stream, const UpdateTask& task)
{
    const LaunchShape shape{dim3(static_cast<unsigned>(task.chunkCount)), dim3(kUpdateThreads)};
    launch(
        task.sums.ring != nullptr ? updateKernel<kKind, kHasOperands, true>
                                  : updateKernel<kKind, kHasOperands, false>,
        shape, stream, task);
}

template<UpdateKind kKind>
void launchUpdate(cudaStream_t stream, const UpdateTask& task)
{
    task.operands != nullptr ? launchUpdate<kKind, true>(stream, task)
                             : launchUpdate<kKind, false>(stream, task);
}

} // namespace

void update(cudaStream_t stream, const UpdateTask& task)
{
    if (task.chunkCount == 0) {
        return;
    }
    if (task.clipNorm > 0.0F && task.gradient != nullptr) {
        const LaunchShape shape{dim3(static_cast<unsigned>(task.chunkCount)), dim3(kBlockThreads)};
        launch(clipKernel, shape, stream, task);
    }
    switch (task.constants.kind) {
    case UpdateKind::Sgd:
        return launchUpdate<UpdateKind::Sgd>(stream, task);
    case UpdateKind::Momentum:
        return launchUpdate<UpdateKind::Momentum>(stream, task);
    case UpdateKind::RmsProp:
        return launchUpdate<UpdateKind::RmsProp>(stream, task);
    case UpdateKind::Adam:
        return launchUpdate<UpdateKind::Adam>(stream, task);
    case UpdateKind::AdamW:
        return launchUpdate<UpdateKind::AdamW>(stream, task);
    }
}

} // namespace lockstep::cuda
