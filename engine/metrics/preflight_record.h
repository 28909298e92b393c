// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/enum_names.h"

#include <string>
#include <string_view>

namespace lockstep {

enum class PreflightResult { Passed, Warning, Failed };

/// As it stands on the terminal and in the run store.
inline constexpr EnumNames<PreflightResult, 3> kPreflightResults{{"passed", "warning", "failed"}};

constexpr std::string_view toString(PreflightResult result)
{
    return kPreflightResults.of(result);
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
