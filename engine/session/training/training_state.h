// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/parameter_arena.h"
#include "network/network_spec.h"
#include "storage/checkpoint/checkpoint.h"

#include <vector>

namespace lockstep {

/// Copies weights, moving averages and the optimizer's slots of an arena into a checkpoint.
void captureParameters(
    const NetworkSpec& network, const ParameterArena& arena, Checkpoint& checkpoint);

/// Copies weights, moving averages and those slots of the optimizer that the arena has from a
/// checkpoint into it. Error(BadInput) if they are of another network: names the first tensor that
/// is missing, too many or of another shape; or if a slot is missing. Then the arena is
/// unchanged.
void restoreParameters(
    const NetworkSpec& network, const Checkpoint& checkpoint, const ParameterArena& arena);

/// Fine-tuning: copies tensors of another training, each of a parameter's name and shape, into
/// weights and moving averages. Parameters without one, and the optimizer's slots, stay as they
/// are.
void takeOverWeights(
    const NetworkSpec& network, const std::vector<NamedTensor>& tensors,
    const ParameterArena& arena);

} // namespace lockstep
