// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/parameter_arena.h"
#include "network/network_spec.h"
#include "storage/checkpoint.h"

namespace lockstep {

/// Copies weights and moving averages of an arena into a checkpoint.
void captureParameters(
    const NetworkSpec& network, const ParameterArena& arena, Checkpoint& checkpoint);

/// Copies weights and moving averages of a checkpoint into an arena. Error(BadInput) if they are of
/// another network: names the first tensor that is missing, too many or of another shape. Then the
/// arena is unchanged.
void restoreParameters(
    const NetworkSpec& network, const Checkpoint& checkpoint, const ParameterArena& arena);

} // namespace lockstep
