// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base.h"
#include "engine/records.h"

#include <QString>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lockstep::ui {

/// Reads steps [first, end) of a run back from its store, on a thread of its own: those before a
/// resume, and those that a full queue turned away. They are RunStoreReader::forEachCurveStep()'s:
/// of old ones only what curves show is filled in.
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
    /// Gives up and waits for the thread.
    ~StepBackfill();
    StepBackfill(const StepBackfill&) = delete;
    StepBackfill& operator=(const StepBackfill&) = delete;

    /// The next steps, in order; empty if none are ready.
    std::optional<std::vector<StepRecord>> tryTake() { return m_blocks.tryPop(); }
    /// Nothing more will come, and all that came was taken.
    [[nodiscard]] bool isDone() const { return m_isDone && m_blocks.size() == 0; }
    /// Why the steps could not be read. Once isDone().
    [[nodiscard]] const QString& error() const { return m_error; }
    /// The run has ended and its store is complete: there is nothing to wait for.
    void stopWaiting();

    [[nodiscard]] const Request& request() const { return m_request; }

private:
    void work();
    void awaitProof();
    [[nodiscard]] bool isProofStored() const;
    void read();

    Request m_request;
    std::function<void()> m_wake;
    BoundedQueue<std::vector<StepRecord>> m_blocks;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWaitWanted = true;
    QString m_error;
    std::atomic<bool> m_isDone{false};
    std::thread m_thread;
};

} // namespace lockstep::ui
