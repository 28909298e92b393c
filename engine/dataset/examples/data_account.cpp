// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/data_account.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

/// Pictures that are not read; their endings begin the kinds that leaveOutByEnding() counts.
constexpr auto kPictures = std::to_array<std::string_view>(
    {".webp", ".gif", ".tif", ".tiff", ".heic", ".heif", ".avif", ".jp2", ".jxl", ".svg", ".psd",
     ".pgm",  ".ppm", ".tga", ".dng",  ".cr2",  ".nef",  ".arw",  ".raw", ".exr", ".dcm"});

} // namespace

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

bool DataAccount::hasPictures() const
{
    return std::ranges::any_of(
        kPictures, [&](std::string_view ending) { return m_kinds.contains(ending); });
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
            "{} left out: {}{}", count == 1 ? "1 file" : fmt::format("{} files", count),
            fmt::join(parts, ", "), hasPictures() ? "; the engine reads JPEG, PNG and BMP" : ""));
    }
    lines.insert(lines.end(), m_warnings.begin(), m_warnings.end());
    return lines;
}

std::vector<std::string> linesOf(const DataAccount& training, const DataAccount& test)
{
    std::vector<std::string> lines = training.lines();
    DataAccount others = test; // what lies beside both is told once
    std::erase_if(others.m_kinds, [&](const auto& kind) {
        const auto same = training.m_kinds.find(kind.first);
        return same != training.m_kinds.end() && same->second == kind.second;
    });
    for (const std::string& line : others.lines()) {
        if (std::ranges::find(lines, line) == lines.end()) {
            lines.push_back("test images: " + line);
        }
    }
    return lines;
}

} // namespace lockstep
