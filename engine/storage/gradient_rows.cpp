// SPDX-License-Identifier: Apache-2.0
#include "storage/gradient_rows.h"

#include "storage/checked_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lockstep {
namespace {

/// So many of the newest records are read in full: what is averaged over the last ones comes out as
/// it was while the run went on.
constexpr std::size_t kNewest = 100;

using Names = std::map<std::int64_t, std::string>;

/// A record by its key.
struct Place
{
    std::int64_t branch = 0;
    std::int64_t batchPerTower = 0;
    std::int64_t step = 0;
};

Names parameterNames(const SqliteDatabase& database)
{
    Names names;
    CheckedQuery query(database, "parameter", "id, name", "");
    while (query.next()) {
        names[query.row().integer(0)] = query.row().text(1);
    }
    return names;
}

/// Finds records of a line by their steps, with one look into the key for each: a record has a row
/// for every parameter, and those of a long run must not be read through for some of them.
class PlaceFinder
{
public:
    PlaceFinder(const SqliteDatabase& database, std::vector<LineSegment> line)
        : m_line(std::move(line)),
          m_first(database.prepare("SELECT step FROM gradient WHERE branch = ? AND step >= ?"
                                   " AND step < ? ORDER BY step LIMIT 1")),
          m_last(database.prepare("SELECT step FROM gradient WHERE branch = ? AND step >= ?"
                                  " AND step < ? ORDER BY step DESC LIMIT 1"))
    {
    }

    /// The first one at `step` or later.
    std::optional<Place> firstFrom(std::int64_t step)
    {
        for (const LineSegment& segment : m_line) {
            if (auto place = look(m_first, segment.within(step, kNoEnd))) {
                return place;
            }
        }
        return std::nullopt;
    }

    /// The last one before `step`.
    std::optional<Place> lastBefore(std::int64_t step)
    {
        for (auto segment = m_line.rbegin(); segment != m_line.rend(); ++segment) {
            if (auto place = look(m_last, segment->within(0, step))) {
                return place;
            }
        }
        return std::nullopt;
    }

    static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

private:
    static std::optional<Place> look(SqliteStatement& query, const LineSegment& segment)
    {
        query.query(segment.branch, segment.first, segment.end);
        std::optional<Place> place;
        while (query.next()) {
            place = Place{segment.branch, segment.batchPerTower, query.integer(0)};
        }
        return place;
    }

    std::vector<LineSegment> m_line;
    SqliteStatement m_first;
    SqliteStatement m_last;
};

/// All where they are `most` at most; else empty.
std::optional<std::vector<Place>> allPlaces(PlaceFinder& finder, std::size_t most)
{
    std::vector<Place> places;
    auto place = finder.firstFrom(0);
    for (; place && places.size() < most; place = finder.firstFrom(place->step + 1)) {
        places.push_back(*place);
    }
    return place ? std::nullopt : std::optional(places);
}

std::vector<Place> newestPlaces(PlaceFinder& finder, std::size_t most)
{
    std::vector<Place> places;
    for (auto place = finder.lastBefore(PlaceFinder::kNoEnd); place && places.size() < most;
         place = finder.lastBefore(place->step)) {
        places.push_back(*place);
    }
    std::ranges::reverse(places);
    return places;
}

/// Of more than `most` places the newest, and of the older ones those at steps evenly spread.
std::vector<Place> spreadPlaces(PlaceFinder& finder, std::size_t most)
{
    std::vector<Place> places;
    const std::vector<Place> newest = newestPlaces(finder, kNewest);
    const auto wanted = static_cast<std::int64_t>(most - newest.size());
    const std::int64_t first = finder.firstFrom(0)->step;
    const std::int64_t end = newest.front().step;
    for (std::int64_t i = 0; i < wanted; ++i) {
        const std::int64_t step =
            first + (end - first) / wanted * i + (end - first) % wanted * i / wanted;
        const auto place = finder.firstFrom(step);
        if (place->step < end && (places.empty() || places.back().step < place->step)) {
            places.push_back(*place);
        }
    }
    places.insert(places.end(), newest.begin(), newest.end());
    return places;
}

/// Reads single records. A row's checksum is over those of its towers, too.
class GradientRowReader
{
public:
    explicit GradientRowReader(const SqliteDatabase& database)
        : m_database(database), m_names(parameterNames(database)),
          m_gradient(database.prepare(
              "SELECT branch, step, parameter, gradient_squares, weight_squares, update_squares,"
              " row_checksum FROM gradient WHERE branch = ? AND step = ? ORDER BY parameter")),
          m_tower(
              database.prepare("SELECT tower, squares, dot_mean FROM tower_gradient"
                               " WHERE branch = ? AND step = ? AND parameter = ? ORDER BY tower"))
    {
    }

