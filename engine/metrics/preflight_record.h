// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

enum class PreflightResult { Passed, Warning, Failed };

/// "passed", "warning" or "failed": as it stands on the terminal and in the run store.
constexpr std::string_view toString(PreflightResult result)
{
    switch (result) {
    case PreflightResult::Passed:
        return "passed";
    case PreflightResult::Warning:
        return "warning";
    case PreflightResult::Failed:
        break;
    }
    return "failed";
}

/// One line of the checklist that a run goes through before its first step. A plain value.
struct PreflightRecord
{
    std::string name; ///< what was checked: "checkpoint", "free space", "data", …
    PreflightResult result = PreflightResult::Passed;
    std::string text;     ///< what was found, for people; a failure says what to do
    double seconds = 0.0; ///< that it took
};

} // namespace lockstep
