// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "storage/store/run_store_record.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

class RunStoreWriter;

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
/// step less than a microsecond. Nothing is dropped: only when 64 MiB of records wait (the disk
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

    /// A step needs a branch, and as many towers as that has; the steps of a branch follow each
    /// other from its first one on.
    void append(RunRecord record);
    /// Goes on at `branch.fromStep` of its parent on a new branch; call it at the start of every
    /// run, before its first step. What the parent's line holds from there on stays in the store as
    /// an abandoned branch. Where steps before it are missing (the process was killed), a warning
    /// event says which.
    void startBranch(const RunBranch& branch) { append(branch); }
    /// Number of the current branch, counted from 1 by startBranch(); 0 before the first one.
    [[nodiscard]] std::int64_t branch() const;
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
    std::size_t m_pendingBytes = 0;
    std::int64_t m_branch = 0;
    std::uint64_t m_appended = 0;
    std::uint64_t m_written = 0;
    bool m_isUrgent = false;
    bool m_isClosed = false;
    std::optional<Error> m_failure;
    std::thread m_thread;
};

/// Keeps an evaluation that was made after the training, of a state that is in the run's past, in
/// place of what is there of the same step and weights. Errors of RunFolder::resume(): nobody may
/// be training the run.
void addEvaluation(const std::filesystem::path& run, const EvaluationRecord& evaluation);

} // namespace lockstep
