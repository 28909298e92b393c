// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_server.h"

#include "base/clock.h"
#include "base/error.h"
#include "session/config/version.h"
#include "session/remote/frame_channel.h"
#include "session/remote/remote_answers.h"
#include "session/remote/remote_frames.h"
#include "session/remote/run_listing.h"
#include "session/remote/store_source.h"
#include "storage/store/run_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A run's store is written once a second.
constexpr std::chrono::milliseconds kLookEvery(200);
constexpr double kListEverySeconds = 1.0;
/// The other end says something every fifteen seconds, or is gone.
constexpr int kLongestSilence = 60'000;

// A page is as large as the line carries in a fraction of a second, so that answers, which wait for
// one page at most, come soon.
constexpr std::size_t kSmallestPage = std::size_t{16} << 10U;
constexpr std::size_t kLargestPage = std::size_t{1} << 20U;
constexpr double kQuickSeconds = 0.1;
constexpr double kSlowSeconds = 0.4;

/// "~/runs" in the home folder of this machine.
fs::path expanded(const std::string& path)
{
    const char* home = std::getenv("HOME");
    if (path == "~" || path.starts_with("~/")) {
        if (home == nullptr) {
            fail(ErrorCode::BadInput, "{}: there is no home folder; name the whole path", path);
        }
        return (fs::path(home) / path.substr(std::min<std::size_t>(path.size(), 2)))
            .lexically_normal();
    }
    return fs::absolute(path).lexically_normal();
}

/// Which runs are meant: a folder, and perhaps one of them.
struct Place
{
    fs::path folder;
    std::string run;
};

Place placeOf(const std::string& path)
{
    if (path.empty()) {
        Place place{RunFolder::defaultRunsFolder(), {}};
        fs::create_directories(place.folder);
        return place;
    }
    fs::path folder = expanded(path);
    if (!folder.has_filename()) {
        folder = folder.parent_path();
    }
    if (RunFolder::isRun(folder)) {
        return {folder.parent_path(), folder.filename().string()};
    }
    std::error_code noFolder;
    if (!fs::is_directory(folder, noFolder)) {
        fail(
            ErrorCode::BadInput,
            "{}: there is no such folder; name a folder of runs, or make it there first",
            folder.string());
    }
    return {folder, {}};
}

/// The line is gone.
struct Gone
{
};

/// A run whose store the other end mirrors. Of the thread that sends rows.
struct Followed
{
    StoreSource source;
    fs::path folder;
    std::optional<int> process = {}; ///< as it was told; 0: nobody trains it
    int nextProcess = 0;             ///< to be told once all rows are there
    bool isLooking = false;
    bool hasGrown = false; ///< since that was told
};

class Server
{
public:
    Server(Place place, FrameChannel& channel)
        : m_place(std::move(place)), m_channel(channel), m_listing(m_place.folder),
          m_answers(m_place.folder, [this](const Frame& answer) { m_channel.send(answer); })
    {
        m_sender = std::thread([this] { send(); });
    }
    ~Server()
    {
        {
            const std::scoped_lock lock(m_mutex);
            m_isEnding = true;
        }
        m_changed.notify_all();
        m_sender.join();
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// A frame of the other end. Throws what frames throw that are not as they should be.
    void take(Frame frame)
    {
        const auto kind = frame["t"].get<std::string>();
        if (kind == "ask") {
            m_answers.take(std::move(frame));
        } else if (kind == "ping") {
            m_channel.send({{"t", "pong"}});
        } else if (kind == "taken" || kind == "follow" || kind == "unfollow") {
            const std::scoped_lock lock(m_mutex);
            if (kind == "taken") {
                m_isTaken = true;
            } else {
                m_wishes.push_back(std::move(frame));
            }
            m_changed.notify_all();
        }
    }

private:
    /// On its thread, until the line is gone.
    void send()
    {
        try {
            while (wait(kLookEvery, [] { return false; })) {
                list();
                takeWishes();
                while (sendPages()) {
                    takeWishes();
                    list();
                }
            }
        } catch (const Gone&) {
        } catch (const std::exception&) {
            // The line is gone, too: who reads from it ends this.
        }
    }

    /// False: it is over.
    bool wait(std::chrono::milliseconds most, const std::function<bool()>& isDone)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait_for(lock, most, [&] { return m_isEnding || !m_wishes.empty() || isDone(); });
        return !m_isEnding;
    }

