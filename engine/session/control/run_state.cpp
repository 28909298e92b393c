// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_state.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep {
namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 6> kNames{{
    {RunState::Ready, "ready"},
    {RunState::Running, "running"},
    {RunState::Paused, "paused"},
    {RunState::Finished, "finished"},
    {RunState::Stopped, "stopped"},
    {RunState::Failed, "failed"},
}};

} // namespace

std::string_view toString(RunState state)
{
    return std::ranges::find(kNames, state, &std::pair<RunState, std::string_view>::first)->second;
}

std::optional<RunState> runStateByName(std::string_view name)
{
    const auto* const found =
        std::ranges::find(kNames, name, &std::pair<RunState, std::string_view>::second);
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

} // namespace lockstep
