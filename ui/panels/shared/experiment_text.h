// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockstep {
struct RunConfig;
}

namespace lockstep::ui {

/// The fault on purpose that a run has (ExperimentSettings), in words; empty for a proper one, and
/// for settings that can't be.
QString experimentText(const lockstep::RunConfig& config);

} // namespace lockstep::ui
