// SPDX-License-Identifier: Apache-2.0
#include "launch/launch_hosts.h"

#include "engine/base.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>
#include <sstream>
#include <utility>

namespace lockstep::train {
namespace {

int slotsFrom(const std::string& text, const std::string& origin)
{
    int slots = 0;
    const char* const end = text.data() + text.size();
    if (const auto read = std::from_chars(text.data(), end, slots); read.ptr != end || slots < 1) {
        fail(ErrorCode::BadInput, "{}: '{}' is not a number of slots", origin, text);
    }
    return slots;
}

int slotsOf(const LaunchHost& host)
{
    return std::max(host.ranks, 1);
}

} // namespace

std::vector<LaunchHost> hostsOf(const std::string& list)
{
    std::vector<LaunchHost> hosts;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
        const std::size_t colon = word.find(':');
        LaunchHost host{word.substr(0, colon)};
        if (colon != std::string::npos) {
            host.ranks = slotsFrom(word.substr(colon + 1), "--hosts");
        }
        if (host.name.empty()) {
            fail(ErrorCode::BadInput, "--hosts '{}': a name is missing", list);
        }
        hosts.push_back(std::move(host));
    }
    return hosts;
}

std::vector<LaunchHost> hostsInFile(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    if (!stream) {
        fail(ErrorCode::BadInput, "{} can't be read{}", file.string(), errnoText());
    }
    std::vector<LaunchHost> hosts;
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        LaunchHost host;
        if (!(words >> host.name)) {
            continue;
        }
        for (std::string word; words >> word;) {
            const std::string key = "slots=";
            if (word.starts_with(key)) {
                host.ranks = slotsFrom(word.substr(key.size()), file.string());
            } else if (!word.starts_with("max_slots=") && !word.starts_with("max-slots=")) {
                fail(
                    ErrorCode::BadInput, "{}: '{}' is not understood; a line is: NAME slots=N",
                    file.string(), word);
            }
        }
        hosts.push_back(std::move(host));
    }
    if (hosts.empty()) {
        fail(ErrorCode::BadInput, "{} names no host", file.string());
    }
    return hosts;
}

std::vector<LaunchHost> spreadRanks(std::vector<LaunchHost> hosts, int ranks)
{
    if (ranks > 0 && std::ranges::all_of(hosts, [](const auto& host) { return host.ranks == 0; })) {
        const int count = static_cast<int>(hosts.size());
        for (int i = 0; i < count; ++i) {
            hosts[static_cast<std::size_t>(i)].ranks = (ranks + count - 1 - i) / count;
        }
    } else {
        int left = ranks;
        for (LaunchHost& host : hosts) {
            host.ranks = ranks == 0 ? slotsOf(host) : std::min(left, slotsOf(host));
            left -= host.ranks;
        }
        if (left > 0) {
            fail(
                ErrorCode::BadInput, "-n {}, but the hosts have only {} slots", ranks,
                ranks - left);
        }
    }
    std::erase_if(hosts, [](const LaunchHost& host) { return host.ranks == 0; });
    return hosts;
}

int ranksOf(const std::vector<LaunchHost>& hosts)
{
    return std::accumulate(hosts.begin(), hosts.end(), 0, [](int sum, const LaunchHost& host) {
        return sum + host.ranks;
    });
}

std::string takeAway(std::vector<LaunchHost>& hosts, int rank)
{
    if (hosts.size() == 1) {
        --hosts.front().ranks;
        return fmt::format("rank {}", rank);
    }
    auto lost = hosts.begin();
    for (int end = lost->ranks; rank >= end && lost + 1 != hosts.end(); end += lost->ranks) {
        ++lost;
    }
    std::string text =
        fmt::format("{} with {} rank{}", lost->name, lost->ranks, lost->ranks == 1 ? "" : "s");
    hosts.erase(lost);
    return text;
}

} // namespace lockstep::train
