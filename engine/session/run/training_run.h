// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/exchange_seconds.h"
#include "base/clock.h"
#include "base/error.h"
#include "dataset/examples/dataset.h"
#include "metrics/verdicts/learning_verdict.h"
#include "session/control/run_command.h"
#include "session/control/run_control.h"
#include "session/estimate/run_cost_meter.h"
#include "session/evaluation/evaluation.h"
#include "session/run/training_event.h"
#include "session/training/training_session.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

class ControlServer;
class DataCheck;
class EncodedDataset;
class EventRecorder;
class RunFiles;
class Watchdog;
class RunVerdicts;
class StepAlerts;
struct RunStart;

/// What to train and where.
struct RunRequest
{
    RunConfig config;
    std::filesystem::path folder; ///< empty: a new one in the default place
    bool isResume = false; ///< go on with the run in `folder` from its newest good checkpoint
    /// Start from this file instead. With isResume false the run is new; else it branches: the run
    /// goes on from there on a new branch, whichever branch the checkpoint is of.
    std::optional<std::filesystem::path> checkpoint = std::nullopt;
    std::string note = {}; ///< kept in the run's store when it starts or goes on; empty: none
    /// This process is rank 0 of several, whose others are RankWorkers. Must outlive the run.
    Ranks* ranks = nullptr;
    /// Of a program that brings its own data set, see kProgramDatasets: its training and test
    /// examples. Null: those that the configuration names.
    std::shared_ptr<const Dataset> training = nullptr;
    std::shared_ptr<const Dataset> test = nullptr;
};

/// Why a run can't go on from a checkpoint under another configuration; empty if it can. What may
/// change: steps, towers, threads, batch, learning rate, devices, precision, input threads, what is
/// kept and evaluated. What may not: model, initial weights, data set, seed.
std::string reasonAgainst(const RunConfig& checkpointConfig, const RunConfig& wanted);

/// A training on disk: trains, evaluates and saves by its configuration, and keeps every step.
/// What is not said to be of any thread belongs to one. A command that comes while the run is
/// closing is too late and has no effect.
class TrainingRun
{
public:
    /// Opens data, model, device and folder and plans everything. A run that can't start leaves no
    /// folder.
    TrainingRun(const RunRequest& request, RunObserver& observer);
    ~TrainingRun();
    TrainingRun(const TrainingRun&) = delete;
    TrainingRun& operator=(const TrainingRun&) = delete;

    /// Trains until config.steps updates are done or command::Stop comes; saves at the end in both
    /// cases, and before an error ends it that is not of its state. Errors of numbers, devices,
    /// memory and data say which checkpoint is the last good one.
    void train();

    /// Here or over the control socket, from any thread. Error(BadInput) for a learning rate that
    /// is no number of 0 or more, and for fewer steps than are made already.
    void send(const RunCommand& command);
    /// Any thread.
    [[nodiscard]] RunStatus status() const;
    // Asked for here or over the control socket; any thread.
    [[nodiscard]] bool isPauseWanted() const { return m_control.isPauseWanted(); }
    [[nodiscard]] bool isStopWanted() const { return m_control.isStopWanted(); }
    /// Whether MaskRecords are wanted: of the next step, and then about twice a second at
    /// most. Any thread.
    void wantMasks(bool areWanted) { m_control.wantMasks(areWanted); }
    /// The number of updates after which the epoch ends at which the run stops; -1: it does not.
    /// Any thread.
    [[nodiscard]] std::int64_t stopStep() const { return m_stopStep; }

