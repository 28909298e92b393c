// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/stepper.h"

#include <cstdint>
#include <string>

namespace lockstep {

/// Where a fault happened, as far as a check of losses would have mattered.
struct FaultPlace
{
    std::int64_t step = 0;
    int towers = 1;
    bool isNotANumber = true;              ///< else infinite; of a gradient it does not matter
    std::int64_t checkpointEverySteps = 0; ///< 0: none while it trains
};

/// What the check of the classic scripts, the last tower's loss looked at after the update, would
/// have made of a fault: a sentence without a full stop. Such a check sees a fault of the other
/// towers, which are N - 1 of N, a step later at the earliest, when the average with the fault in
/// it has reached every weight; a checkpoint that is due in between is saved with it.
std::string lastTowerCheckText(const StepFault& fault, const FaultPlace& place);

} // namespace lockstep
