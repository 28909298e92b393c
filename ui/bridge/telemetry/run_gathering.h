// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/gather.h"

#include <QString>

#include <filesystem>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

namespace lockstep::ui {

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

} // namespace lockstep::ui