    [[nodiscard]] RunState state() const { return m_state; }
    /// On the steps that were made here, and the newest of those before; null before train().
    [[nodiscard]] const RunVerdicts* verdicts() const;
    /// What its verdicts are held against.
    [[nodiscard]] const Chance& chance() const { return m_chance; }
    [[nodiscard]] const std::filesystem::path& folder() const;
    [[nodiscard]] const TrainingSession& session() const { return m_session; }
    /// The configuration with threads and batch as they are used, and changes as they were asked
    /// for.
    [[nodiscard]] const RunConfig& config() const { return m_config; }
    /// The newest checkpoint that this object wrote or started from.
    [[nodiscard]] const std::filesystem::path& lastCheckpoint() const;

private:
    void open(const RunRequest& request);
    void tellStart(const RunRequest& request, const RunStart& start);
    void tellInitialWeights();
    void openEvents();
    void recordEvents(const std::function<void()>& record);
    void listen();
    void check();
    void begin();
    void watch();
    void recall();
    void loop();
    void finish();
    void record(const TrainingStep& step);
    [[nodiscard]] Error concluded(
        const Error& error, const std::optional<StepFault>& fault = std::nullopt);
    [[nodiscard]] std::vector<const EncodedDataset*> photographs() const;
    void haveDataWaitedFor();
    void endPatience();
    void checkDataMeanwhile();
    void tellDamage();
    void saveLastStep(ErrorCode code);
    void loopOrStop();
    void save(const char* reason);
    void saveOrTell(const char* reason);
    void evaluate();
    void evaluate(WeightsKind kind);
    void compareClocks();
    void releaseRanks();
    void checkPossible(const RunCommand& command) const;
    void carryOut(const command::SaveCheckpoint& command);
    void carryOut(const command::SaveCheckpointAs& command);
    void carryOut(const command::Evaluate& command);
    void carryOut(const command::SetLearningRate& command);
    void carryOut(const command::SetSteps& command);
    void carryOut(const command::StopAfterEpoch& command);
    void tellChange(const char* kind, const std::string& text);
    void tellWatchOfCheckpoint();
    void take(DeviceReadingRecord reading);
    void take(const GradientRecord& gradients);
    void note(NoteLevel level, const std::string& text);
    void noteCaptureFailure();
    void noteExchanges();
    void noteClipping();
    void noteExperiment();
    void alert(const AlertRecord& alert);
    /// All updates that are wanted are made, or those until the end of the epoch, or none seems to
    /// make it better.
    [[nodiscard]] bool isDone() const
    {
        return m_session.progress().step >= endStep() || isOutOfPatience();
    }
    [[nodiscard]] bool isOutOfPatience() const;
    /// The number of updates after which the loop ends by itself.
    [[nodiscard]] std::int64_t endStep() const;
    /// Once no device is ahead: serves requests, and waits while paused. False: stop.
    bool mayGoOn();
    void setState(RunState state);
    void storeState(RunState state);
    void storePhases();
    /// The next step before which the state must be looked at: devices must not run beyond it.
    [[nodiscard]] std::int64_t horizon() const;
    [[nodiscard]] bool isDue(std::int64_t everySteps) const;
    [[nodiscard]] bool isEvaluationLost() const;
    /// The newest checkpoint is older than a person may want to lose.
    [[nodiscard]] bool isSaveOverdue() const;

    Ranks* m_ranks; ///< null: this process is the only one
    RunCostMeter m_costs;
    RunConfig m_config;
    RunObserver& m_observer;
    std::shared_ptr<const Dataset> m_training;
    std::shared_ptr<const Dataset> m_test;
    TrainingSession m_session;
    std::optional<Evaluation> m_evaluation;
    std::optional<InitialWeights> m_initial; ///< that it began with; none: random, or a state
    std::unique_ptr<RunFiles> m_files;
    std::unique_ptr<EventRecorder> m_events; ///< none: nothing is recorded
    Stopwatch m_sinceSaved;
    Stopwatch m_sinceClocksMet;
    Chance m_chance;
    std::int64_t m_evaluatedStep = -1;
    std::int64_t m_startStep = 0; ///< updates that were made when it was opened
    std::unique_ptr<StepAlerts> m_alerts;
    std::unique_ptr<Watchdog> m_watch; ///< while it trains
    ExchangeSeconds m_exchanges;       ///< of so many steps together:
    std::int64_t m_exchangedSteps = 0;
    std::int64_t m_madeSteps = 0; ///< by this object
    std::int64_t m_clippedSteps = 0;
    bool m_isCaptureNoted = false; ///< that steps are not replayed
    bool m_isClosing = false;      ///< no more steps are made

    std::atomic<RunState> m_state = RunState::Ready;
    std::atomic<std::int64_t> m_stepsDone = 0;
    std::atomic<std::int64_t> m_wantedSteps;
    std::atomic<std::int64_t> m_stopStep = -1;
    RunControl m_control;
    std::unique_ptr<DataCheck> m_dataCheck;  ///< while it trains; none: all is checked
    std::unique_ptr<ControlServer> m_server; ///< last: it calls the others
};

/// The configuration that a run in this folder was last trained with.
RunConfig configOfRun(const std::filesystem::path& folder);

/// The configuration with which the run goes on from a checkpoint that somebody named, and that was
/// written under `ofCheckpoint`: the run's own, with the learning rate of the checkpoint. A rate
/// that was changed while the run trained holds from that step on, and is kept as the initial rate
/// that the decays until there make it of: before that step, the same initial rate may be a huge
/// one. So with the rates of phases, if the same is trained in them.
RunConfig configToContinue(const std::filesystem::path& folder, const RunConfig& ofCheckpoint);

} // namespace lockstep
