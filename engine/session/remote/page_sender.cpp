// SPDX-License-Identifier: Apache-2.0
#include "session/remote/page_sender.h"

#include "base/error.h"
#include "session/remote/remote_frames.h"
#include "storage/store/run_folder.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace lockstep {
namespace {

/// A run's store is written once a second.
constexpr std::chrono::milliseconds kLookEvery(200);
constexpr double kListEverySeconds = 1.0;

constexpr std::size_t kSmallestPage = std::size_t{16} << 10U;
constexpr std::size_t kLargestPage = std::size_t{1} << 20U;
constexpr double kQuickSeconds = 0.1;
constexpr double kSlowSeconds = 0.4;

} // namespace

PageSender::PageSender(std::filesystem::path runs, FrameChannel& channel)
    : m_runs(std::move(runs)), m_channel(channel), m_listing(m_runs), m_pageBytes(kSmallestPage)
{
    m_thread = std::thread([this] { work(); });
}

PageSender::~PageSender()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void PageSender::take(Frame wish)
{
    const std::scoped_lock lock(m_mutex);
    m_wishes.push_back(std::move(wish));
    m_changed.notify_all();
}

void PageSender::takeReceipt()
{
    const std::scoped_lock lock(m_mutex);
    m_isTaken = true;
    m_changed.notify_all();
}

/// On its thread, until the line is gone.
void PageSender::work()
{
    try {
        while (wait()) {
            list();
            takeWishes();
            while (sendPages()) {
                takeWishes();
                list();
            }
        }
    } catch (const std::exception&) {
        return; // the line is gone: who reads from it hears of that, too, and ends all
    }
}

/// False: it is over.
bool PageSender::wait()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait_for(lock, kLookEvery, [&] { return m_isEnding || !m_wishes.empty(); });
    return !m_isEnding;
}

void PageSender::list()
{
    if (m_sinceListing && m_sinceListing->seconds() < kListEverySeconds) {
        return;
    }
    if (const auto news = m_listing.news()) {
        m_channel.send(*news);
    }
    m_sinceListing.emplace();
}

void PageSender::takeWishes()
{
    std::vector<Frame> wishes;
    {
        const std::scoped_lock lock(m_mutex);
        wishes = std::move(m_wishes);
        m_wishes.clear();
    }
    for (const Frame& wish : wishes) {
        const auto run = wish.at("run").get<std::string>();
        m_followed.erase(run);
        if (wish["t"] == "follow" && isRunName(run)) {
            const std::filesystem::path folder = m_runs / run;
            m_followed.emplace(
                run, Followed{{RunFolder::storeFileOf(folder), wish.at("mirror")}, folder});
        }
    }
}

/// A page of each run that has something new. Whether there was any.
bool PageSender::sendPages()
{
    bool hasSent = false;
    for (auto& [run, followed] : m_followed) {
        try {
            hasSent = sendPage(run, followed) || hasSent;
        } catch (const LineGone&) {
            throw;
        } catch (const std::exception&) {
            // Its store can't be read, just now or for good: that stands in the list of runs.
        }
    }
    return hasSent;
}

bool PageSender::sendPage(const std::string& run, Followed& followed)
{
    if (!followed.isLooking) {
        // Asked first: what a process wrote before it went is there when the store is read.
        followed.nextProcess = RunLock::writerOf(followed.folder).value_or(-1);
        followed.isLooking = true;
    }
    std::optional<Frame> page;
    if (followed.source.hasNews()) {
        page = followed.source.next(m_pageBytes);
    }
    if (page) {
        (*page)["run"] = run;
        hand(*page);
        followed.hasGrown = true;
        return true;
    }
    followed.isLooking = false;
    const bool hasGrown = std::exchange(followed.hasGrown, false);
    if (hasGrown || followed.process != followed.nextProcess) {
        followed.process = followed.nextProcess;
        m_channel.send({{"t", "complete"}, {"run", run}, {"process", followed.nextProcess}});
    }
    return false;
}

/// Sends a page and waits until it is taken: there is never more than one under way.
void PageSender::hand(const Frame& page)
{
    const Stopwatch watch;
    {
        const std::scoped_lock lock(m_mutex);
        m_isTaken = false;
    }
    m_channel.send(page);
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isEnding || m_isTaken; });
    if (!m_isTaken) {
        throw LineGone(ErrorCode::Io, "the line is gone");
    }
    if (watch.seconds() < kQuickSeconds) {
        m_pageBytes = std::min(2 * m_pageBytes, kLargestPage);
    } else if (watch.seconds() > kSlowSeconds) {
        m_pageBytes = std::max(m_pageBytes / 2, kSmallestPage);
    }
}

} // namespace lockstep
