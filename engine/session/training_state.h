// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/parameter_arena.h"
#include "network/network_spec.h"
#include "storage/checkpoint.h"

#include <string>
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

/// Fine-tuning: copies the tensors of another training into weights and moving averages, but for
/// those of `freshLayers`, which stay as they are. Returns the names of tensors that the network
/// has no use for. Error(BadInput) if one is missing or of another shape (then the arena is
/// unchanged), or if there is no such layer.
std::vector<std::string> takeOverWeights(
    const NetworkSpec& network, const std::vector<NamedTensor>& tensors,
    const std::vector<std::string>& freshLayers, const ParameterArena& arena);

} // namespace lockstep
