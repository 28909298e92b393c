// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep {

/// Where a run stands.
enum class RunState { Ready, Running, Paused, Finished, Stopped, Failed };

/// "ready", "running", …: as it stands in the run store and on the control socket.
std::string_view toString(RunState state);
/// Empty for a word that is none of these.
std::optional<RunState> runStateByName(std::string_view name);

/// Key of the fact of a run that holds toString(RunState): "running" from the first step on.
inline constexpr const char* kRunStateFact = "state";

/// How a run stands that trains, here or in another process.
struct RunStatus
{
    RunState state = RunState::Running;
    std::int64_t step = 0;  ///< updates done
    std::int64_t steps = 0; ///< updates wanted
    int process = 0;
    /// The number of updates after which the epoch ends at which it stops; -1: it does not.
    std::int64_t stopStep = -1;
};

} // namespace lockstep
