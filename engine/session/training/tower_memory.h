// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "session/config/run_config.h"
#include "tower/replica_memory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

/// What the towers of a run need of one device.
struct DeviceNeed
{
    std::string device;              ///< "cuda:0"
    std::size_t bytes = 0;           ///< in the phase that needs the most
    std::int64_t availableBytes = 0; ///< of the device; 0: not known
};

/// For the devices of a run that have towers, in their order. Opens the devices; data, libraries
/// and the second copies of threads that share a tower's rows are not counted. Errors as above.
std::vector<DeviceNeed> planRunMemory(const RunConfig& config);

} // namespace lockstep
