// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/dataset.h"
#include "session/run_config.h"
#include "session/training_session.h"
#include "storage/run_store.h"

#include <string>
#include <vector>

namespace lockstep {

/// Key of the fact that names the device of every tower, in their order: "cuda:0 cuda:0 cuda:1".
inline constexpr const char* kTowerDevicesFact = "tower_devices";

/// Key of the fact that names the file whose weights a fine-tuned run began with.
inline constexpr const char* kWeightsFromFact = "weights_from";

/// Key of the fact that holds the configuration as TOML, with the changes that were made to it
/// since.
inline constexpr const char* kConfigurationFact = "configuration";

/// How a run is made, for its store: program, machine, data, towers, configuration, algorithms.
std::vector<RunValue> runFacts(
    const RunConfig& config, const TrainingSession& session, const Dataset& training);

} // namespace lockstep
