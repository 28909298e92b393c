// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/telemetry/session_event.h"
#include "engine/base.h"
#include "engine/gather.h"

#include <QThreadPool>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace lockstep::ui {

/// Reads steps [first, end) of a run back from its store, on a thread of its own: those before a
/// resume, and those that a full queue turned away. They are RunStoreReader::forEachCurveStep()'s:
/// of old ones only what curves show is filled in. Destroyed, it gives up and waits for the thread.
class StepBackfill
{
public:
    struct Request
    {
        std::filesystem::path storeFile;
        std::int64_t first = 0;
        std::int64_t end = 0;
        /// A record behind `end`. The store is written up to a second late, and until then it may
        /// hold the steps of a line that was left; when it has this very record it has what is
        /// before it too. Without one nothing is waited for.
        std::optional<StepRecord> proof;
    };

    /// `wake` is called on the reading thread for each block and at the end.
    StepBackfill(Request request, std::function<void()> wake);

    /// The next steps, in order; empty if none are ready.
    std::optional<std::vector<StepRecord>> tryTake();
    /// Nothing more will come, and all that came was taken.
    [[nodiscard]] bool isDone() const;
    /// Why the steps could not be read. Once isDone().
    [[nodiscard]] const QString& error() const { return m_error; }
    /// The run has ended and its store is complete: there is nothing to wait for.
    void stopWaiting();

    [[nodiscard]] const Request& request() const { return m_request; }

private:
    void work(const std::stop_token& stop);
    void awaitProof(const std::stop_token& stop);
    [[nodiscard]] bool isProofStored() const;
    void read(const std::stop_token& stop);
    void hand(std::vector<StepRecord> block, const std::stop_token& stop);

    Request m_request;
    std::function<void()> m_wake;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::deque<std::vector<StepRecord>> m_blocks; ///< read and not taken
    bool m_isWaitWanted = true;
    bool m_isDone = false;
    QString m_error;
    std::jthread m_thread; ///< last: works with all others until it ends
};

/// What a run on disk, finished or being written by another process, tells of itself: as if it were
/// planned again to go on where it stands. Reads files, so it may take a while: any thread.
/// Error(BadInput) if there is no run, errors of the configuration and of the store as they are.
RunPlan readStoredRun(const std::filesystem::path& folder);

/// How a run stands by its own words: Running from its first step until it has ended; empty before
/// and for words that mean nothing.
std::optional<RunState> recordedState(const std::map<std::string, std::string>& facts);

/// So many gradient records of a run's history are read, and the newest 100.
inline constexpr std::size_t kHistoryGradients = 500;

/// As RunPlan has them: none where the loss says it all.
std::vector<std::string> severalObjectives(std::vector<std::string> objectives);

/// The newest branch of a run; 0 if it has none yet.
std::int64_t newestBranch(const RunStoreReader& reader);

/// Makes a run of what the ranks of another program record, and goes on with it as they do, on a
/// thread of its own. It is followed like a run that another process writes: its lock is held here.
/// It ends when all ranks have ended, or when they have written nothing for minutes. Destroyed, it
/// leaves the run as far as it is made.
class RunGathering
{
public:
    /// Of the folder of a run: false where no rank recorded anything, where somebody else gathers
    /// it, or where all is gathered. Reads files: any thread.
    static bool isNeeded(const std::filesystem::path& folder);
    /// The same of a run whose ranks have just written something.
    static bool hasMore(const std::filesystem::path& folder);

    /// Errors of RunGatherer.
    explicit RunGathering(const std::filesystem::path& folder);

    /// Why it ended before its time, once.
    QString takeError();

private:
    void work(const std::stop_token& stop);

    const std::filesystem::path m_folder;
    // Of the thread.
    std::stop_token m_stop;
    std::optional<RunGatherer> m_gatherer;

    std::mutex m_mutex;
    QString m_error;
    std::jthread m_thread; ///< last: works with all others until it ends
};

/// Reads runs that are on disk, on threads of its own: only the one that was asked for last is
/// told. A run that ranks record, and nobody gathers, is gathered from then on. Made, asked and
/// destroyed in the GUI thread.
class RunReader
{
public:
    using OnRead = std::function<void(const RunPlan& plan)>;
    using OnError = std::function<void(const QString& text)>;

    /// Tells in the thread of `context`, which must outlive this object.
    explicit RunReader(QObject& context);
    /// Waits for those that are being read.
    ~RunReader() { abandon(); }

    /// Tells one of the two.
    void read(const std::filesystem::path& run, const OnRead& onRead, const OnError& onError);
    /// What is being read is not wanted any more. It may take its time to end, which nobody waits
    /// for.
    void abandon();
    [[nodiscard]] bool isReading() const { return m_isReading; }

private:
    std::stop_source m_reading;
    bool m_isReading = false;
    Mailbox m_mailbox;
    QThreadPool m_threads; ///< last: it waits for them
};

} // namespace lockstep::ui
