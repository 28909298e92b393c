// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/run_feed.h"
#include "engine/remote.h"
#include "engine/run.h"

#include <optional>
#include <string>
#include <thread>

namespace lockstep::ui {

/// One run on a thread of its own, from opening the data to the last checkpoint. Commands may be
/// given at any time and never wait. No exception leaves the thread: it becomes the outcome.
class EngineThread : private RunObserver
{
public:
    /// Steps and gradients go to `feed`, which must outlive this object; everything else is told.
    EngineThread(RunRequest request, RunFeed& feed, SessionListener tell);
    /// Stops the run, which saves, and waits for it.
    ~EngineThread() override { send(command::Stop{}); }

    /// Error(BadInput) as TrainingRun::send(). While there is no run, only what is wanted of its
    /// state has an effect: to pause, go on or stop.
    void send(const RunCommand& command);

    /// See TrainingRun::wantMasks().
    void wantMasks(bool areWanted);

    /// How the run stands at this moment; empty before it is planned and after its end.
    [[nodiscard]] std::optional<RunStatus> status() const;
    /// By a command of this window, or of another that follows the run.
    [[nodiscard]] bool isPauseWanted() const;
    [[nodiscard]] bool isStopWanted() const;

private:
    void work();
    RunState train();
    /// Makes it known to the commands; nullptr: it is over.
    void publish(TrainingRun* run);
    [[nodiscard]] RunPlan planOf(const TrainingRun& run) const;
    [[nodiscard]] QString explained(const std::string& error) const;

    void onEvent(const TrainingEvent& event) override;
    bool mayBegin() override { return !isStopWanted(); }

    RunRequest m_request;
    RunFeed& m_feed;
    SessionListener m_tell;

    // Of the engine thread alone.
    std::int64_t m_endStep = 0;
    std::filesystem::path m_lastCheckpoint;

    mutable std::mutex m_mutex; // held for moments only, never while the engine works
    TrainingRun* m_run = nullptr;
    bool m_isPauseWanted = false;
    bool m_isStopWanted = false;
    bool m_areMasksWanted = false;
    std::jthread m_thread; ///< last: works with all others until it ends
};

} // namespace lockstep::ui
