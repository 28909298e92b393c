// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/step/stepper.h"

namespace lockstep {

/// What one rank knows of a step beside its towers.
struct RankMoment
{
    double begin = 0.0;    ///< when its batch was there, by its own steady clock, in seconds
    int badParameter = -1; ///< whose mean is not finite, where this rank knows; -1: none
};

/// Seconds of the steady clock.
double steadySeconds();

/// Completes an outcome that has the own towers with those of all ranks: their phases begin when
/// the first rank had its batch, by the clock of rank 0. Returns what any rank knows of a bad
/// parameter. Collective.
int shareOutcome(Ranks& ranks, int towers, const RankMoment& own, StepOutcome& outcome);

} // namespace lockstep
