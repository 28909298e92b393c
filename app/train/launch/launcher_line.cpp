// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher_line.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>

namespace lockstep::train {
namespace {

constexpr const char* kBegin = "\x1elockstep-train lost rank ";
constexpr const char* kEnd = "\x1e\n";

} // namespace

void tellLauncher(int lostRank)
{
    if (lostRank >= 0 && std::getenv(kLauncherVariable) != nullptr) {
        const std::string line = fmt::format("{}{}{}", kBegin, lostRank, kEnd);
        std::fputs(line.c_str(), stderr);
        std::fflush(stderr);
    }
}

std::optional<int> takeLostRank(std::string& text)
{
    const std::size_t begin = text.find(kBegin);
    const std::size_t end = begin == std::string::npos ? begin : text.find(kEnd, begin + 1);
    if (end == std::string::npos) {
        return std::nullopt;
    }
    const int rank = std::atoi(text.c_str() + begin + std::string(kBegin).size());
    text.erase(begin, end + std::string(kEnd).size() - begin);
    return rank;
}

} // namespace lockstep::train
