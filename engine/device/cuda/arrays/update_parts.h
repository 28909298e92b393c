// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/joined_parts.h"
#include "device/cuda/arrays/kernel.h"
#include "device/cuda/arrays/step_parts.h"
#include "device/cuda/arrays/vector_access.h"

#include <cfloat>
#include <cmath>
#include <type_traits>

// How update_kernel.cu and tail_kernel.cu update a chunk of parameters.
namespace lockstep::cuda {

/// Threads that share out a chunk.
constexpr unsigned kUpdateThreads = 512;

/// Moves a slot by `rate` of a difference to it and returns what it is then.
__device__ inline float follow(float rate, float difference, float& slot)
{
    slot = std::fma(rate, difference, slot);
    return slot;
}

/// The slot of the mean square follows g^2, at most the largest number: infinity, of which a finite
/// gradient may have the square, would make the step after it NaN.
__device__ inline float followSquare(float rate, float g, float& slot)
{
    return follow(rate, std::fmin(std::fma(g, g, -slot), FLT_MAX), slot);
}

/// momentum * slot + addend, which the slot becomes.
__device__ inline float accumulate(float momentum, float addend, float& slot)
{
    slot = std::fma(momentum, slot, addend);
    return slot;
}

/// The new weight; its slots are moved.
template<UpdateKind kKind>
__device__ float movedWeight(
    const UpdateConstants& constants, const StepOrder& order, float g, float w, float& first,
    float& second)
{
    const float rate = order.learningRate;
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
        static_assert(kKind == UpdateKind::Adam || kKind == UpdateKind::AdamW);
        const float m = follow(constants.meanRate, g - first, first);
        const float s = followSquare(constants.squareRate, g, second);
        const float root = std::sqrt(s);
        return w - rate * m / std::fma(order.epsilonScale, constants.epsilon, root);
    }
}

template<UpdateKind kKind>
constexpr int kSlots = kKind == UpdateKind::Sgd        ? 0
                       : kKind == UpdateKind::Momentum ? 1
                                                       : 2;

/// Sums of squares: of the new weights and, where the step is measured, of those before and of what
/// the update added.
struct ChunkSquares
{
    double weights = 0.0;
    double before = 0.0;
    double update = 0.0;
};

