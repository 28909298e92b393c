// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "metrics/device_reading_record.h"
#include "metrics/evaluation_record.h"
#include "metrics/step_record.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace lockstep {

class RunStoreWriter;

/// Something that happened in a run, for people: "info", "warning" or "error" and one line of text.
struct RunEvent
{
    double time = 0.0; ///< seconds since 1970; RunStore fills it in
    std::string level;
    std::string text;
};

/// A fact about the run as a whole: "seed", "device", …
struct RunValue
{
    std::string key;
    std::string value;
};

/// The records from here on belong to a new branch that begins at this step.
struct RunBranch
{
    std::int64_t fromStep = 0;
};

/// What the store takes.
using RunRecord =
    std::variant<StepRecord, EvaluationRecord, DeviceReadingRecord, RunEvent, RunValue, RunBranch>;

/// How a store is written.
struct RunStoreOptions
{
    /// Records are on disk at most this long after append(), plus the time of one transaction.
    std::chrono::milliseconds writeEvery{1000};
    /// SQLite's way to reach files, say "unix-dotfile" where file locks don't work; empty: default.
    std::string fileSystem;
};

/// The run store being written: RUN/run.db (SQLite; tables in README.md). Records are queued and
/// written by a thread of its own, one transaction each `writeEvery`, so append() costs a training
/// step less than a microsecond. Nothing is dropped: only when a million records wait (the disk
/// hangs) does append() wait too. If the writer fails, say because the disk is full, every later
/// append(), flush() and close() throws its Error(Io); what was written before stays readable.
/// Thread-safe. One writer per store: see RunFolder.
class RunStore
{
public:
    /// Opens or creates the file. An existing store is continued on its current branch.
    /// Error(Io) if it can't be written, Error(Data) if it is damaged; both name the file.
    explicit RunStore(const std::filesystem::path& file, const RunStoreOptions& options = {});
    /// Closes; an error can't be told any more: call close() to hear of it.
    ~RunStore();
    RunStore(const RunStore&) = delete;
    RunStore& operator=(const RunStore&) = delete;

    void append(RunRecord record);
    /// Goes on at `step` of the current line on a new branch: what the line holds from `step` on
    /// stays in the store as an abandoned branch. Call on every resume, before the first record.
    /// Where steps before `step` are missing (the process was killed), a warning event says which.
    void startBranch(std::int64_t step) { append(RunBranch{step}); }
    /// Returns when everything appended so far is on disk. Call it before a checkpoint appears, so
    /// that a resume from it leaves no gap.
    void flush();
    /// flush(), then ends the writer. The file then needs no side files.
    void close();

private:
    void work();
    std::vector<RunRecord> take();
    void finish(std::size_t written, const std::optional<Error>& failure);
    void throwFailure() const;

    std::chrono::milliseconds m_writeEvery;
    std::unique_ptr<RunStoreWriter> m_writer; // of the thread, once it runs
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;  // of the writer: there is something to do
    std::condition_variable m_moved; // of callers: something was written, or failed
    std::vector<RunRecord> m_pending;
    std::uint64_t m_appended = 0;
    std::uint64_t m_written = 0;
    bool m_isUrgent = false;
    bool m_isClosed = false;
    std::optional<Error> m_failure;
    std::thread m_thread;
};

} // namespace lockstep
