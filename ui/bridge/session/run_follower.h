// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/run_feed.h"
#include "engine/remote.h"

#include <QSocketNotifier>

#include <condition_variable>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

namespace lockstep::ui {

/// Reads a run that another process writes, again and again, on a thread of its own: what is new in
/// the folder goes to the feed, or is told. Made and destroyed in the GUI thread; then it gives up,
/// and waits for the record that it is reading.
class RunFollower
{
public:
    /// Begins where `plan`, which was read from the folder, ends. The feed must outlive it.
    RunFollower(const RunPlan& plan, RunFeed& feed, SessionListener tell);

private:
    void work(const std::stop_token& stop);
    bool look();
    void checkWanted() const;
    bool pushSteps(const RunStoreReader& reader);
    void tellGradients(const RunStoreReader& reader);
    void tellReadings(const RunStoreReader& reader);
    void tell(const RunEvent& event);
    void tellCheckpoints(const RunStoreReader& reader);

    const std::filesystem::path m_folder;
    const std::int64_t m_branch;
    RunFeed& m_feed;
    SessionListener m_tell;

    // Of the thread, with what was told so far.
    std::stop_token m_stop;
    std::int64_t m_nextStep;
    std::int64_t m_nextGradient; ///< the first step whose gradients were not told
    std::int64_t m_nextReading;  ///< number of the first one that was not looked at
    std::size_t m_evaluations;
    std::size_t m_events;
    std::size_t m_preflight;
    std::string m_error;                      ///< the last one that the run told
    std::map<std::string, double> m_readings; ///< time of the last one, by device
    std::optional<std::set<std::filesystem::path>> m_checkpoints; ///< empty before the first look
    int m_failures = 0;

    std::jthread m_thread; ///< last: works with all others until it ends
};

/// Speaks to the process that trains a run, on a thread of its own: asks it twice a second how it
/// stands, and for its masks while they are wanted, and sends it what a person wants; what does not
/// reach it is told as a note. Made and destroyed in the GUI thread; then it waits for an answer
/// that is being waited for: moments, except for a process that hangs.
class RemoteControl
{
public:
    RemoteControl(std::filesystem::path folder, SessionListener tell);

    void send(const RunCommand& command);
    /// Whether somebody looks at the masks that the towers predict.
    void wantMasks(bool areWanted);

private:
    void work(const std::stop_token& stop);
    void ask();
    void askForMasks();

    RunRemote m_remote;
    std::int64_t m_maskStep = -1; ///< of the newest masks that came; of the thread
    SessionListener m_tell;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<RunCommand> m_commands;
    bool m_areMasksWanted = false;
    std::jthread m_thread; ///< last: works with all others until it ends
};

/// Starts a run as a process of its own, and waits for it to come up without a thread. Told is
/// RunLaunched once it has, or RunOutcome with the training's own error. GUI thread.
class RunLauncher
{
public:
    /// Error(Io) if no process can be started.
    RunLauncher(const RunRequest& request, SessionListener tell);

    /// It is not wanted any more; that is told as its error. Without this it goes on, whatever
    /// becomes of this object.
    void cancel() { m_launch.cancel(); }

private:
    void look();

    TrainingLaunch m_launch;
    SessionListener m_tell;
    QSocketNotifier m_answer;
};

} // namespace lockstep::ui
