// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "metrics/scores/average_precision.h"
#include "session/run/training_run.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <vector>

namespace lockstep {

/// What to cross-validate, and where.
struct CrossValidationRequest
{
    RunConfig config;             ///< of every fold; its `dataset.folds` says how many there are
    std::filesystem::path folder; ///< of all; a run each is in fold-0, fold-1, …
    WeightsKind weights = WeightsKind::Average; ///< that are scored
};

/// A fold: the run that trained without it, and what it says of its images.
struct FoldResult
{
    int fold = 0;
    std::filesystem::path folder;
    std::int64_t steps = 0;
    double trainingSeconds = 0.0; ///< steps alone
    std::vector<ImageScore> images;
};

/// All folds together: every image scored once, by a network that never saw its item.
struct CrossValidationResult
{
    std::vector<FoldResult> folds;
    std::vector<ImageScore> images; ///< those of the folds, one after the other
    DetectionScores scores;         ///< of all images by one threshold
    Interval interval;              ///< of the average precision, 90 %, see BootstrapSettings
    Shape inputShape;               ///< what the network reads
    int dilation = 0;
    double seconds = 0.0; ///< of this call: folds that were done before take next to none
};

/// Trains and evaluates every fold in turn. Folds that are finished are taken as they are, one that
/// was interrupted goes on from its newest checkpoint.
class CrossValidation
{
public:
    /// Error(BadInput) if the configuration can't be cross-validated, or the folder holds folds of
    /// another one.
    explicit CrossValidation(const CrossValidationRequest& request);

    /// Is told of the beginning of each fold; may be empty.
    using OnFold = std::function<void(int fold, const TrainingRun& run)>;
    /// Error(Cancelled) after stop(); what is done is kept. Else errors of TrainingRun.
    CrossValidationResult run(RunObserver& observer, const OnFold& onFold = {});

    /// The fold that trains stops with a checkpoint, and so does everything. Any thread.
    void stop();

private:
    void findInitialWeights(RunObserver& observer);
    [[nodiscard]] RunConfig configOf(int fold) const;
    [[nodiscard]] FoldResult resultOf(int fold) const;
    [[nodiscard]] bool isFinished(int fold) const;
    void checkData(int fold) const;
    void train(int fold, RunObserver& observer, const OnFold& onFold);
    [[nodiscard]] std::filesystem::path folderOf(int fold) const;

    CrossValidationRequest m_request;
    std::mutex m_mutex; ///< of the run that stop() reaches
    TrainingRun* m_run = nullptr;
    bool m_isStopped = false;
};

} // namespace lockstep
