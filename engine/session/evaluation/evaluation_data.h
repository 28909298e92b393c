// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "session/config/run_config.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace lockstep {

/// What of a data set is scored. Empty: the test examples of the training, and of other data that
/// have no part to test on all.
inline constexpr std::array<const char*, 5> kScoredSplits{"", "all", "train", "validation", "test"};

using CheckpointNotes = std::map<std::string, std::string>;

/// Which examples a checkpoint is asked about.
struct EvaluationChoice
{
    RunConfig config;       ///< of the checkpoint, with the place of the data to be scored
    std::string split = {}; ///< one of kScoredSplits
    /// The data lie where those of the training lay.
    bool isPlaceOfTraining = true;
    /// In place of what lies there.
    std::shared_ptr<const Dataset> brought = nullptr;
};

/// Opens them, with the labels of the checkpoint that has these notes, by the names of its classes.
/// `onNote` is told, a line each, which examples they are where that is not plain, and that some of
/// them may have been trained on. Error(BadInput) for a split that the data do not have and for
/// classes that the checkpoint does not know, see relabelled(); errors of the data set.
std::shared_ptr<const Dataset> openEvaluationData(
    const EvaluationChoice& choice, const CheckpointNotes& notes,
    const std::function<void(const std::string&)>& onNote);

} // namespace lockstep
