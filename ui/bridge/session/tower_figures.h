// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/tower_table_model.h"

#include <vector>

namespace lockstep {
struct DeviceReadingRecord;
struct StepRecord;
} // namespace lockstep

namespace lockstep::ui {

/// What the towers did over a block of steps: the loss of the last one; as rate, the tower's
/// examples of all of them / the seconds that it worked. Empty for no steps.
std::vector<TowerFigures> towerFigures(const std::vector<StepRecord>& steps);

/// For TowerTableModel.
DeviceFigures deviceFigures(const DeviceReadingRecord& reading);

} // namespace lockstep::ui
