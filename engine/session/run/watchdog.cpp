// SPDX-License-Identifier: Apache-2.0
#include "session/run/watchdog.h"

#include "base/byte_text.h"
#include "metrics/verdicts/step_alerts.h"

#include <fmt/core.h>
#include <pthread.h>

#include <algorithm>
#include <span>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

using Seconds = std::chrono::duration<double>;

/// Often enough that "for 30 s" is said within a few of them.
constexpr double kLooksPerLimit = 10.0;
constexpr Seconds kMostBetweenLooks{2.0};

} // namespace

std::optional<std::uintmax_t> freeBytesOf(const std::filesystem::path& folder)
{
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    return error ? std::nullopt : std::optional(space.available);
}

Watchdog::Watchdog(WatchdogSettings settings, std::function<void(const AlertRecord&)> tell)
    : m_settings(std::move(settings)), m_tell(std::move(tell))
{
    m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
    pthread_setname_np(m_thread.native_handle(), "run-watch");
}

Watchdog::Activity Watchdog::begin(Activity activity)
{
    const std::scoped_lock lock(m_mutex);
    m_begun = Clock::now();
    return std::exchange(m_activity, activity);
}

void Watchdog::onStep(std::int64_t stepsMade, double seconds)
{
    const std::scoped_lock lock(m_mutex);
    m_stepsMade = stepsMade;
    m_seconds[m_steps % kLastSteps] = seconds;
    ++m_steps;
    const auto now = Clock::now();
    const double taken = Seconds(now - std::exchange(m_begun, now)).count();
    m_activity = Activity::Step;
    if (std::exchange(m_isStuckTold, false)) {
        m_tell(
            {AlertKind::Stuck, true, stepsMade, -1,
             fmt::format("the run goes on: step {} is done, after {:.0f} s", stepsMade, taken)});
    }
}

void Watchdog::onCheckpoint(std::uintmax_t bytes)
{
    const std::scoped_lock lock(m_mutex);
    m_checkpointBytes = bytes;
    m_isDiskWanted = true;
    m_changed.notify_one();
}

void Watchdog::work(const std::stop_token& stop)
{
    const double perLook = m_settings.stuckSeconds / kLooksPerLimit;
    const auto pause = m_settings.stuckSeconds > 0.0 ? std::min(Seconds(perLook), kMostBetweenLooks)
                                                     : Seconds(m_settings.lookAtDiskEvery);
    auto diskLookedAt = Clock::now();
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        const auto waitsSince = Clock::now();
        m_changed.wait_for(lock, stop, pause, [this] { return m_isDiskWanted; });
        if (Clock::now() - waitsSince > kLooksPerLimit * pause) { // the process was stopped
            m_begun = Clock::now();
        }
        if (!stop.stop_requested() && m_settings.stuckSeconds > 0.0) {
            lookAtSteps();
        }
        const bool isDue = std::exchange(m_isDiskWanted, false)
                           || Clock::now() - diskLookedAt >= m_settings.lookAtDiskEvery;
        if (!stop.stop_requested() && m_settings.diskCheckpoints > 0 && isDue) {
            diskLookedAt = Clock::now();
            lookAtDisk(lock); // another checkpoint may come meanwhile
        }
    }
}

double Watchdog::limit() const
{
    std::array<double, kLastSteps> seconds = m_seconds;
    return stuckLimit(
        m_settings.stuckSeconds, std::span(seconds).first(std::min(m_steps, kLastSteps)));
}

AlertRecord Watchdog::stuckAlert(double seconds) const
{
    const std::string what =
        m_activity == Activity::Save ? fmt::format(
            "it has been writing a checkpoint for {:.0f} s: look at the disk of {}", seconds,
            m_settings.folder.string())
                                     : fmt::format(
                                         "no step has been done for {:.0f} s: look at the disk of "
                                         "the data set, and at the devices",
                                         seconds);
    return {
        AlertKind::Stuck,
        false,
        m_stepsMade,
        -1,
        fmt::format("the run seems to be stuck after step {}: {}", m_stepsMade, what),
        StuckFigures{seconds, m_activity == Activity::Save}};
}

void Watchdog::lookAtSteps()
{
    if (m_activity == Activity::Other || m_isStuckTold) {
        return;
    }
    const double seconds = Seconds(Clock::now() - m_begun).count();
    if (seconds < m_settings.stuckSeconds || seconds < limit()) {
        return;
    }
    m_isStuckTold = true;
    m_tell(stuckAlert(seconds)); // under the lock, so that it is told before it is over
}

void Watchdog::lookAtDisk(std::unique_lock<std::mutex>& lock)
{
    const auto checkpoint = static_cast<double>(m_checkpointBytes);
    const std::int64_t step = m_stepsMade;
    lock.unlock(); // a file system may take its time
    const auto free = checkpoint > 0.0 ? m_settings.freeBytes(m_settings.folder) : std::nullopt;
    if (free) {
        const auto room = static_cast<double>(*free) / checkpoint;
        const std::string text = fmt::format(
            "{} free in {}, a checkpoint takes {}", byteText(static_cast<double>(*free)),
            m_settings.folder.string(), byteText(checkpoint));
        if (!m_isDiskTold && room < m_settings.diskCheckpoints) {
            m_isDiskTold = true;
            m_tell(
                {AlertKind::DiskLow, false, step, -1,
                 fmt::format("the disk is nearly full: {}; make room", text)});
        } else if (m_isDiskTold && room >= m_settings.diskCheckpoints + 1) {
            m_isDiskTold = false;
            m_tell({AlertKind::DiskLow, true, step, -1, "there is room again: " + text});
        }
    }
    lock.lock();
}

} // namespace lockstep