    void list()
    {
        if (m_isListed && m_sinceListing.seconds() < kListEverySeconds) {
            return;
        }
        if (const auto news = m_listing.news()) {
            m_channel.send(*news);
        }
        m_isListed = true;
        m_sinceListing.restart();
    }

    void takeWishes()
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
                const fs::path folder = m_place.folder / run;
                m_followed.emplace(
                    run, Followed{{RunFolder::storeFileOf(folder), wish.at("mirror")}, folder});
            }
        }
    }

    /// A page of each run that has something new. Whether there was any.
    bool sendPages()
    {
        bool hasSent = false;
        for (auto& [run, followed] : m_followed) {
            try {
                hasSent = sendPage(run, followed) || hasSent;
            } catch (const std::exception&) {
                // Its store can't be read, just now or for good: that stands in the list of runs.
            }
        }
        return hasSent;
    }

    bool sendPage(const std::string& run, Followed& followed)
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
    void hand(const Frame& page)
    {
        const Stopwatch watch;
        {
            const std::scoped_lock lock(m_mutex);
            m_isTaken = false;
        }
        try {
            m_channel.send(page);
        } catch (const Error&) {
            throw Gone();
        }
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isEnding || m_isTaken; });
        if (!m_isTaken) {
            throw Gone();
        }
        if (watch.seconds() < kQuickSeconds) {
            m_pageBytes = std::min(2 * m_pageBytes, kLargestPage);
        } else if (watch.seconds() > kSlowSeconds) {
            m_pageBytes = std::max(m_pageBytes / 2, kSmallestPage);
        }
    }

    Place m_place;
    FrameChannel& m_channel;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_isEnding = false;
    bool m_isTaken = false;      ///< the page that is under way
    std::vector<Frame> m_wishes; ///< to follow or not to
    // Of the thread that sends rows.
    RunListing m_listing;
    bool m_isListed = false;
    Stopwatch m_sinceListing;
    std::map<std::string, Followed> m_followed;
    std::size_t m_pageBytes = kSmallestPage;

    RemoteAnswers m_answers;
    std::thread m_sender;
};

std::string otherVersion(const Frame& hello)
{
    return fmt::format(
        "this is lockstep-train {} (protocol {}) and the window is Lockstep {} (protocol {}): "
        "install the same version on both machines",
        versionText(), kRemoteProtocol, hello.value("version", "?"), hello.value("protocol", 0));
}

/// The next frame; empty at the end.
std::optional<Frame> nextFrame(FrameChannel& channel)
{
    while (true) {
        if (auto frame = channel.take()) {
            return frame;
        }
        if (!channel.waitFor(kLongestSilence) || !channel.fill()) {
            return std::nullopt;
        }
    }
}

} // namespace

bool serveRuns(const std::string& runs, int in, int out)
{
    FrameChannel channel(in, out);
    channel.greet();
    const auto refuse = [&](const std::string& reason) {
        channel.send({{"t", "refused"}, {"reason", reason}});
        return false;
    };
    Place place;
    try {
        const auto hello = nextFrame(channel);
        if (!hello) {
            return false;
        }
        if (hello->value("protocol", 0) != kRemoteProtocol) {
            return refuse(otherVersion(*hello));
        }
        place = placeOf(runs);
    } catch (const std::exception& error) {
        return refuse(error.what());
    }
    channel.send(
        {{"t", "hello"},
         {"protocol", kRemoteProtocol},
         {"version", versionText()},
         {"folder", place.folder.string()},
         {"run", place.run}});
    Server server(std::move(place), channel);
    try {
        while (auto frame = nextFrame(channel)) {
            server.take(std::move(*frame));
        }
    } catch (const nlohmann::json::exception&) {
        fail(ErrorCode::Data, "what came over the line is damaged");
    }
    return true;
}

} // namespace lockstep
