// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/telemetry/session_event.h"
#include "engine/remote.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace lockstep {
class RunStoreReader;
}

namespace lockstep::ui {

/// What a run on disk, finished or being written by another process, tells of itself: as if it were
/// planned again to go on where it stands. Reads files, so it may take a while: any thread.
/// Error(BadInput) if there is no run, errors of the configuration and of the store as they are.
RunPlan readStoredRun(const std::filesystem::path& folder);

/// How a run stands by its own words: Running from its first step until it has ended; empty before
/// and for words that mean nothing.
std::optional<RunState> recordedState(const std::map<std::string, std::string>& facts);

/// So many gradient records of a run's history are read, and the newest 100.
inline constexpr std::size_t kHistoryGradients = 500;

/// As RunPlan has them: none where the loss says it all.
std::vector<std::string> severalObjectives(std::vector<std::string> objectives);

/// The newest branch of a run; 0 if it has none yet.
std::int64_t newestBranch(const RunStoreReader& reader);

} // namespace lockstep::ui
