// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/data_account.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace lockstep {

void DataAccount::leaveOut(const std::string& kind, const std::string& file)
{
    Kind& known = m_kinds[kind];
    if (++known.count == 1) {
        known.example = file;
    }
}

void DataAccount::warn(std::string sentence)
{
    m_warnings.push_back(std::move(sentence));
}

std::int64_t DataAccount::leftOut() const
{
    return std::accumulate(
        m_kinds.begin(), m_kinds.end(), std::int64_t{0},
        [](std::int64_t sum, const auto& kind) { return sum + kind.second.count; });
}

std::vector<std::string> DataAccount::lines() const
{
    std::vector<std::string> lines;
    if (!m_kinds.empty()) {
        std::vector<std::pair<std::string, Kind>> kinds(m_kinds.begin(), m_kinds.end());
        std::ranges::stable_sort(
            kinds, [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
        std::vector<std::string> parts;
        for (const auto& [name, kind] : kinds) {
            parts.push_back(fmt::format("{} {} ({})", kind.count, name, kind.example));
        }
        const std::int64_t count = leftOut();
        lines.push_back(fmt::format(
            "{} file{} left out: {}", count, count == 1 ? "" : "s", fmt::join(parts, ", ")));
    }
    lines.insert(lines.end(), m_warnings.begin(), m_warnings.end());
    return lines;
}

} // namespace lockstep
