// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace lockstep::train {

// What a rank tells `lockstep-train launch` comes with its notes, from whichever machine it runs
// on: mpirun brings both to where it was started.

/// Set for the ranks of our launcher.
inline constexpr const char* kLauncherVariable = "LOCKSTEP_LAUNCHER";

/// Tells the launcher, where there is one, which rank was lost; -1: none.
void tellLauncher(int lostRank);

/// Takes such a line out of what the ranks wrote; returns the rank that it names.
std::optional<int> takeLostRank(std::string& text);

} // namespace lockstep::train
