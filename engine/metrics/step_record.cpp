// SPDX-License-Identifier: Apache-2.0
#include "metrics/step_record.h"

#include <algorithm>

namespace lockstep {

std::optional<double> workSeconds(const TowerRecord& tower)
{
    if (tower.copySeconds < 0.0 || tower.forwardSeconds < 0.0 || tower.backwardSeconds < 0.0) {
        return std::nullopt;
    }
    return tower.copySeconds + tower.forwardSeconds + tower.backwardSeconds;
}

std::optional<double> arrivalSeconds(const TowerRecord& tower)
{
    const auto work = workSeconds(tower);
    return work && tower.startSeconds >= 0.0 ? std::optional(tower.startSeconds + *work)
                                             : std::nullopt;
}

std::optional<double> waitingSeconds(const StepRecord& step, const TowerRecord& tower)
{
    const auto arrival = arrivalSeconds(tower);
    if (!arrival || step.computeSeconds < 0.0) {
        return std::nullopt;
    }
    return std::max(0.0, step.computeSeconds - *arrival);
}

} // namespace lockstep
