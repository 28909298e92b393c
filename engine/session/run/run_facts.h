// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "metrics/alert_record.h"
#include "metrics/verdicts/learning_verdict.h"
#include "session/config/run_config.h"
#include "session/training/training_session.h"
#include "storage/rows/step_row_reader.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Key of the fact that names the bytes of memory of every tower, in their order.
inline constexpr const char* kTowerBytesFact = "tower_bytes";
/// The fact kTowerClocksFact as it is now.
RunValue towerClocks(const TrainingSession& session);

// Keys of the facts of a fine-tuned run: the file whose weights it began with, the identity of the
// run that they are of and the number of its updates ("" and 0 for a file that is no checkpoint),
// and InitialWeights::text(), every tensor.
inline constexpr const char* kWeightsFromFact = "weights_from";
inline constexpr const char* kWeightsFromRunFact = "weights_from_run";
inline constexpr const char* kWeightsFromStepFact = "weights_from_step";
inline constexpr const char* kInitialWeightsFact = "initial_weights";

/// Key of the fact that says what the data set left out and what is odd in it, a line each
/// (linesOf); empty where there is nothing to tell.
inline constexpr const char* kDataAccountFact = "data_account";

/// Key of the fact that holds the Chance of the run, its accuracy and its cross-entropy: "0.9
/// 0.325".
inline constexpr const char* kChanceFact = "chance";

/// Key of the fact that holds the configuration as TOML, with the changes that were made to it
/// since.
inline constexpr const char* kConfigurationFact = "configuration";

/// How a run is made, for its store: program, machine, data, towers, configuration, algorithms.
std::vector<RunValue> runFacts(
    const RunConfig& config, const TrainingSession& session, const Dataset& training);

/// By the labels of the training set, as often as they are trained on; not known of a network that
/// does not tell classes of images apart.
Chance chanceOf(const TrainingPlan& plan);
/// Of a run in its store: kChanceFact, or, of one by an older program, by how many classes there
/// are. Not known of a run that another program trained.
Chance chanceOf(const RunStoreReader& store, ModelSettings model);

/// What was told of the run as a warning, on the line that leads to its newest branch.
std::vector<AlertRecord> toldAlerts(const RunStoreReader& store);

/// What the devices of a run are, or were, by name: {"cuda:0", "NVIDIA H100, compute 9.0"}. Empty
/// where the folder holds no run that tells.
std::map<std::string, std::string> devicesOfRun(const std::filesystem::path& folder);

/// kRecordedByFact: what recorded a run that another program trained, which can only be looked at.
/// Empty for a run of our own, and where the folder holds none that tells.
std::string recorderOf(const std::filesystem::path& folder);

} // namespace lockstep
