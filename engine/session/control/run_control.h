// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/mask_record.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// What is wanted of a run while it trains: to pause, to stop, to do something between two steps.
/// Any thread may ask; the thread that trains looks at the end of its steps, and at once while it
/// is paused.
class RunControl
{
public:
    RunControl() = default;
    RunControl(const RunControl&) = delete;
    RunControl& operator=(const RunControl&) = delete;

    void pause();
    void resume();
    /// While a pause is wanted: lets one step through.
    void stepOnce();
    void stop();
    /// Whoever asked for it.
    [[nodiscard]] bool isPauseWanted() const;
    [[nodiscard]] bool isStopWanted() const;
    /// Whether somebody looks at the masks that the towers predict.
    void wantMasks(bool areWanted);
    /// The masks of a step after this one, asked for by somebody in another process: they are
    /// wanted for some seconds from now on. None if there are none yet.
    [[nodiscard]] std::shared_ptr<const MaskRecord> askForMasks(std::int64_t after);
    /// To be done by the thread that trains, when no device is ahead of it.
    void request(std::function<void()> action);
    /// To be done by the thread that trains after its next step; devices may go on running ahead.
    /// In place of what was reported of the same subject and is not done yet: while a step hangs,
    /// only the newest of each is kept.
    void report(const std::string& subject, std::function<void()> action);

    // What follows belongs to the thread that trains.

    /// Whether devices have to stop running ahead.
    [[nodiscard]] bool isAttentionWanted() const;
    /// Whether the next step is one whose masks are to be told: while they are wanted, about two a
    /// second.
    [[nodiscard]] bool takeMaskTurn();
    /// What came of it.
    void keepMasks(const std::shared_ptr<const MaskRecord>& masks);
    /// Does what was reported.
    void serveReports();
    /// Does what was asked for and reported.
    void serve();
    /// The same; then, while a pause is wanted, waits and goes on serving. Calls `onPause` with
    /// true before it waits, and with false afterwards. False: stop.
    [[nodiscard]] bool mayGoOn(const std::function<void(bool isPaused)>& onPause);

private:
    struct Action
    {
        std::function<void()> run;
        std::string subject; ///< of a report
    };
    using Actions = std::vector<Action>;

    static void run(Actions& actions, std::unique_lock<std::mutex>& lock);
    void serve(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool isHeld() const { return m_pauseWanted && !m_stopWanted && !m_stepWanted; }

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_pauseWanted = false;
    bool m_stepWanted = false; ///< one, in spite of the pause
    bool m_stopWanted = false;
    bool m_areMasksWanted = false;
    std::optional<std::chrono::steady_clock::time_point> m_maskTurn;   ///< the last one
    std::optional<std::chrono::steady_clock::time_point> m_masksAsked; ///< by another process
    std::shared_ptr<const MaskRecord> m_masks;                         ///< the newest, for that one
    Actions m_requests;
    Actions m_reports;
};

} // namespace lockstep
