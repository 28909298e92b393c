// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "session/config/run_config.h"
#include "tower/replica_memory.h"

#include <cstddef>
#include <string>

namespace lockstep {

/// What one tower of a run would take, on the first device of its configuration.
struct TowerMemory
{
    std::string device; ///< "cpu"
    /// Weights, averaged gradient, moving average and the optimizer's slots, of all towers.
    std::size_t parameterBytes = 0;
    ReplicaMemory training;
    ReplicaMemory evaluation;
};

/// Plans the replicas of a tower without allocating them. `network` is that of the run, or of one
/// of its phases. Errors name the layer.
TowerMemory planTowerMemory(const RunConfig& config, const NetworkSpec& network);

} // namespace lockstep
