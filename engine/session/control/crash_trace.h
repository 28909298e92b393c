// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// From now on this process, if it dies by SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL or an exception
/// that nobody catches, leaves a text: when, which version, what it did, and a backtrace. It lies
/// in the folder of the run that is being written, see CrashPlace, else in crashFolder(), as
/// `crash-20260131-235959-PID.txt` (UTC). The signal then goes on to what it usually does, so that
/// the system can make a core dump. Only async-signal-safe calls are made, on a stack of their own
/// in the main thread and those with a SignalStack: in no other one a full stack is told. Does
/// nothing where a sanitizer tells of crashes. For main(), before there are other threads.
void traceCrashes(const std::string& version);

/// Where crashes are told that are of no run: `$XDG_DATA_HOME/lockstep`, or
/// `~/.local/share/lockstep`; empty without a home.
std::filesystem::path crashFolder();

/// The newest text in any of these folders, by the time in its name. Folders that can't be read are
/// passed over. Any thread.
std::optional<std::filesystem::path> newestCrashTrace(
    const std::vector<std::filesystem::path>& folders);

/// While it lives this is the run that the process writes. Of several, the one that was made last.
class CrashPlace
{
public:
    explicit CrashPlace(const std::filesystem::path& run);
    ~CrashPlace();
    CrashPlace(const CrashPlace&) = delete;
    CrashPlace& operator=(const CrashPlace&) = delete;

    /// The newest step that was made. Any thread.
    void setStep(std::int64_t step) noexcept { m_step = step; }

    // For the signal handler.
    [[nodiscard]] const std::string& run() const noexcept { return m_run; }
    [[nodiscard]] std::int64_t step() const noexcept { return m_step; }

private:
    const std::string m_run;
    std::atomic<std::int64_t> m_step = -1;
};

} // namespace lockstep
