// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/gather/rank_file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// What each rank logged of a training that nothing recorded, as rank files would have it: one
/// source a rank, as far as the logs go. All are read at once. Where not every step was logged, a
/// row is what was logged at once: the rows are counted from 0, and an event says which steps they
/// are of.
using RankSources = std::vector<std::unique_ptr<RankSource>>;

/// TensorBoard's event files: a folder for each rank, in their order. `loss` names the tag of the
/// loss; empty: the usual names. Error(BadInput) names the tags that there are.
RankSources eventFileSources(
    const std::vector<std::filesystem::path>& folders, const std::string& loss);

/// Tables with a line of names: a file for each rank in their order, or one with a column `rank`.
/// Columns, as many as there are: step (else the lines are counted), time (seconds), loss,
/// learning_rate or lr, examples, correct, and the seconds of the phases: data, forward, backward,
/// averaging, update. `loss` as above. Error(BadInput) names file and line.
RankSources tableSources(const std::vector<std::filesystem::path>& files, const std::string& loss);

} // namespace lockstep
