// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_record.h"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace lockstep {

/// What a run is watched for from beside it.
struct WatchdogSettings
{
    double stuckSeconds = 30.0; ///< see stuckLimit(); 0: never stuck
    int diskCheckpoints = 2;    ///< see AlertSettings; 0: the disk is not looked at
    std::filesystem::path folder;
    std::chrono::milliseconds lookAtDiskEvery{60'000};
    /// Bytes that can still be written in a folder; empty where the file system does not tell.
    std::function<std::optional<std::uintmax_t>(const std::filesystem::path&)> freeBytes;
};

/// Bytes that are free for this user in a folder; empty where the file system does not tell.
std::optional<std::uintmax_t> freeBytesOf(const std::filesystem::path& folder);

/// Watches a run on a thread of its own, as the thread that trains can't say that it hangs, and
/// must not wait for a file system that does: tells when no step is done for long and when it goes
/// on, when the disk gets low and when there is room again. The thread that trains says what it is
/// about, which costs it less than a microsecond.
class Watchdog
{
public:
    /// What the thread that trains is about. Only the first two can get stuck: an evaluation or a
    /// pause takes as long as it takes.
    enum class Activity { Step, Save, Other };

    /// `tell` is called on the thread of the watch; when a stuck run goes on, on the thread that
    /// trains.
    Watchdog(WatchdogSettings settings, std::function<void(const AlertRecord&)> tell);

    // Of the thread that trains.

    /// From now on the run is about this. Returns what it was about.
    Activity begin(Activity activity);
    /// A step is done: so many updates were made, the last one in so many seconds.
    void onStep(std::int64_t stepsMade, double seconds);
    /// A checkpoint of this size is on disk: the next one will take as much. Has the disk looked
    /// at.
    void onCheckpoint(std::uintmax_t bytes);

private:
    using Clock = std::chrono::steady_clock;

    void work(const std::stop_token& stop);
    void lookAtSteps();
    void lookAtDisk(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] double limit() const;
    [[nodiscard]] AlertRecord stuckAlert(double seconds) const;

    static constexpr std::size_t kLastSteps = 101;

    WatchdogSettings m_settings;
    std::function<void(const AlertRecord&)> m_tell;

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    Activity m_activity = Activity::Other;
    Clock::time_point m_begun = Clock::now(); ///< what it is about
    std::int64_t m_stepsMade = 0;
    std::array<double, kLastSteps> m_seconds{}; ///< of the last steps, a ring
    std::size_t m_steps = 0;
    bool m_isStuckTold = false;
    std::uintmax_t m_checkpointBytes = 0; ///< 0: none was written yet
    bool m_isDiskWanted = false;          ///< it is to be looked at now
    bool m_isDiskTold = false;
    std::jthread m_thread; ///< last: works with all others until it ends
};

/// While it lives the run is busy with something else; afterwards with what it did before, which
/// may be a pause.
class WatchedActivity
{
public:
    /// Without a watch nothing is said.
    WatchedActivity(Watchdog* watch, Watchdog::Activity activity) : m_watch(watch)
    {
        if (m_watch != nullptr) {
            m_before = m_watch->begin(activity);
        }
    }
    ~WatchedActivity()
    {
        if (m_watch != nullptr) {
            m_watch->begin(m_before);
        }
    }
    WatchedActivity(const WatchedActivity&) = delete;
    WatchedActivity& operator=(const WatchedActivity&) = delete;

private:
    Watchdog* m_watch;
    Watchdog::Activity m_before = Watchdog::Activity::Step;
};

} // namespace lockstep
