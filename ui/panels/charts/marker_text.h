// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/runs/run_marks.h"
#include "plots/rows/marker_row.h"

#include <vector>

namespace lockstep::ui {

/// What happened in a run, in words, for the x axes of its charts.
std::vector<PlotMarker> markersOf(const std::vector<RunMark>& marks);

} // namespace lockstep::ui
