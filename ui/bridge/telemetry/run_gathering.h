// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/gather.h"

#include <QString>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>

namespace lockstep::ui {

/// Makes a run of what the ranks of another program record, and goes on with it as they do, on a
/// thread of its own. It is followed like a run that another process writes: its lock is held here.
/// It ends when all ranks have ended, or when they have written nothing for minutes.
class RunGathering
{
public:
    /// Of the folder of a run; null where no rank recorded anything, where somebody else gathers
    /// it, or where all is gathered. Reads files: any thread. Errors of RunGatherer.
    static std::shared_ptr<RunGathering> ofRun(const std::filesystem::path& folder);
    /// Whether ofRun() would make one.
    static bool isNeeded(const std::filesystem::path& folder);
    /// The same of a run whose ranks have just written something.
    static bool hasMore(const std::filesystem::path& folder);

    explicit RunGathering(const std::filesystem::path& folder);
    /// Leaves the run as far as it is made.
    ~RunGathering();
    RunGathering(const RunGathering&) = delete;
    RunGathering& operator=(const RunGathering&) = delete;

    /// Why it ended before its time, once.
    QString takeError();

private:
    void work();
    [[nodiscard]] bool isWanted();

    const std::filesystem::path m_folder;
    std::unique_ptr<RunGatherer> m_gatherer; ///< of the thread
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isWanted = true;
    QString m_error;
    std::thread m_thread;
};

} // namespace lockstep::ui
