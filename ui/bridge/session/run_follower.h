// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/run_feed.h"
#include "engine/remote.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>

namespace lockstep::ui {

/// Reads a run that another process writes, again and again, on a thread of its own: what is new in
/// the folder goes to the feed and to the listener. Made and destroyed in the GUI thread.
class RunFollower
{
public:
    /// Begins where `plan`, which was read from the folder, ends. `listener` is told in the thread
    /// of `context`. Feed and context must outlive this object.
    RunFollower(const RunPlan& plan, RunFeed& feed, QObject& context, SessionListener listener);
    /// Gives up, and waits for the record that it is reading.
    ~RunFollower();
    RunFollower(const RunFollower&) = delete;
    RunFollower& operator=(const RunFollower&) = delete;

private:
    void work();
    bool look();
    void checkWanted() const;
    bool pushSteps(const RunStoreReader& reader);
    void tellGradients(const RunStoreReader& reader);
    void tellReadings(const RunStoreReader& reader);
    void tell(const RunEvent& event);
    void tellCheckpoints(const RunStoreReader& reader);

    const std::filesystem::path m_folder;
    const std::filesystem::path m_storeFile;
    const std::int64_t m_branch;
    RunFeed& m_feed;
    SessionMailbox m_told;

    // Of the thread: what was told so far.
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

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::atomic<bool> m_isWanted = true;
    std::thread m_thread;
};

/// Speaks to the process that trains a run, on a thread of its own: asks it twice a second how it
/// stands, and for its masks while they are wanted, and sends it what a person wants; what does not
/// reach it is told as a note. Made and destroyed in the GUI thread.
class RemoteControl
{
public:
    /// `listener` is told in the thread of `context`, which must outlive this object.
    RemoteControl(std::filesystem::path folder, QObject& context, SessionListener listener);
    /// Waits for an answer that is being waited for: moments, except for a process that hangs.
    ~RemoteControl();
    RemoteControl(const RemoteControl&) = delete;
    RemoteControl& operator=(const RemoteControl&) = delete;

    void send(const RunCommand& command);
    /// Whether somebody looks at the masks that the towers predict.
    void wantMasks(bool areWanted);

private:
    void work();
    void ask();
    void askForMasks();

    RunRemote m_remote;
    std::int64_t m_maskStep = -1; ///< of the newest masks that came; of the thread
    SessionMailbox m_told;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<RunCommand> m_commands;
    bool m_isWanted = true;
    bool m_areMasksWanted = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
