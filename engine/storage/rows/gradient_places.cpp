// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/gradient_places.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

/// So many of the newest records are always there: what is averaged over the last ones comes out as
/// it was while the run went on.
constexpr std::size_t kNewest = 100;
constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

using Places = std::vector<GradientPlace>;

std::optional<GradientPlace> look(SqliteStatement& query, const LineageSegment& segment)
{
    query.query(segment.branch, segment.first, segment.end);
    std::optional<GradientPlace> place;
    while (query.next()) {
        place = GradientPlace{segment.branch, segment.batchPerTower, query.integer(0)};
    }
    return place;
}

/// All where they are `most` at most; else empty.
std::optional<Places> allPlaces(GradientPlaceFinder& finder, std::size_t most)
{
    Places places;
    auto place = finder.firstFrom(0);
    for (; place && places.size() < most; place = finder.firstFrom(place->step + 1)) {
        places.push_back(*place);
    }
    return place ? std::nullopt : std::optional(places);
}

Places newestPlaces(GradientPlaceFinder& finder)
{
    Places places;
    for (auto place = finder.lastBefore(kNoEnd); place && places.size() < kNewest;
         place = finder.lastBefore(place->step)) {
        places.push_back(*place);
    }
    std::ranges::reverse(places);
    return places;
}

/// Of those in [first, end) at most `most`, at steps evenly spread.
Places spreadPlaces(
    GradientPlaceFinder& finder, std::int64_t first, std::int64_t end, std::int64_t most)
{
    Places places;
    for (std::int64_t i = 0; i < most; ++i) {
        // (end - first) * i / most, whose product may be beyond 2^63.
        const std::int64_t part = (end - first) / most * i + (end - first) % most * i / most;
        const auto place = finder.firstFrom(first + part);
        const bool isNew = places.empty() || (place && places.back().step < place->step);
        if (place && place->step < end && isNew) {
            places.push_back(*place);
        }
    }
    return places;
}

} // namespace

GradientPlaceFinder::GradientPlaceFinder(
    const SqliteDatabase& database, std::vector<LineageSegment> lineage)
    : m_lineage(std::move(lineage)),
      m_first(database.prepare("SELECT step FROM gradient WHERE branch = ? AND step >= ?"
                               " AND step < ? ORDER BY step LIMIT 1")),
      m_last(database.prepare("SELECT step FROM gradient WHERE branch = ? AND step >= ?"
                              " AND step < ? ORDER BY step DESC LIMIT 1"))
{
}

std::optional<GradientPlace> GradientPlaceFinder::firstFrom(std::int64_t step)
{
    for (const LineageSegment& segment : m_lineage) {
        if (auto place = look(m_first, segment.within(step, kNoEnd))) {
            return place;
        }
    }
    return std::nullopt;
}

std::optional<GradientPlace> GradientPlaceFinder::lastBefore(std::int64_t step)
{
    for (std::size_t left = m_lineage.size(); left > 0; --left) {
        if (auto place = look(m_last, m_lineage[left - 1].within(0, step))) {
            return place;
        }
    }
    return std::nullopt;
}

std::vector<GradientPlace> someGradientPlaces(const SqliteDatabase& database, std::size_t most)
{
    GradientPlaceFinder finder(database, lineageOf(database));
    const std::size_t limit = std::max(most, kNewest);
    if (auto all = allPlaces(finder, limit)) {
        return *std::move(all);
    }
    Places newest = newestPlaces(finder);
    const auto first = finder.firstFrom(0);
    if (newest.empty() || !first) { // the key is damaged: there were more
        return newest;
    }
    const auto older = static_cast<std::int64_t>(limit - newest.size());
    Places places = spreadPlaces(finder, first->step, newest.front().step, older);
    places.insert(places.end(), newest.begin(), newest.end());
    return places;
}

} // namespace lockstep
