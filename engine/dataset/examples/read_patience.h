// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace lockstep {

/// How long reads of data that are away are tried again, and who is told.
struct PatienceSettings
{
    double seconds = 0.0;
    std::function<bool()> isStopWanted; ///< asked several times a second
    /// Told when the first one waits, and when it goes on; by whoever reads.
    std::function<void(const std::string&, bool isOver)> tell;
    // Tests have clocks of their own.
    std::function<double()> clock = {}; ///< seconds; empty: the machine's
    std::function<void()> wait = {};    ///< a moment; empty: a tenth of a second
};

/// Lets the loaders of a run wait while a data set can't be read: a network drive is away, say. All
/// methods are thread-safe.
class ReadPatience
{
public:
    /// From now on; whoever waits goes by it at once.
    void set(PatienceSettings settings);
    /// Nobody is asked or told any more after the call; whoever waits gives up.
    void end() { set({}); }
    /// Calls `read` until it does not throw Error(Io) any more, or the patience ends: then throws
    /// it. Throws Error(Cancelled) where a stop is wanted meanwhile.
    void read(const std::function<void()>& read);

private:
    /// After a read that failed for `reason`; `since` when the thread waits.
    [[nodiscard]] bool mayWait(std::optional<double>& since, const char* reason);
    void goOn(double since);
    void wait();
    [[nodiscard]] double now() const;

    std::mutex m_mutex;
    PatienceSettings m_settings;
    int m_waiting = 0; ///< threads
};

} // namespace lockstep
