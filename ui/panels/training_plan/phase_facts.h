// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/training_plan/phase_line.h"

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// What the model offers to its phases; nothing for one that can't be made.
PhaseChoices phaseChoices(const RunConfig& config);

/// What becomes of the phases where the run is not as long as all of them; empty where it is.
QString phaseNote(const RunConfig& config);

/// "Phase 1: steps must be a whole number" of "phase.0.steps must be a whole number"; empty for
/// what is not about a phase.
QString phaseProblem(const QString& message);

} // namespace lockstep::ui
