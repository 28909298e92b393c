// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/rows/phase_row.h"

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// The phases of a run, of which those that follow each other and differ in the learning rate only
/// are one band: that the rate changes has a mark of its own.
std::vector<PhaseBand> phaseBands(const RunConfig& config);

} // namespace lockstep::ui
