// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/telemetry_pump.h"
#include "bridge/telemetry/session_event.h"

#include <QString>

#include <mutex>
#include <utility>

namespace lockstep::ui {

/// Gradient records on their way from the thread that trains to the window, which takes all that
/// wait at once. Where it does not come to that, say because a step takes microseconds, the newest
/// stands in for those that do not fit: the run's store has all. Thread-safe.
class GradientBatch
{
public:
    /// True where nothing waited before: then the window has to be told.
    bool push(const GradientRecord& record)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_records.size() < kMost) {
            m_records.push_back(record);
        } else {
            m_records.back() = record;
        }
        return m_records.size() == 1;
    }
    [[nodiscard]] std::vector<GradientRecord> take()
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_records, {});
    }

private:
    static constexpr std::size_t kMost = 64;
    std::mutex m_mutex;
    std::vector<GradientRecord> m_records;
};

/// What the run that is shown tells, whoever trains it, as signals in the GUI thread, with values
/// only. Steps cross one bounded queue that never blocks the training and are handed out in blocks,
/// at display rate; what else happens comes after the steps before it. Lives in the GUI thread;
/// only push() belongs to the thread that trains or reads.
class RunFeed : public QObject
{
    Q_OBJECT

public:
    explicit RunFeed(QObject* parent = nullptr);

    /// Never waits.
    void push(const StepRecord& record) { m_pump.push(record); }
    /// Never waits; see GradientBatch.
    void push(const GradientRecord& record);

    /// Tells of another run from now on, and first of what it was read with. The first step that is
    /// pushed is plan.nextStep.
    void begin(const RunPlan& plan);
    void take(const TrainingEvent& event);
    /// Tells now what was pushed, as far as one block goes.
    void flush();
    /// No step from `endStep` on will come: emits drained() when all the others are handed out.
    void finish(std::int64_t endStep);
    /// Gives up what was pushed and not told yet; nobody pushes any more.
    void reset();

signals:
    /// The run is planned: its folder and resolved configuration are known. A resumed run begins at
    /// a later step than 0; the steps and evaluations before it, read from the run's store, come
    /// next and in the same way as new ones.
    void started(const std::filesystem::path& folder, const lockstep::RunConfig& config);
    /// Right after started(): where the towers sit.
    void towersPlaced(const std::vector<lockstep::ui::TowerPlacement>& towers);
    /// Right after that, of a run that is on disk: what had happened in it, in that order.
    void historyArrived(const std::vector<lockstep::RunEvent>& events);
    /// Steps in order, without gaps, at display rate. All of them come before drained().
    void stepsArrived(const std::vector<lockstep::StepRecord>& records);
    void evaluationArrived(const lockstep::EvaluationRecord& record);
    /// So many test examples of all are scored, of the evaluation that goes on in this window.
    void examplesEvaluated(qint64 done, qint64 all);
    /// What the gradients of measured steps say, by ascending step; not all of them where steps
    /// take microseconds, or where the history is long.
    void gradientsArrived(const std::vector<lockstep::GradientRecord>& records);
    /// While SessionController::wantMasks(): about two a second.
    void masksArrived(const std::shared_ptr<const lockstep::MaskRecord>& record);
    /// What a device of the run, a GPU or the processors, says of itself, about once a second; of a
    /// run that is opened the last one of each.
    void deviceReadingArrived(const lockstep::DeviceReadingRecord& record);
    void checkpointWritten(qint64 step, const std::filesystem::path& file);
    /// One line for the log; `isWarning` for what should be noticed.
    void noteArrived(const QString& text, bool isWarning);
    /// Something that a person should hear of has begun, or is over.
    void alertArrived(const lockstep::AlertRecord& alert);
    /// The run goes on with another learning rate or number of steps.
    void configChanged(const lockstep::RunConfig& config);
    /// Before the first step, each line of the checklist.
    void preflightArrived(const lockstep::PreflightRecord& record);
    void drained();

private:
    void tellGradients();

    TelemetryPump m_pump;
    GradientBatch m_gradients;
    QTimer m_gradientRest; ///< until those that wait are told
};

} // namespace lockstep::ui
