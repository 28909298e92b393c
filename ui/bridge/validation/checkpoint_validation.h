// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/validation/run_validation.h"

#include <optional>

namespace lockstep {
struct NetworkSpec;
struct RunRequest;
} // namespace lockstep

namespace lockstep::ui {

/// Adds what a run would take over of another training, and what is wrong with the checkpoint that
/// it would start from or take its weights from, or with the run for it: another network, settings
/// that may not change when a run goes on, too few steps, weights of which none fit. Reads no more
/// than the header of the file. `network` is empty where it can't be opened.
void checkWeights(
    const RunRequest& request, const std::optional<NetworkSpec>& network, RunFindings& findings);

} // namespace lockstep::ui
