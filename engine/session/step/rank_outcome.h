// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/step_state.h"
#include "session/step/stepper.h"

#include <cstdint>
#include <span>

namespace lockstep {

/// What one rank knows of a step beside the results of its towers; of all ranks: the earliest
/// begin, and the first fault.
struct RankMoment
{
    double begin = 0.0;    ///< when its batch was there, by its own steady clock, in seconds
    int badParameter = -1; ///< whose mean is not finite, where this rank knows; -1: none
    std::uint64_t fault = fault::kNone; ///< of an accelerator
};

/// Completes outcomes that have the own towers with those of all ranks: their phases begin when the
/// first rank had its batch, by the clock of rank 0. `moments`, one a step, become those of all
/// ranks. Collective.
void shareOutcomes(
    Ranks& ranks, int towers, std::span<StepOutcome> outcomes, std::span<RankMoment> moments);

} // namespace lockstep
