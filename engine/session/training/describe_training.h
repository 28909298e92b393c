// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/training/training_plan.h"

#include <string>
#include <vector>

namespace lockstep {

/// What the towers of a training really get: batch, placement, threads, memory; one line for each.
std::vector<std::string> describe(const TrainingPlan& plan, const Stepper& stepper);

} // namespace lockstep
