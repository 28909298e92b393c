// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/run_series.h"
#include "bridge/session/session_controller.h"
#include "engine/config.h"
#include "engine/machines.h"
#include "models/figures/tower_table_model.h"

#include <QDateTime>

#include <deque>
#include <memory>

namespace lockstep::ui {

/// The run that the window shows: its curves and its latest figures, put together from what the
/// session controller tells. Lives in the GUI thread.
class LiveRun : public QObject
{
    Q_OBJECT

public:
    /// The newest checkpoint that was written while the window watched.
    struct SavedCheckpoint
    {
        std::int64_t step = 0;
        std::filesystem::path file;
        QDateTime written;
    };

    /// The controller must outlive this object.
    explicit LiveRun(SessionController& controller, QObject* parent = nullptr);

    /// What the run tells as it comes.
    [[nodiscard]] RunFeed& feed() const { return m_controller.feed(); }
    /// The curves; nullptr before the first run. Valid until begun().
    [[nodiscard]] const RunSeries* series() const noexcept { return m_series.get(); }
    /// Its three lights; nullptr before the first run.
    [[nodiscard]] const RunVerdicts* verdicts() const
    {
        return m_verdicts ? &*m_verdicts : nullptr;
    }
    [[nodiscard]] const RunConfig& config() const noexcept { return m_config; }
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }
    /// RunPlan::recordedBy of the run that is shown.
    [[nodiscard]] const QString& recordedBy() const { return m_controller.plan().recordedBy; }
    /// Another program trains it, or has: what it has can be looked at, and nothing be done with
    /// it.
    [[nodiscard]] bool isRecorded() const { return !m_folder.empty() && !recordedBy().isEmpty(); }
    /// On which the run is; null: this one.
    [[nodiscard]] std::shared_ptr<RemoteMachine> machine() const
    {
        return m_controller.machineOf(m_folder);
    }
    /// By this window, or by another process of this computer: of a run that is opened that is
    /// known at begun(), not yet at the controller's stateChanged().
    [[nodiscard]] bool isTrainedHere() const;
    [[nodiscard]] const std::vector<TowerPlacement>& seats() const noexcept { return m_seats; }
    [[nodiscard]] const std::optional<StepRecord>& newestStep() const noexcept { return m_newest; }
    [[nodiscard]] const std::optional<SavedCheckpoint>& savedCheckpoint() const noexcept
    {
        return m_saved;
    }
    /// Of the newest evaluation with moving averages.
    [[nodiscard]] std::optional<double> testAccuracy() const noexcept { return m_testAccuracy; }
    /// The updates that the weights of that evaluation had seen.
    [[nodiscard]] std::int64_t testedStep() const noexcept { return m_testedStep; }
    /// Of the latest steps: those of the history until one is trained; see Throughput.
    [[nodiscard]] const Throughput& throughput() const noexcept { return m_throughput; }
    /// The number of updates after which the run ends: the wanted one, or the end of the epoch at
    /// which it was asked to stop.
    [[nodiscard]] std::int64_t endStep() const;
    /// Until then, at the pace of the latest steps and evaluations.
    [[nodiscard]] std::optional<double> secondsLeft() const;

    /// Shows no run any more.
    void clear();

    /// Weight that smooths the curves, in [0, 1); kept for later runs.
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const noexcept { return m_smoothing; }
    /// RunSeries::setJoints() of the run that is shown.
    void setJoints(std::vector<std::int64_t> steps);

signals:
    /// The run that is shown is trained no more, by this window or another process.
    void ended();
    /// Another run is shown from now on, or none. During the signal the curves of the one before
    /// still exist.
    void begun();
    /// seats() is known.
    void towersPlaced();
    /// These steps were appended to the curves.
    void stepsAppended(const std::vector<lockstep::StepRecord>& records);
    /// The run was evaluated, now or in its history.
    void evaluated();
    /// An evaluation was appended to the curves, or the smoothing changed.
    void curvesChanged();
    void checkpointSaved();
    /// config() has another learning rate or number of steps.
    void configChanged();

private:
    void onStarted(const std::filesystem::path& folder, const RunConfig& config);
    void begin(std::unique_ptr<RunSeries> series);
    void onSteps(const std::vector<StepRecord>& records);
    void onEvaluation(const EvaluationRecord& record);
    void appendStep(const StepRecord& record);
    void appendDueEvaluations();
    [[nodiscard]] Moment momentAfter(std::int64_t updates) const;

    SessionController& m_controller;
    std::unique_ptr<RunSeries> m_series;
    std::optional<RunVerdicts> m_verdicts;
    RunConfig m_config;
    std::filesystem::path m_folder;
    std::vector<TowerPlacement> m_seats;
    std::optional<StepRecord> m_newest;
    std::optional<SavedCheckpoint> m_saved;
    std::optional<double> m_testAccuracy;
    std::int64_t m_testedStep = 0;
    double m_evaluationSeconds = 0.0; ///< of the latest, with one kind of weights
    Throughput m_throughput;
    double m_smoothing = 0.0;
    /// Those whose step has not arrived yet, or only one kind of weights of which has.
    std::deque<EvaluationRecord> m_evaluations;
};

/// What the towers did in a step, and at which rate lately.
std::vector<TowerFigures> towerFigures(const StepRecord& step, const Throughput& throughput);

/// For TowerTableModel.
DeviceFigures deviceFigures(const DeviceReadingRecord& reading);

} // namespace lockstep::ui
