// SPDX-License-Identifier: Apache-2.0
#include "ranks/rank_table.h"

#include "base/error.h"

#include <fmt/core.h>

#include <sstream>

namespace lockstep {
namespace {

void checkLines(const Ranks& ranks, int rank, const std::string& own, const std::string& first)
{
    std::istringstream others(own);
    std::istringstream firsts(first);
    std::string other;
    std::string expected;
    do {
        other.clear();
        expected.clear();
        std::getline(others, other);
        std::getline(firsts, expected);
    } while (other == expected && (others || firsts));
    const auto text = [](const std::string& line) {
        return line.empty() ? "nothing" : '"' + line + '"';
    };
    fail(
        ErrorCode::BadInput,
        "{} differs from {}: it has {} instead of {}; start all ranks with the same "
        "program, options, data and number of devices",
        nameOf(ranks, rank), nameOf(ranks, 0), text(other), text(expected));
}

} // namespace

std::string nameOf(const Ranks& ranks, int rank)
{
    return fmt::format("rank {} on {}", rank, ranks.hostOf(rank));
}

void checkAlike(Ranks& ranks, const std::string& own)
{
    const auto all = gatheredTexts(ranks, own);
    for (int rank = 1; rank < ranks.size(); ++rank) {
        const std::string& text = all[static_cast<std::size_t>(rank)];
        if (text != all.front()) {
            checkLines(ranks, rank, text, all.front());
        }
    }
}

} // namespace lockstep
