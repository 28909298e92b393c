// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/run_listener.h"
#include "engine/remote.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {
struct AlertRecord;
struct DeviceReadingRecord;
struct EvaluationRecord;
struct GradientRecord;
struct MaskRecord;
struct PreflightRecord;
struct RunConfig;
struct RunEvent;
struct RunRequest;
struct StepRecord;
} // namespace lockstep

namespace lockstep::ui {

class SessionWork;

/// Owns the engine thread and is the only way from the window to it. Lives in the GUI thread; never
/// computes and never waits there. Commands go in as slots; everything that happens comes out as
/// signals in the GUI thread, with values only. Steps cross one bounded queue that never blocks the
/// training and are handed out in blocks, at display rate. A command that its state does not allow
/// does nothing.
class SessionController : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Idle,      ///< nothing is going on, though a run may be shown; start() is possible
        Following, ///< a run is shown that another process trains; start() leaves it
        Preparing, ///< the engine thread opens data, plans memory
        Running,
        Pausing, ///< asked to pause, the step is being finished
        Paused,
        Stopping, ///< asked to stop: the step is finished, then a checkpoint is written
        Finished, ///< all steps done; start() is possible
        Stopped,  ///< stopped before the end; start() is possible
        Failed,   ///< ended by an error; start() is possible
    };
    Q_ENUM(State)

    explicit SessionController(QObject* parent = nullptr);
    /// Stops the run, saves, and waits for the engine thread.
    ~SessionController() override;

    [[nodiscard]] State state() const;
    [[nodiscard]] bool canStart() const;
    /// Whether send() does something just now.
    [[nodiscard]] bool can(const RunCommand& command) const;
    /// Preparing to Stopping: this window trains.
    [[nodiscard]] bool isBusy() const;
    /// Folder of the current or last run; empty before the first.
    [[nodiscard]] std::filesystem::path runFolder() const;
    /// The first step that the current or last run makes itself: those before it are history.
    [[nodiscard]] std::int64_t firstNewStep() const;
    /// Configuration of the current or last run, as the engine resolved it.
    [[nodiscard]] const RunConfig& config() const;
    /// Names of the objectives of its network, in their order; empty where it has only one.
    [[nodiscard]] const std::vector<std::string>& objectives() const;
    /// The number of updates after which the epoch ends at which the run stops; -1: it does not.
    [[nodiscard]] std::int64_t stopStep() const;
    /// While Following: the number of the process that trains the run, and how it stands; no status
    /// while it does not answer.
    [[nodiscard]] int writer() const;
    [[nodiscard]] const std::optional<RunStatus>& writerStatus() const;
    /// How the run that open() shows ended by its own words, Running where its process ended
    /// without one; empty while another process trains it, and for a run of this window.
    [[nodiscard]] std::optional<RunState> recordedState() const;
    /// Whether the run that open() shows was being trained when its process ended without a word.
    [[nodiscard]] bool endedUnexpectedly() const;

public slots:
    /// Shows a run that is on disk, without training it: its steps and evaluations come as those of
    /// a resumed run. Only when canStart(), else a note says so. The state is Idle then, or
    /// Following, and what the other process does comes like a run of one's own.
    void open(const std::filesystem::path& folder);
    /// Leaves the run that is shown; one of another process goes on. Only when canStart().
    void close();
    /// Starts a run on the engine thread. Only when canStart(); else says so by a note.
    void start(const lockstep::RunRequest& request);
    /// To the run: what comes of it is told by signals. While Following, to the process that
    /// trains: errors come as notes.
    void send(const lockstep::RunCommand& command);
    /// Whether somebody looks at the masks that the towers predict: of this run, and of those that
    /// are started later.
    void wantMasks(bool areWanted);

signals:
    /// Right after started(), of a run that is on disk: what had happened in it, in that order.
    void historyArrived(const std::vector<lockstep::RunEvent>& events);
    void stateChanged(lockstep::ui::SessionController::State state);
    /// The run is planned: its folder and resolved configuration are known. A resumed run begins at
    /// a later step than 0; the steps and evaluations before it, read from the run's store, come
    /// next and in the same way as new ones.
    void started(const std::filesystem::path& folder, const lockstep::RunConfig& config);
    /// Right after started(): where the towers sit.
    void towersPlaced(const std::vector<lockstep::ui::TowerPlacement>& towers);
    /// Steps in order, without gaps, at display rate. All of them come before Finished, Stopped or
    /// Failed.
    void stepsArrived(const std::vector<lockstep::StepRecord>& records);
    void evaluationArrived(const lockstep::EvaluationRecord& record);
    /// What the gradients of measured steps say, by ascending step; not all of them where steps
    /// take microseconds, or where the history is long.
    void gradientsArrived(const std::vector<lockstep::GradientRecord>& records);
    /// While wantMasks(), of a run of this window whose towers are on processors: about two a
    /// second.
    void masksArrived(const std::shared_ptr<const lockstep::MaskRecord>& record);
    /// What a device of the run, a GPU or the processors, says of itself, about once a second; of a
    /// run that is opened the last one of each.
    void deviceReadingArrived(const lockstep::DeviceReadingRecord& record);
    void checkpointWritten(qint64 step, const std::filesystem::path& file);
    /// One line for the log; `isWarning` for what should be noticed.
    void noteArrived(const QString& text, bool isWarning);
    /// Something that a person should hear of has begun, or is over.
    void alertArrived(const lockstep::AlertRecord& alert);
    /// The run goes on with another learning rate or number of steps: config() is another.
    void configChanged(const lockstep::RunConfig& config);
    /// Before the first step, each line of the checklist.
    void preflightArrived(const lockstep::PreflightRecord& record);
    /// writer() or writerStatus() is another.
    void writerChanged();
    /// Nobody trains the followed run any more; all its steps have come, the state is Idle.
    void followingEnded(const lockstep::ui::FollowedEnd& end);
    /// The run that open() was asked for can't be read; what was shown before stays.
    void openingFailed(const QString& text);
    /// The run ended by an error; the text says what happened, what was saved and what can be done.
    /// The state is Failed.
    void failed(const QString& text);

private:
    std::unique_ptr<SessionWork> m_work;
};

} // namespace lockstep::ui