/// Updates `kValues` values, if there is a gradient, and adds to the sums.
template<UpdateKind kKind, int kValues, bool kHasOperands, bool kIsMeasured, bool kIsScaled>
__device__ void updateValues(
    const UpdateTask& task, const StepOrder& order, float weightDecay, std::int64_t place,
    ChunkSquares& squares)
{
    float weights[kValues];
    loadFloats(task.weights + place, weights);
    float before[kValues];
    for (int k = 0; kIsMeasured && k < kValues; ++k) {
        before[k] = weights[k];
    }
    if (task.gradient != nullptr) {
        float gradient[kValues];
        float averages[kValues];
        float slots[kMostSlots][kValues] = {};
        loadFloats(task.gradient + place, gradient);
        loadFloats(task.average + place, averages);
        for (int slot = 0; slot < kSlots<kKind>; ++slot) {
            loadFloats(task.optimizerState[slot] + place, slots[slot]);
        }
        const bool isScaled = kIsScaled && task.clipNorm > 0.0F;
        const float scale = isScaled ? task.state->gradientScale : 1.0F;
        constexpr bool kIsDecoupled = !decaysByLoss(kKind);
        const float decay = kIsDecoupled ? order.decayRate * weightDecay : weightDecay;
        for (int k = 0; k < kValues; ++k) {
            const float w = weights[k];
            const float scaled = scale * gradient[k];
            const float g = kIsDecoupled ? scaled : std::fma(decay, w, scaled);
            weights[k] = movedWeight<kKind>(
                task.constants, order, g, kIsDecoupled ? std::fma(-decay, w, w) : w, slots[0][k],
                slots[1][k]);
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
    double ofWeights = 0.0;
    for (int k = 0; k < kValues; ++k) {
        const auto wide = static_cast<double>(weights[k]);
        ofWeights = std::fma(wide, wide, ofWeights);
        if constexpr (kIsMeasured) {
            const auto old = static_cast<double>(before[k]);
            squares.before = std::fma(old, old, squares.before);
            squares.update = std::fma(wide - old, wide - old, squares.update);
        }
    }
    squares.weights += ofWeights;
}

/// What the optimizer does at this step.
__device__ inline StepOrder orderOf(const UpdateTask& task)
{
    return task.gradient != nullptr ? task.orders[task.state->step % task.orderSlots] : StepOrder{};
}

/// Without kMayScale nothing is clipped, and no register is taken for that. The sums of the values
/// that are those of thread number `thread` of kUpdateThreads.
template<UpdateKind kKind, bool kHasOperands, bool kIsMeasured, bool kMayScale>
__device__ ChunkSquares
updateChunk(const UpdateTask& task, const UpdateChunk& chunk, StepOrder order, unsigned thread)
{
    ChunkSquares squares;
    const auto update = [&](auto kind, float weightDecay, auto isScaled) {
        forEachValue<kFloats>(
            chunk.count, chunk.offset % kFloats == 0, thread, kUpdateThreads,
            [&](auto width, std::int64_t i) {
                updateValues<kind.value, width.value, kHasOperands, kIsMeasured, isScaled.value>(
                    task, order, weightDecay, chunk.offset + i, squares);
            });
    };
    if (chunk.momentRate > 0.0F) { // or not, for the whole block
        order.learningRate = std::fmax(chunk.momentRate, order.momentRate);
        update(std::integral_constant<UpdateKind, UpdateKind::Sgd>{}, 1.0F, std::false_type{});
    } else {
        update(
            std::integral_constant<UpdateKind, kKind>{}, chunk.weightDecay,
            std::bool_constant<kMayScale>{});
    }
    return squares;
}

/// Leaves the sum of the squares of a chunk's gradient in the task's squares, 0 for a statistic. By
/// a block of kBlockThreads.
__device__ inline void squareGradient(
    const UpdateTask& task, const UpdateChunk& chunk, std::int64_t number)
{
    double squares = 0.0;
    if (chunk.momentRate == 0.0F) {
        forEachValue<kFloats>(
            chunk.count, chunk.offset % kFloats == 0, threadIdx.x, kBlockThreads,
            [&](auto width, std::int64_t i) {
                float values[width.value];
                loadFloats(task.gradient + chunk.offset + i, values);
                for (const float value : values) {
                    squares =
                        std::fma(static_cast<double>(value), static_cast<double>(value), squares);
                }
            });
    }
    const double sum = blockSum(squares);
    if (threadIdx.x == 0) {
        task.squares[number] = sum;
    }
}

/// After squareGradient() of all chunks: the last of the grid's blocks notes the norm and what it
/// makes of the gradient. All threads must call it.
__device__ inline void noteGradientNorm(const UpdateTask& task)
{
    if (isLastBlock(&task.state->endedBlocks, gridDim.x)) {
        const double norm = std::sqrt(sumOf(task.squares, task.chunkCount));
        if (threadIdx.x == 0) {
            constexpr double kNearly = 1e-6; // as OptimizerSettings has it
            const double scale = static_cast<double>(task.clipNorm) / (norm + kNearly);
            task.state->gradientNorm = norm;
            task.state->gradientScale = static_cast<float>(scale < 1.0 ? scale : 1.0);
        }
    }
}

/// Whether the decay of a chunk is a loss.
template<UpdateKind kKind>
__device__ bool hasDecayLoss(const UpdateChunk& chunk)
{
    return decaysByLoss(kKind) && chunk.weightDecay != 0.0F;
}

/// The loss that a chunk adds, given the sum of the squares of its weights.
__device__ inline double weightDecayOf(const UpdateChunk& chunk, double squares)
{
    return static_cast<double>(chunk.weightDecay) / 2.0 * squares;
}

} // namespace lockstep::cuda
