// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace lockstep {

/// The right to write a run folder, held by one process at a time: a lock on RUN/run.lock, which
/// also holds the number of that process. The system gives it back when the process ends, however
/// it ends; the file itself stays. Readers don't need it.
class RunLock
{
public:
    static constexpr const char* kFileName = "run.lock";

    /// Error(BadInput) naming the folder and the process that writes it, Error(Io) if the folder
    /// can't be written.
    explicit RunLock(const std::filesystem::path& folder);
    ~RunLock();
    RunLock(RunLock&& other) noexcept;
    RunLock& operator=(RunLock&& other) noexcept;
    RunLock(const RunLock&) = delete;
    RunLock& operator=(const RunLock&) = delete;

    /// The number of the process that writes this run just now, this one included; 0 if it can't be
    /// read. Empty if nobody does, or there is no such run.
    static std::optional<int> writerOf(const std::filesystem::path& folder);

private:
    explicit RunLock(int descriptor);

    int m_descriptor = -1;
};

} // namespace lockstep
