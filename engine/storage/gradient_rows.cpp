// SPDX-License-Identifier: Apache-2.0
#include "storage/gradient_rows.h"

#include "storage/checked_query.h"

#include <fmt/format.h>

#include <algorithm>

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

std::vector<Place> placesOf(const SqliteDatabase& database, const LineSegment& segment)
{
    std::vector<Place> places;
    SqliteStatement query = database.prepare(
        "SELECT DISTINCT step FROM gradient WHERE branch = ? AND step >= ? AND step < ?"
        " ORDER BY step");
    query.query(segment.branch, segment.first, segment.end);
    while (query.next()) {
        places.push_back({segment.branch, segment.batchPerTower, query.integer(0)});
    }
    return places;
}

std::vector<Place> thinned(const std::vector<Place>& places, std::size_t most)
{
    const std::size_t newest = std::min(places.size(), kNewest);
    const std::size_t older = places.size() - newest;
    if (places.size() <= std::max(most, kNewest)) {
        return places;
    }
    std::vector<Place> kept;
    const std::size_t wanted = std::max(most, kNewest) - newest;
    for (std::size_t i = 0; i < wanted; ++i) {
        kept.push_back(places[i * older / wanted]);
    }
    kept.insert(kept.end(), places.end() - static_cast<std::ptrdiff_t>(newest), places.end());
    return kept;
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
    for (const Place& place : placesOf(database, segment)) {
        take(reader.read(place));
    }
}

std::vector<GradientRecord> readSomeGradients(const SqliteDatabase& database, std::size_t most)
{
    std::vector<Place> places;
    for (const LineSegment& segment : currentLine(database)) {
        const std::vector<Place> own = placesOf(database, segment);
        places.insert(places.end(), own.begin(), own.end());
    }
    std::vector<GradientRecord> records;
    GradientRowReader reader(database);
    for (const Place& place : thinned(places, most)) {
        records.push_back(reader.read(place));
    }
    return records;
}

} // namespace lockstep
