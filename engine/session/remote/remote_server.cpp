// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_server.h"

#include "base/error.h"
#include "session/config/version.h"
#include "session/mirror/frame_channel.h"
#include "session/remote/page_sender.h"
#include "session/remote/remote_answers.h"
#include "storage/store/run_folder.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// The other end says something every fifteen seconds, or is gone.
constexpr int kLongestSilence = 60'000;

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
    PageSender pages(place.folder, channel);
    RemoteAnswers answers(place.folder, [&](const Frame& answer) { channel.send(answer); });
    try {
        while (auto frame = nextFrame(channel)) {
            const auto kind = (*frame)["t"].get<std::string>();
            if (kind == "ask") {
                answers.take(std::move(*frame));
            } else if (kind == "follow" || kind == "unfollow") {
                pages.take(std::move(*frame));
            } else if (kind == "taken") {
                pages.takeReceipt();
            } else if (kind == "ping") {
                channel.send({{"t", "pong"}});
            }
        }
    } catch (const nlohmann::json::exception&) {
        fail(ErrorCode::Data, "what came over the line is damaged");
    }
    return true;
}

} // namespace lockstep
