// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/curves/loss_preview.h"
#include "storage/store/run_store.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

class SqliteDatabase;

/// A checkpoint that was written, and the branch that it is a state of. It may be deleted since.
struct CheckpointFact
{
    std::int64_t branch = 0;
    RunCheckpoint checkpoint;
};

/// Reads RUN/run.db, finished or being written by another thread or process, and changes nothing.
/// Steps, gradients, evaluations and readings are those of the lineage: the newest branch and,
/// below its first step, the branches it came from. One thread at a time; any number of readers.
/// Errors name the file: Error(Io) if it can't be read, Error(Data) if it is damaged or no run
/// store.
class RunStoreReader
{
public:
    using TakeStep = std::function<void(const StepRecord&)>;
    using TakeGradient = std::function<void(const GradientRecord&)>;
    using TakeReading = std::function<void(const DeviceReadingRecord&)>;
    using TakeBranchStep = std::function<void(std::int64_t branch, const StepRecord&)>;
    static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();
    static constexpr std::int64_t kLastReadings = 4096;

    explicit RunStoreReader(const std::filesystem::path& file);
    ~RunStoreReader();
    RunStoreReader(const RunStoreReader&) = delete;
    RunStoreReader& operator=(const RunStoreReader&) = delete;

    [[nodiscard]] std::map<std::string, std::string> values() const;
    /// By ascending number: the last one is the current branch.
    [[nodiscard]] std::vector<RunBranchInfo> branches() const;
    /// Without their images: see imageScores().
    [[nodiscard]] std::vector<EvaluationRecord> evaluations() const;
    /// Every image of the evaluation of these weights after `step` updates, in the order of the
    /// data set; empty where there is no such evaluation, or the network does not detect.
    [[nodiscard]] std::vector<ImageScore> imageScores(std::int64_t step, WeightsKind weights) const;
    /// As imageScores(), for networks that classify; of each branch and kind of weights only the
    /// newest evaluation and the first one of the highest accuracy have kept their images.
    [[nodiscard]] std::vector<ClassifiedImage> classifiedImages(
        std::int64_t step, WeightsKind weights) const;
    /// Names of the classes of such a network, label by label; there may be fewer than it has
    /// logits. Empty for other networks.
    [[nodiscard]] std::vector<std::string> classNames() const;
    /// Names of the objectives of the run's network, in their order.
    [[nodiscard]] std::vector<std::string> objectives() const;
    /// What each step of the lineage trained, and the steps to come will, by ascending step.
    [[nodiscard]] std::vector<RunPhase> phases() const;
    /// In the order in which they were made.
    [[nodiscard]] std::vector<DeviceReadingRecord> deviceReadings() const;
    /// One by one, as a long run has millions, from the one with the number `first` on.
    void forEachDeviceReading(const TakeReading& take, std::int64_t first = 1) const;
    /// The number of the one that was written last; 0 without any.
    [[nodiscard]] std::int64_t newestReading() const;
    /// The last one of each device. One that had no part in the newest kLastReadings, which are
    /// minutes, is not there any more.
    [[nodiscard]] std::vector<DeviceReadingRecord> lastDeviceReadings() const;
    /// Those of all steps that have any or, where they are more than `most`, so many of them at
    /// most, at steps evenly spread; of the newest 100 always all. Takes as long for a long run as
    /// for a short one.
    [[nodiscard]] std::vector<GradientRecord> someGradients(std::size_t most) const;
    /// Of all branches, in the order in which they happened.
    [[nodiscard]] std::vector<RunEvent> events() const;
    /// Of all branches, by branch and step.
    [[nodiscard]] std::vector<CheckpointFact> checkpoints() const;
    /// The checklist of the current branch, in its order.
    [[nodiscard]] std::vector<PreflightRecord> preflight() const;

    /// Last step of the lineage + 1; 0 without a step.
    [[nodiscard]] std::int64_t nextStep() const;
    /// Most towers of any branch of the lineage that has a step there; 0 without a step.
    [[nodiscard]] int towers() const;

    /// Calls `take` for each step in [first, end) by ascending number. All come from one state of
    /// the store, even while it is being written. Values that are not a number come back as such.
    void forEachStep(const TakeStep& take, std::int64_t first = 0, std::int64_t end = kNoEnd) const;

    /// As forEachStep(), but many times faster, for curves of long runs. Only these are filled in:
    /// step, examples, epoch, learningRate, stepSeconds, wallSeconds, lossMean, lossLast,
    /// examplesPerSecond, secondsPerBatch and of each tower loss, correct, examples and
    /// objectives; losses and learning rate are rounded to float. The last 512 steps, and what no
    /// block holds yet, come in full.
    void forEachCurveStep(
        const TakeStep& take, std::int64_t first = 0, std::int64_t end = kNoEnd) const;

    /// As forEachStep(), for the steps of all branches, abandoned ones too, by branch and step.
    void forEachBranchStep(const TakeBranchStep& take) const;

    /// As forEachStep(), for the gradients of the steps that have any.
    void forEachGradient(
        const TakeGradient& take, std::int64_t first = 0, std::int64_t end = kNoEnd) const;

    /// The mean loss over the lineage in at most `mostNodes` > 0 nodes, each of as many steps;
    /// a node per step where that is enough.
    [[nodiscard]] LossPreview lossPreview(std::size_t mostNodes) const;

    /// What the lineage has left behind, by ascending branch, each with its loss preview.
    [[nodiscard]] std::vector<AbandonedStretch> abandoned(std::size_t mostNodes) const;

private:
    std::unique_ptr<SqliteDatabase> m_database;
};

} // namespace lockstep
