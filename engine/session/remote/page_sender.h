// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "session/mirror/frame_channel.h"
#include "session/mirror/store_source.h"
#include "session/remote/run_listing.h"

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace lockstep {

/// Sends what is new in a folder of runs, on a thread of its own: the list of them, and pages of
/// the stores of those that the other end follows. One page is under way at a time, as large as the
/// line carries in a fraction of a second: nothing piles up here, and answers, which wait for it at
/// most, come soon. Thread-safe.
class PageSender
{
public:
    /// The channel must outlive it.
    PageSender(std::filesystem::path runs, FrameChannel& channel);
    /// Waits for what is being sent.
    ~PageSender();
    PageSender(const PageSender&) = delete;
    PageSender& operator=(const PageSender&) = delete;

    /// "follow" or "unfollow", a run.
    void take(Frame wish);
    /// The other end has the page that was under way.
    void takeReceipt();

private:
    /// A run whose store the other end mirrors.
    struct Followed
    {
        StoreSource source;
        std::filesystem::path folder;
        std::optional<int> process = {}; ///< that trains it, as it was told; -1: none
        int nextProcess = -1;            ///< to be told once all rows are there
        bool isLooking = false;
        bool hasGrown = false; ///< since that was told
    };

    void work();
    [[nodiscard]] bool wait();
    void list();
    void takeWishes();
    bool sendPages();
    bool sendPage(const std::string& run, Followed& followed);
    void hand(const Frame& page);

    std::filesystem::path m_runs;
    FrameChannel& m_channel;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isEnding = false;
    bool m_isTaken = false; ///< the page that is under way
    std::vector<Frame> m_wishes;
    // Of the thread alone.
    RunListing m_listing;
    std::optional<Stopwatch> m_sinceListing;
    std::map<std::string, Followed> m_followed;
    std::size_t m_pageBytes;

    std::thread m_thread;
};

} // namespace lockstep
