// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace lockstep::train {

/// Where results and notes go: results to standard output, notes to standard error, each a line
/// that is there at once. A terminal also has a progress line, which is rewritten in place and
/// makes way for every other line. Thread-safe.
class Console
{
public:
    Console();
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// Writes a line to standard output. Error(Io) if that is refused.
    void result(const std::string& line);
    /// The same of a training, which must not end for that: where it is refused a note says so, and
    /// no more is told.
    void tell(const std::string& line);
    /// Writes `lockstep-train: <line>` to standard error.
    void note(const std::string& line);
    /// Shows this line, if there is a terminal and it has not changed just now.
    void progress(const std::string& line);
    /// Takes the progress line away.
    void clearProgress();

    /// Whether progress() shows anything.
    [[nodiscard]] bool hasProgress() const { return m_isTerminal; }

private:
    using Clock = std::chrono::steady_clock;

    void takeProgressAway();

    bool m_isTerminal;
    std::atomic<bool> m_isHeard = true; ///< of tell()
    std::mutex m_mutex;
    bool m_isShown = false;
    Clock::time_point m_shownAt;
};

/// Writes `lockstep-train: <text>` to standard error as one line, whatever the text holds.
void writeError(const std::string& text);

} // namespace lockstep::train
