// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/engine_thread.h"

namespace lockstep::ui {

/// What a run on disk, finished or being written by another process, tells of itself: as if it were
/// planned again to go on where it stands. Reads files, so it may take a while: any thread.
/// Error(BadInput) if there is no run, errors of the configuration and of the store as they are.
RunPlan readStoredRun(const std::filesystem::path& folder);

} // namespace lockstep::ui
