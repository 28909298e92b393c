// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/dataset.h"
#include "metrics/device_reading_record.h"
#include "metrics/evaluation_record.h"
#include "metrics/step_record.h"
#include "session/evaluation.h"
#include "session/run_config.h"
#include "session/run_control.h"
#include "session/training_session.h"
#include "storage/checkpoint_folder.h"
#include "storage/run_folder.h"
#include "storage/run_store.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace lockstep {

/// Where a run stands.
enum class RunState { Ready, Running, Paused, Finished, Stopped, Failed };

/// Told what happens in a run, on the thread that trains. What it does delays the next step.
class RunObserver
{
public:
    RunObserver() = default;
    virtual ~RunObserver() = default;
    RunObserver(const RunObserver&) = delete;
    RunObserver& operator=(const RunObserver&) = delete;

    virtual void onState(RunState /*state*/) {}
    virtual void onStep(const StepRecord& /*record*/) {}
    virtual void onEvaluation(const EvaluationRecord& /*record*/) {}
    /// Of each accelerator that tells something of itself, about once a second.
    virtual void onDeviceReading(const DeviceReadingRecord& /*record*/) {}
    /// A checkpoint of the state after `step` updates is on disk.
    virtual void onCheckpoint(std::int64_t /*step*/, const std::filesystem::path& /*file*/) {}
    /// One line for people: a fallback that was taken, a damaged file that was skipped.
    virtual void onNote(const std::string& /*text*/) {}
};

/// What to train and where.
struct RunRequest
{
    RunConfig config;
    std::filesystem::path folder; ///< empty: a new one in the default place
    bool isResume = false; ///< go on with the run in `folder` from its newest good checkpoint
    /// Start from this file instead. With isResume false the run is new.
    std::optional<std::filesystem::path> checkpoint = std::nullopt;
};

/// A training on disk: trains, evaluates and saves by its configuration, and keeps every step.
/// pause(), resume(), stepOnce(), stop() and the requests may be called from any thread and act at
/// the next step's end, while paused at once; everything else belongs to one thread.
class TrainingRun
{
public:
    /// Opens data, model, device and folder and plans everything. A run that can't start leaves no
    /// folder.
    TrainingRun(const RunRequest& request, RunObserver& observer);
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    /// Trains until config.steps updates are done or stop() is called; saves at the end in both
    /// cases. Error(Numeric), (Device) and (OutOfMemory) say which checkpoint is the last good one.
    void train();

    void pause() { m_control.pause(); }
    void resume() { m_control.resume(); }
    /// While a pause is wanted: makes one step and pauses again.
    void stepOnce() { m_control.stepOnce(); }
    void stop() { m_control.stop(); }
    /// Asks for a checkpoint in the run's folder.
    void requestCheckpoint();
    /// Asks for a checkpoint in a file of its own, which the run neither counts nor deletes. A
    /// failure is noted and the training goes on.
    void requestCheckpoint(const std::filesystem::path& file);
    /// Asks for an evaluation of raw weights and moving averages.
    void requestEvaluation();

    [[nodiscard]] RunState state() const { return m_state; }
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder->path(); }
    [[nodiscard]] const TrainingSession& session() const { return m_session; }
    /// The configuration with threads and batch as they are used.
    [[nodiscard]] const RunConfig& config() const { return m_config; }
    /// The newest checkpoint that this object wrote or started from.
    [[nodiscard]] const std::filesystem::path& lastCheckpoint() const { return m_lastCheckpoint; }

private:
    void openFolder(const RunRequest& request);
    void begin();
    void loop();
    void finish();
    void save();
    void evaluate();
    void evaluate(WeightsKind kind);
    void saveAs(const std::filesystem::path& file);
    void take(DeviceReadingRecord reading);
    void note(const char* level, const std::string& text);
    /// Once no device is ahead: serves requests, and waits while paused. False: stop.
    bool mayGoOn();
    void setState(RunState state);
    /// The next step before which the state must be looked at: devices must not run beyond it.
    [[nodiscard]] std::int64_t horizon() const;
    [[nodiscard]] bool isDue(std::int64_t everySteps) const;

    RunConfig m_config;
    RunObserver& m_observer;
    std::unique_ptr<Dataset> m_training;
    std::unique_ptr<Dataset> m_test;
    std::optional<RunFolder> m_folder;
    TrainingSession m_session;
    std::optional<Evaluation> m_evaluation;
    std::optional<CheckpointFolder> m_checkpoints;
    std::optional<RunStore> m_store;
    std::filesystem::path m_lastCheckpoint;
    std::int64_t m_savedStep = -1;
    std::int64_t m_evaluatedStep = -1;
    bool m_isContinued = false;

    std::atomic<RunState> m_state = RunState::Ready;
    RunControl m_control;
};

/// The configuration that a run in this folder was last trained with.
RunConfig configOfRun(const std::filesystem::path& folder);

} // namespace lockstep