    GradientRecord read(const Place& place)
    {
        GradientRecord record{place.step, place.batchPerTower, {}};
        m_gradient.query(place.branch, place.step);
        while (m_gradient.next()) {
            record.parameters.push_back(parameterOf(place));
        }
        return record;
    }

private:
    ParameterGradientRecord parameterOf(const Place& place)
    {
        constexpr int kChecksum = 6;
        const std::int64_t number = m_gradient.integer(2);
        const auto name = m_names.find(number);
        ParameterGradientRecord parameter{
            name == m_names.end() ? std::string() : name->second,
            m_gradient.real(3),
            m_gradient.real(4),
            m_gradient.real(5),
            {}};
        m_checksum.addColumns(m_gradient, 0, kChecksum);
        m_tower.query(place.branch, place.step, number);
        while (m_tower.next()) {
            m_checksum.addColumns(m_tower, 0, m_tower.columns());
            parameter.towers.push_back({m_tower.real(1), m_tower.real(2)});
        }
        if (m_checksum.take() != m_gradient.integer(kChecksum) || name == m_names.end()) {
            failDamaged(m_database.file(), fmt::format("the gradients of step {}", place.step));
        }
        return parameter;
    }

    const SqliteDatabase& m_database;
    Names m_names;
    RowChecksum m_checksum;
    SqliteStatement m_gradient;
    SqliteStatement m_tower;
};

} // namespace

GradientRowWriter::GradientRowWriter(const SqliteDatabase& database)
    : m_parameter(database.prepare("INSERT INTO parameter VALUES (?,?,?)")),
      m_gradient(database.prepare("INSERT INTO gradient VALUES (?,?,?,?,?,?,?)")),
      m_tower(database.prepare("INSERT INTO tower_gradient VALUES (?,?,?,?,?,?)"))
{
    for (const auto& [number, name] : parameterNames(database)) {
        m_numbers[name] = number;
    }
}

void GradientRowWriter::write(std::int64_t branch, const GradientRecord& record)
{
    for (const ParameterGradientRecord& parameter : record.parameters) {
        const std::int64_t number = numberOf(parameter.name);
        const auto add = [this](const auto&... value) { (m_checksum.add(value), ...); };
        add(branch, record.step, number, parameter.gradientSquares, parameter.weightSquares,
            parameter.updateSquares);
        std::int64_t tower = 0;
        for (const TowerGradientRecord& own : parameter.towers) {
            add(tower, own.squares, own.dotMean);
            m_tower.run(branch, record.step, number, tower++, own.squares, own.dotMean);
        }
        m_gradient.run(
            branch, record.step, number, parameter.gradientSquares, parameter.weightSquares,
            parameter.updateSquares, m_checksum.take());
    }
}

std::int64_t GradientRowWriter::numberOf(const std::string& parameter)
{
    const auto [known, isNew] =
        m_numbers.try_emplace(parameter, static_cast<std::int64_t>(m_numbers.size()));
    if (isNew) {
        m_checksum.add(known->second);
        m_checksum.add(std::string_view(parameter));
        m_parameter.run(known->second, parameter, m_checksum.take());
    }
    return known->second;
}

void readGradients(
    const SqliteDatabase& database, const LineSegment& segment,
    const std::function<void(const GradientRecord&)>& take)
{
    GradientRowReader reader(database);
    PlaceFinder finder(database, {segment});
    for (auto place = finder.firstFrom(segment.first); place;
         place = finder.firstFrom(place->step + 1)) {
        take(reader.read(*place));
    }
}

std::vector<GradientRecord> readSomeGradients(const SqliteDatabase& database, std::size_t most)
{
    const std::size_t limit = std::max(most, kNewest);
    PlaceFinder finder(database, currentLine(database));
    std::optional<std::vector<Place>> places = allPlaces(finder, limit);
    if (!places) {
        places = spreadPlaces(finder, limit);
    }
    std::vector<GradientRecord> records;
    GradientRowReader reader(database);
    for (const Place& place : *places) {
        records.push_back(reader.read(place));
    }
    return records;
}

} // namespace lockstep
