// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace lockstep {

/// Where the user keeps files of a kind, by the XDG Base Directory Specification: the folder that
/// `variable` names (XDG_CACHE_HOME), else `below` (".cache") in the home folder. Relative paths
/// are passed over, as the specification has it; empty where there is neither. Thread-safe as long
/// as nobody sets environment variables.
std::filesystem::path userFolder(const char* variable, const std::filesystem::path& below);

} // namespace lockstep
