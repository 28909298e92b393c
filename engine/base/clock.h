// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>
#include <utility>

namespace lockstep {

/// In seconds.
inline constexpr double kNanosecond = 1e-9;

/// The time of day, as runs keep it.
inline double secondsSince1970()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

/// The steady clock, in seconds since a moment that is the same for all processes of a machine.
inline double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

/// Processor time of the calling thread, in seconds.
inline double threadProcessorSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
}

/// Seconds since the stopwatch was made or restarted; monotonic.
class Stopwatch
{
public:
    [[nodiscard]] double seconds() const
    {
        return std::chrono::duration<double>(Clock::now() - m_start).count();
    }
    /// Starts anew and returns the seconds until now.
    double restart()
    {
        const auto now = Clock::now();
        return std::chrono::duration<double>(now - std::exchange(m_start, now)).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point m_start = Clock::now();
};

} // namespace lockstep
