// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "session/config/run_config.h"
#include "storage/checkpoint/checkpoint_folder.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

/// The checkpoint that a person means by a path: the file itself, or the newest good one of a run
/// folder or of a folder of checkpoints. Damaged ones that are skipped are told to `onSkipped`.
/// Error(BadInput) if nothing is there; errors of readCheckpoint() for a file.
LoadedCheckpoint openCheckpoint(
    const std::filesystem::path& path,
    const std::function<void(const std::string&)>& onSkipped = {});

/// A network that a program gave as text lies in its run (RunFolder::modelFileOf()); where the run
/// was moved, it is the file there.
void followMovedModel(RunConfig& config, const std::filesystem::path& run);

/// Whether the data that a configuration names lie where those of the training lay.
bool isPlaceOfTraining(const LoadedCheckpoint& loaded, const RunConfig& config);

/// The configuration that it was trained with, and so its model, its data set and its input, with
/// the data in `dataPath` unless that is empty. Error(BadInput) if it holds none, or not the
/// weights that are wanted.
RunConfig configurationOf(
    const LoadedCheckpoint& loaded, WeightsKind weights, const std::string& dataPath);

/// Changes how data are read: each setting is "dataset.KEY=VALUE". Error(BadInput) for any other
/// key or form, and as RunConfig::validate().
void readDataAs(RunConfig& config, const std::vector<std::string>& settings);

} // namespace lockstep
