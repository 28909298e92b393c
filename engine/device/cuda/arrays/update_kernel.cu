// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/update_kernel.h"

#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/vector_access.h"

#include <cfloat>
#include <cmath>

namespace lockstep::cuda {
namespace {

/// Floats that a thread takes at once.
constexpr int kFloats = kVectorValues<float>;
constexpr unsigned kUpdateThreads = 512;

/// Moves a slot by `rate` of a difference to it and returns what it is then.
__device__ float follow(float rate, float difference, float& slot)
{
    slot = std::fma(rate, difference, slot);
    return slot;
}

/// The slot of the mean square follows g^2, at most the largest number: infinity, of which a finite
/// gradient may have the square, would make the step after it NaN.
__device__ float followSquare(float rate, float g, float& slot)
{
    return follow(rate, std::fmin(std::fma(g, g, -slot), FLT_MAX), slot);
}

/// momentum * slot + addend, which the slot becomes.
__device__ float accumulate(float momentum, float addend, float& slot)
{
    slot = std::fma(momentum, slot, addend);
    return slot;
}

/// The new weight; its slots are moved.
template<UpdateKind kKind>
__device__ float movedWeight(
    const UpdateConstants& constants, float rate, float g, float w, float& first, float& second)
{
    if constexpr (kKind == UpdateKind::Sgd) {
        return std::fma(-rate, g, w);
    } else if constexpr (kKind == UpdateKind::Momentum) {
        const float m = accumulate(constants.momentum, g, first);
        const float ahead = std::fma(constants.momentum, m, g);
        return std::fma(-rate, constants.isNesterov ? ahead : m, w);
    } else if constexpr (kKind == UpdateKind::RmsProp) {
        const float s = followSquare(constants.squareRate, g, first);
        const float step = rate * g / std::sqrt(s + constants.epsilon);
        return w - accumulate(constants.momentum, step, second);
    } else {
        static_assert(kKind == UpdateKind::Adam);
        const float m = follow(constants.meanRate, g - first, first);
        const float s = followSquare(constants.squareRate, g, second);
        return w - rate * m / (std::sqrt(s) + constants.epsilon);
    }
}

template<UpdateKind kKind>
constexpr int kSlots = kKind == UpdateKind::Sgd        ? 0
                       : kKind == UpdateKind::Momentum ? 1
                                                       : 2;

/// Updates `kValues` values, if there is a gradient; returns the sum of the squares of the weights.
template<UpdateKind kKind, int kValues, bool kHasOperands>
__device__ double updateValues(
    const UpdateTask& task, const StepOrder& order, float weightDecay, std::int64_t place)
{
    float weights[kValues];
    loadFloats(task.weights + place, weights);
    if (task.gradient != nullptr) {
        float gradient[kValues];
        float averages[kValues];
        float slots[kMostSlots][kValues] = {};
        loadFloats(task.gradient + place, gradient);
        loadFloats(task.average + place, averages);
        for (int slot = 0; slot < kSlots<kKind>; ++slot) {
            loadFloats(task.optimizerState[slot] + place, slots[slot]);
        }
        for (int k = 0; k < kValues; ++k) {
            const float g = std::fma(weightDecay, weights[k], gradient[k]);
            weights[k] = movedWeight<kKind>(
                task.constants, order.learningRate, g, weights[k], slots[0][k], slots[1][k]);
            averages[k] = std::fma(order.averageRate, weights[k] - averages[k], averages[k]);
        }
        storeFloats(task.weights + place, weights);
        storeFloats(task.average + place, averages);
        for (int slot = 0; slot < kSlots<kKind>; ++slot) {
            storeFloats(task.optimizerState[slot] + place, slots[slot]);
        }
    }
    if constexpr (kHasOperands) {
        storeFloats(reinterpret_cast<Bfloat16*>(task.operands) + place, weights);
    }
    double squares = 0.0;
    for (int k = 0; k < kValues; ++k) {
        const auto wide = static_cast<double>(weights[k]);
        squares = std::fma(wide, wide, squares);
    }
    return squares;
}

/// By a block. This thread's part of the sum of squares of the new weights.
template<UpdateKind kKind, bool kHasOperands>
__device__ double updateChunk(
    const UpdateTask& task, const UpdateChunk& chunk, const StepOrder& order, float weightDecay)
{
    const int thread = static_cast<int>(threadIdx.x);
    const int vectors = chunk.offset % kFloats == 0 ? chunk.count / kFloats : 0;
    double squares = 0.0;
    for (int i = thread; i < vectors; i += kUpdateThreads) {
        squares += updateValues<kKind, kFloats, kHasOperands>(
            task, order, weightDecay, chunk.offset + std::int64_t{kFloats} * i);
    }
    for (int i = kFloats * vectors + thread; i < chunk.count; i += kUpdateThreads) {
        squares += updateValues<kKind, 1, kHasOperands>(task, order, weightDecay, chunk.offset + i);
    }
    return squares;
}

template<UpdateKind kKind, bool kHasOperands>
__global__ void __launch_bounds__(kUpdateThreads) updateKernel(UpdateTask task)
{
    if (task.state->stuckStep >= 0 || task.state->fault != fault::kNone) {
        return;
    }
    StepOrder order =
        task.gradient != nullptr ? task.orders[task.state->step % task.orderSlots] : StepOrder{};
    const UpdateChunk chunk = task.chunks[blockIdx.x];
    double squares = 0.0;
    // The conditions are the same for the whole block.
    if (chunk.momentRate > 0.0F) {
        order.learningRate = std::fmax(chunk.momentRate, order.momentRate);
        squares = updateChunk<UpdateKind::Sgd, kHasOperands>(task, chunk, order, 1.0F);
    } else {
        squares = updateChunk<kKind, kHasOperands>(task, chunk, order, chunk.weightDecay);
    }
    const double sum = chunk.weightDecay != 0.0F ? blockSum(squares) : 0.0;
    if (threadIdx.x == 0) {
        task.squares[blockIdx.x] = static_cast<double>(chunk.weightDecay) / 2.0 * sum;
    }
}

template<UpdateKind kKind>
void launchUpdate(cudaStream_t stream, const UpdateTask& task)
{
    const LaunchShape shape{dim3(static_cast<unsigned>(task.chunkCount)), dim3(kUpdateThreads)};
    launch(
        task.operands != nullptr ? updateKernel<kKind, true> : updateKernel<kKind, false>, shape,
        stream, task);
}

} // namespace

void update(cudaStream_t stream, const UpdateTask& task)
{
    if (task.chunkCount == 0) {
        return;
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
    }
}

} // namespace lockstep::cuda
