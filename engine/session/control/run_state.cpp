// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_state.h"

#include "base/enum_names.h"

namespace lockstep {
namespace {

constexpr EnumNames<RunState, 6> kNames{
    {"ready", "running", "paused", "finished", "stopped", "failed"}};

} // namespace

std::string_view toString(RunState state)
{
    return kNames.of(state);
}

std::optional<RunState> runStateByName(std::string_view name)
{
    return kNames.find(name);
}

} // namespace lockstep
