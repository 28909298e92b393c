// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace lockstep {

/// How weights follow their gradient. A new one takes a case in slotsOf(), in
/// cpu/update_kernel.cpp, in cuda/update_kernel.cu, in double in
/// update/optimizer_reference.cpp, and a name in update/optimizer_settings.cpp.
enum class UpdateKind { Sgd, Momentum, RmsProp, Adam, AdamW };

/// The weight decay is a part of the gradient, as that of a loss, which is then reported.
constexpr bool decaysByLoss(UpdateKind kind)
{
    return kind != UpdateKind::AdamW;
}

/// What an optimizer keeps of each weight from step to step: a part of the parameter arena.
struct SlotSpec
{
    const char* name; ///< "momentum": as checkpoints call it
    float initial;    ///< before the first step
};

constexpr std::size_t kMostSlots = 2;

/// The slots of a kind, in the order in which UpdateArrays has them.
std::span<const SlotSpec> slotsOf(UpdateKind kind);

/// A kind and its constants, as devices calculate with them; see OptimizerSettings. Differences to
/// 1 are taken in double: 1 - 0.999F is off by a 1 in 60,000.
struct UpdateConstants
{
    UpdateKind kind = UpdateKind::Sgd;
    float momentum = 0.0F;   ///< of Momentum and RmsProp
    float meanRate = 0.0F;   ///< of Adam and AdamW: 1 - beta1
    float squareRate = 0.0F; ///< of RmsProp: 1 - decay; of Adam and AdamW: 1 - beta2
    float epsilon = 0.0F;    ///< of RmsProp, within the root; of Adam and AdamW, beside it
    bool isNesterov = false; ///< of Momentum
};

/// One step of the optimizer on a range of the arena. With the gradient times gradientScale, and
/// g = gradient + weightDecay * w:
///     Sgd       w -= learningRate * g
///     Momentum  m = momentum * m + g,  w -= learningRate * (isNesterov ? g + momentum * m : m)
///     RmsProp   s += squareRate * (g^2 - s),  m = momentum * m + learningRate * g / sqrt(s +
///               epsilon),  w -= m
///     Adam      m += meanRate * (g - m),  s += squareRate * (g^2 - s),
///               w -= learningRate * m / (sqrt(s) + epsilonScale * epsilon)
///     AdamW     w -= decayRate * weightDecay * w, then as Adam with g = gradient
/// then average += averageRate * (w - average).
struct UpdateRule
{
    float learningRate = 0.0F; ///< see UpdateSettings, as all but the weight decay
    float weightDecay = 0.0F;
    /// 1 - decay of the moving average. Subtract in double: 1 - 0.9999F is 0.02 % off.
    float averageRate = 0.0F;
    UpdateConstants constants = {};
    float decayRate = 0.0F;
    float epsilonScale = 1.0F;
    float gradientScale = 1.0F; ///< see OptimizerSettings::clipNorm
};

/// What an update reads and writes: the same range of the parts of an arena.
struct UpdateArrays
{
    const float* gradient = nullptr;
    float* weights = nullptr;
    float* average = nullptr;
    std::byte* operands = nullptr; ///< rounded copies of the new weights; null: none are kept
    std::array<float*, kMostSlots> optimizerState =
        {}; ///< of the rule's kind; null where it has fewer
};

} // namespace lockstep
