// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "session/evaluation/evaluation.h"
#include "session/evaluation/evaluation_data.h"
#include "session/evaluation/example_logits.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What to evaluate, and where.
struct CheckpointEvaluationRequest
{
    std::filesystem::path checkpoint; ///< file, run folder or folder of checkpoints
    std::string dataPath;             ///< folder of the data set; empty: the one of the training
    WeightsKind weights = WeightsKind::Average;
    /// Threads that share the work, at least 1, same result for any number; none: one a processor.
    std::optional<int> towers;
    std::string device = "auto";
    /// Of so many test examples, the first ones, the logits are wanted, too.
    std::int64_t logitsOf = 0;
    bool mustClassify = false;              ///< files of classification_csv.h are wanted
    std::string split = {};                 ///< one of kScoredSplits
    std::vector<std::string> settings = {}; ///< of the data where they are read otherwise
    /// Of a program that brings its own data set: makes the test examples in place of all these,
    /// which may take long, once the checkpoint is read.
    std::function<std::shared_ptr<const Dataset>()> bringDataset = nullptr;
};

/// What came of it.
struct CheckpointEvaluation
{
    EvaluationRecord record;
    std::filesystem::path checkpoint; ///< the file that was read
    std::string model;
    std::string dataset;
    std::string device;
    int towers = 0;
    std::vector<std::string> objectives; ///< names of those of the network
    std::vector<ExampleLogits> logits;   ///< in the order of the data set
    std::int64_t classCount = 0;         ///< that the network tells apart; 0: it does not classify
    std::vector<std::string> classes;    ///< names of the labels; there may be fewer
    std::vector<std::string> names;      ///< of the examples
    std::vector<std::string> dataNotes;  ///< what openEvaluationData() told
};

/// Scores the weights of a checkpoint on the examples of the data set that it was trained on, or of
/// another one of its kind (openEvaluationData): model, data set and input are those of the
/// configuration that it holds. `onNote` is told, one line each, of damaged files that were
/// skipped, of what the device choice fell back to, and what openEvaluationData() has to tell.
/// Error(BadInput) for what the request gets wrong, for a checkpoint without a configuration or
/// without the weights asked for, or of a model that does not classify but must; errors of the data
/// set; Error(Cancelled) if `progress` says so.
CheckpointEvaluation evaluateCheckpoint(
    const CheckpointEvaluationRequest& request,
    const std::function<void(const std::string&)>& onNote = {},
    const EvaluationProgress& progress = {});

} // namespace lockstep
