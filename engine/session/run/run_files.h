// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/config/best_checkpoint.h"
#include "session/control/crash_trace.h"
#include "session/run/run_start.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What a run needs to know to be written.
struct RunFilesSettings
{
    std::filesystem::path folder; ///< of a new run; empty: a new one in the default place
    std::string model;            ///< names that one
    RunBranch branch; ///< what is the same for all steps; its parent comes from the start
};

/// A run that is being written: its folder, checkpoints and store, and the order in which they are
/// written, so that a kill at any moment leaves a run that can be gone on with. One thread, except
/// for append().
class RunFiles
{
public:
    /// Makes the folder, or takes over that of the start; begins a branch, and sets checkpoints
    /// aside that are not in its past. A new folder goes again if that fails.
    RunFiles(RunStart& start, const RunConfig& config, const RunFilesSettings& settings);

    void append(RunRecord record) { m_store->append(std::move(record)); }
    void append(const EvaluationRecord& evaluation);
    void append(const StepRecord& step)
    {
        m_crashPlace->setStep(step.step);
        m_store->append(step);
    }

    /// Writes the store, so that a resume from here finds no gap, then the checkpoint, then deletes
    /// those that are superseded. `reason`: see RunCheckpoint. Returns the file.
    const std::filesystem::path& save(Checkpoint checkpoint, const std::string& reason);
    /// Has a checkpoint of exactly this state, of the step that savedStep() says, never deleted:
    /// writes one where there is none. Returns the file.
    const std::filesystem::path& keep(const Checkpoint& checkpoint);
    /// The run goes on with this configuration: replaces run.toml and tells the store.
    void saveConfiguration(const RunConfig& config);
    /// A checkpoint somewhere else, which is neither counted nor deleted.
    void saveAs(Checkpoint checkpoint, const std::filesystem::path& file) const;
    /// See CheckpointFolder::probe().
    [[nodiscard]] std::uintmax_t probe(const Checkpoint& checkpoint) const;
    /// What was told so far is there for readers.
    void flush() { m_store->flush(); }
    /// Writes what is left and ends the writer.
    void close() { m_store->close(); }

    /// Those of the past that the run goes on from, by ascending step.
    [[nodiscard]] const std::vector<EvaluationRecord>& pastEvaluations() const { return m_past; }
    /// The number of updates up to which the line that was current until now is this one's past.
    [[nodiscard]] std::int64_t keptSteps() const { return m_keptSteps; }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder->path(); }
    /// The newest checkpoint that was written or started from; empty: none yet.
    [[nodiscard]] const std::filesystem::path& lastCheckpoint() const { return m_lastCheckpoint; }
    /// The step of the newest one in the run's folder; -1: none yet.
    [[nodiscard]] std::int64_t savedStep() const { return m_savedStep; }
    /// Whether the state after `step` updates is one of the best so far, and not saved.
    [[nodiscard]] bool isUnsavedBest(std::int64_t step) const
    {
        return m_bestStep == step && m_savedStep != step;
    }

    /// Evaluations since the best one, by the rule of the best checkpoint.
    [[nodiscard]] int evaluationsSinceBest() const { return m_sinceTop; }
    /// The step of the best one; -1: none was rated.
    [[nodiscard]] std::int64_t topStep() const { return m_topStep; }

private:
    void begin(const RunStart& start, const RunConfig& config, const RunBranch& branch);
    void leaveOthers(const RunStart& start, std::int64_t fromStep);
    void recordSaved(std::int64_t step, const std::string& reason);
    [[nodiscard]] Checkpoint identified(Checkpoint checkpoint) const;
    void rate(const EvaluationRecord& evaluation);

    std::optional<RunFolder> m_folder;
    std::optional<CrashPlace> m_crashPlace;
    std::optional<CheckpointFolder> m_checkpoints;
    std::optional<RunStore> m_store;
    BestCheckpointRule m_bestBy;
    std::string m_run;
    std::vector<EvaluationRecord> m_past;
    std::int64_t m_keptSteps = 0;
    std::filesystem::path m_lastCheckpoint;
    std::int64_t m_savedStep = -1;
    double m_topScore = 0.0;
    std::int64_t m_topStep = -1;
    std::int64_t m_ratedStep = -1; ///< the newest one
    int m_sinceTop = 0;
    std::int64_t m_bestStep = -1; ///< the newest one that was among the best when it was evaluated
};

} // namespace lockstep
