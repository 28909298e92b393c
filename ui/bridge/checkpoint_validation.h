// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/run_validation.h"

#include <optional>

namespace lockstep::ui {

/// What is wrong with the checkpoint that a run would start from or take its weights from, or with
/// the run for it: another network, settings that may not change when a run goes on, too few steps,
/// weights of which none fit. Reads no more than the
/// header of the file. `network` is empty where it can't be opened.
QList<ConfigProblem> checkpointProblems(
    const RunRequest& request, const std::optional<NetworkSpec>& network);

} // namespace lockstep::ui
