// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/run_feed.h"
#include "engine/machines.h"
#include "engine/remote.h"

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace lockstep::ui {

class EngineThread;
class RemoteControl;
class RunFollower;
class RunLauncher;

/// Owns the engine thread and is the only way from the window to it. Lives in the GUI thread; never
/// computes and never waits there. Commands go in as slots, and do nothing where the state does not
/// allow them; what the run tells comes out of feed(), and how it stands by signals.
/// What is wanted of the engine (to pause, to stop), in this window or in another, and what it does
/// are asked of it whenever it says that something changed, and the state follows from the two: so
/// a report that was overtaken by a command on its way can't mislead. A run of another process is
/// followed instead: its store is read, and its process is asked how it stands. So is one that
/// this window has started as a process of its own, which ends like a run of the engine thread.
class SessionController : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Idle,      ///< nothing is going on, though a run may be shown; start() is possible
        Following, ///< a run is shown that another process trains; start() leaves it
        Preparing, ///< the engine thread, or the process that was started, opens data, plans memory
        Running,
        Pausing, ///< asked to pause, the step is being finished
        Paused,
        Stopping, ///< asked to stop: the step is finished, then a checkpoint is written
        Finished, ///< all steps done; start() is possible
        Stopped,  ///< stopped before the end, or before it began; start() is possible
        Failed,   ///< ended by an error; start() is possible
    };
    Q_ENUM(State)

    explicit SessionController(QObject* parent = nullptr);
    /// Stops the run, saves, and waits for the engine thread.
    ~SessionController() override;

    /// What the run that is shown tells. All its steps come before Finished, Stopped or Failed.
    [[nodiscard]] RunFeed& feed() { return m_feed; }
    /// The current or last run: its folder, empty before the first; its configuration as the engine
    /// resolved it, with the changes since; the process that trains it while Following.
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isFollowing() const { return m_state == State::Following; }
    /// Preparing to Stopping: this window trains, or starts a process that will.
    [[nodiscard]] bool isBusy() const
    {
        return m_state >= State::Preparing && m_state <= State::Stopping;
    }
    /// Whether a run goes on here that ends with this window.
    [[nodiscard]] bool trainsHere() const { return isBusy() && !m_launcher; }
    [[nodiscard]] bool canStart() const { return !isBusy(); }
    /// Whether the run that was started last came so far that plan() is its own.
    [[nodiscard]] bool isPlanned() const { return m_isPlanned; }
    /// A run is prepared, or was when it was told to stop: what is shown is the one before.
    [[nodiscard]] bool isPreparing() const
    {
        return m_state == State::Preparing || (m_state == State::Stopping && !m_isPlanned);
    }
    /// Whether send() does something just now: never for a recorded run, which nobody here trains.
    [[nodiscard]] bool can(const RunCommand& command) const;
    /// The number of updates after which the epoch ends at which the run stops; -1: it does not.
    [[nodiscard]] std::int64_t stopStep() const;
    /// How the process stands that trains the run, while Following; empty while it does not answer.
    [[nodiscard]] const std::optional<RunStatus>& writerStatus() const { return m_writerStatus; }
    /// The machine on which the folder's run is, which it mirrors; null: this one.
    [[nodiscard]] std::shared_ptr<RemoteMachine> machineOf(
        const std::filesystem::path& folder) const;
    /// How the run that open() shows ended by its own words, Running where its process ended
    /// without one; empty while another process trains it, and for a run of this window.
    [[nodiscard]] std::optional<RunState> recordedState() const;
    /// Whether the run that open() shows was being trained when its process ended without a word.
    /// A recorded run may still be trained when nobody records it any more.
    [[nodiscard]] bool endedUnexpectedly() const
    {
        return recordedState() == RunState::Running && m_plan.recordedBy.isEmpty();
    }

public slots:
    /// Shows a run that is on disk, without training it: its steps and evaluations come as those of
    /// a resumed run. Only when canStart(), else a note says so. The state is Idle then, or
    /// Following, and what the other process does comes like a run of one's own.
    void open(const std::filesystem::path& folder);
    /// Leaves the run that is shown; one of another process goes on. Only when canStart().
    void close();
    /// Starts a run on the engine thread. Only when canStart(); else says so by a note.
    void start(const lockstep::RunRequest& request);
    /// The same as a process of its own, which goes on however this one ends: Following, once it is
    /// up. Its end comes as that of a run of the engine thread as long as it is shown, unless its
    /// process ends without a word.
    void launch(const lockstep::RunRequest& request);
    /// To the run: what comes of it is told by signals. While Following, to the process that
    /// trains: errors come as notes.
    void send(const lockstep::RunCommand& command);
    /// The machine whose runs can be opened beside those of this one; null: none.
    void setMachine(std::shared_ptr<RemoteMachine> machine) { m_machine = std::move(machine); }
    /// Whether somebody looks at the masks that the towers predict: of this run, and of those that
    /// are started later.
    void wantMasks(bool areWanted);

signals:
    void stateChanged(lockstep::ui::SessionController::State state);
    /// plan().writer or writerStatus() is another.
    void writerChanged();
    /// Nobody trains the followed run any more; all its steps have come, the state is Idle.
    void followingEnded(const lockstep::ui::FollowedEnd& end);
    /// The run that open() was asked for can't be read; what was shown before stays.
    void openingFailed(const QString& text);
    /// The run ended by an error; the text says what happened, what was saved and what can be done.
    /// The state is Failed.
    void failed(const QString& text);

private:
    [[nodiscard]] SessionListener listener();
    void on(const RunPlan& plan);
    void on(const TrainingEvent& event);
    void on(const std::vector<GradientRecord>& records) { emit m_feed.gradientsArrived(records); }
    void on(const RunOutcome& outcome);
    void on(const RunLaunched& event);
    void on(const RunBranched& event);
    void on(const FollowedEnd& end);
    void on(const WriterAnswer& answer);
    void readToShow(const std::filesystem::path& run);
    void onRead(const RunPlan& plan);
    void lookForWriter();
    void prepare(const std::function<void()>& begin);
    void leave();
    void conclude();
    void concludeTraining(const RunOutcome& outcome);
    void update();
    void setState(State next);
    [[nodiscard]] State busyState() const;

    RunFeed m_feed;
    State m_state = State::Idle;
    RunPlan m_plan;

    // A run of our own.
    bool m_isPlanned = false;
    std::optional<RunOutcome> m_outcome;         ///< once no more steps are made
    std::optional<std::filesystem::path> m_left; ///< the run that was followed before
    std::unique_ptr<EngineThread> m_engine;
    bool m_areMasksWanted = false;

    std::shared_ptr<RemoteMachine> m_machine;

    // A run of another process.
    std::optional<RunStatus> m_writerStatus;
    std::optional<FollowedEnd> m_followedEnd;
    std::shared_ptr<RunGathering> m_gathering; ///< of the shown run, while it is recorded
    std::unique_ptr<RunFollower> m_follower;
    std::unique_ptr<RemoteControl> m_remote;
    std::unique_ptr<RunLauncher> m_launcher;         ///< until the run that it starts is shown
    std::optional<std::filesystem::path> m_launched; ///< the run that was started so last
    QTimer m_watch;                                  ///< for a process that takes up the shown run

    RunReader m_reader; ///< last: it waits for what it reads
};

} // namespace lockstep::ui
