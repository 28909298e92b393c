// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace lockstep {

/// Where a run stands.
enum class RunState { Ready, Running, Paused, Finished, Stopped, Failed };

/// "ready", "running", …: as it stands in the run store and on the control socket.
std::string_view toString(RunState state);
/// Empty for a word that is none of these.
std::optional<RunState> runStateByName(std::string_view name);

} // namespace lockstep
