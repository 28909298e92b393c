// SPDX-License-Identifier: Apache-2.0
#include "session/training/last_tower_check.h"

#include <fmt/format.h>

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

} // namespace lockstep
