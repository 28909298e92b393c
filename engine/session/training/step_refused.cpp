// SPDX-License-Identifier: Apache-2.0
#include "session/training/step_refused.h"

#include "ranks/rank_table.h"

#include <fmt/core.h>

#include <cmath>

namespace lockstep {

std::string lastTowerCheckText(const FaultInSight& fault)
{
    if (std::isnan(fault.lossLast)) {
        return "A check of the last tower's loss after the update, as the classic scripts make it, "
               "would have seen it too late for the weights";
    }
    const std::int64_t updates = fault.step + 1;
    const bool isSaved =
        fault.checkpointEverySteps > 0 && updates % fault.checkpointEverySteps == 0;
    return fmt::format(
        "A check for NaN of the last tower's loss alone would have passed this step and applied "
        "the update{}; it could have seen the fault at step {} at the earliest",
        isSaved ? fmt::format(", and checkpoint {} would have been saved with it", updates) : "",
        updates);
}

namespace {

/// Of several ranks that of a tower, " (rank 1 on node7)".
std::string rankText(int tower, const TrainingPlan& plan)
{
    const Ranks* const ranks = plan.share.ranks;
    if (ranks == nullptr) {
        return {};
    }
    int rank = 0;
    for (const TowerRange& place : placeTowers(plan.config.towers, ranks->size())) {
        if (tower < place.first + place.count) {
            break;
        }
        ++rank;
    }
    return fmt::format(" ({})", nameOf(*ranks, rank));
}

} // namespace

StepRefused refusalOf(const StepOutcome& outcome, const TrainingPlan& plan)
{
    constexpr const char* kKept = "the update was not applied";
    const StepFault& fault = *outcome.fault;
    const std::string missed = lastTowerCheckText(
        {outcome.step, outcome.towers.back().loss(outcome.weightDecayLoss),
         plan.config.checkpointEverySteps});
    if (fault.parameter < 0) {
        const TowerResult& tower = outcome.towers[static_cast<std::size_t>(fault.tower)];
        return {
            fault,
            fmt::format(
                "step {}, tower {}{}: the loss is {}; {}. {}", outcome.step, fault.tower,
                rankText(fault.tower, plan),
                std::isnan(tower.loss(outcome.weightDecayLoss)) ? "not a number" : "infinite",
                kKept, missed)};
    }
    // Finite gradients can have a sum that is not.
    const std::string whose =
        fault.tower >= 0
            ? fmt::format("tower {}{}: the gradient", fault.tower, rankText(fault.tower, plan))
            : "the averaged gradient";
    return {
        fault, fmt::format(
                   "step {}, {} of '{}' is not finite; {}. {}", outcome.step, whose,
                   plan.network.parameters[static_cast<std::size_t>(fault.parameter)].name, kKept,
                   missed)};
}

} // namespace lockstep
