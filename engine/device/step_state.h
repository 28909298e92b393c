// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

// What lies in an accelerator's memory so that a captured step needs nothing of the host: the same
// work is enqueued again and again, and finds here which step it is.

/// A value that was not finite: where, and in whose gradient. Ordered by place, so that the first
/// one is the smallest.
namespace fault {

constexpr std::uint64_t kNone = ~std::uint64_t{0};
/// The tower of a sum whose terms were all finite.
constexpr std::uint64_t kNoTower = 0xFFFF;

/// The loss of a tower.
constexpr std::uint64_t ofLoss(int tower)
{
    return static_cast<std::uint64_t>(tower);
}
/// Value `offset` of the arena; tower kNoTower: of the average only.
constexpr std::uint64_t ofGradient(std::int64_t offset, std::uint64_t tower)
{
    return ((static_cast<std::uint64_t>(offset) + 1) << 16U) | tower;
}
constexpr bool isLoss(std::uint64_t code)
{
    return code >> 16U == 0;
}
constexpr std::int64_t offsetOf(std::uint64_t code)
{
    return static_cast<std::int64_t>(code >> 16U) - 1;
}
/// -1: none of the towers.
constexpr int towerOf(std::uint64_t code)
{
    return (code & 0xFFFFU) == kNoTower ? -1 : static_cast<int>(code & 0xFFFFU);
}

} // namespace fault

/// The state of a training on one accelerator. Once a step has a fault, neither it nor any later
/// step changes weights or this state except for the reports that say so.
struct StepState
{
    std::int64_t step = 0;              ///< the one that is being made
    std::int64_t stuckStep = -1;        ///< the one that was refused
    std::uint64_t fault = fault::kNone; ///< of the step that is being made, or was refused
    double weightDecayLoss = 0.0;       ///< of the weights as they are
    std::uint32_t endedBlocks = 0;      ///< of a kernel whose last block goes on, while it runs
    float gradientScale = 1.0F;         ///< of the step that is being made, where it is clipped
    double gradientNorm = -1.0;         ///< likewise; -1: not looked at
};

/// What the host has decided about a step. A ring of these lies on the device: step k is at
/// k % (slots of the ring).
struct StepOrder
{
    float learningRate = 0.0F; ///< as averageRate, see UpdateRule
    float averageRate = 0.0F;
    float momentRate = 0.0F; ///< the least of any statistic; see UpdateChunk
    float decayRate = 0.0F;  ///< as epsilonScale, see UpdateRule
    float epsilonScale = 1.0F;
};

// StepFeature::PhaseClock: what the device's clock said, in nanoseconds, at the borders of the
// phases of a step. Kernels that run there anyway note it.

/// Of a tower.
struct TowerStamps
{
    std::int64_t begin = 0;        ///< it begins with its rows
    std::int64_t afterForward = 0; ///< the losses are there
    std::int64_t arrival = 0;      ///< all of its gradients are there
};

/// Of a sum over devices, on one of them.
struct SumStamps
{
    std::int64_t begin = 0; ///< its own part is there
    std::int64_t end = 0;
};

/// What the device says of a step. Followed by its ObjectiveResults, and by the stamps of the step,
/// where there are any.
struct StepReport
{
    std::int64_t step = -1;
    std::int64_t nanoseconds = 0; ///< the device's clock at the end of the step
    double weightDecayLoss = 0.0; ///< of the weights before the update
    std::int64_t stuckStep = -1;  ///< -1: the update was applied
    std::uint64_t fault = fault::kNone;
    double gradientNorm = -1.0; ///< before it was clipped; -1: not looked at
};

} // namespace lockstep
