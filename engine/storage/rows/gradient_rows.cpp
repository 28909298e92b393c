// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/gradient_rows.h"

#include "storage/rows/gradient_places.h"
#include "storage/sqlite/checked_query.h"

#include <fmt/core.h>

namespace lockstep {
namespace {

using Names = std::map<std::int64_t, std::string>;

Names parameterNames(const SqliteDatabase& database)
{
    Names names;
    CheckedQuery query(database, "parameter", "id, name", "");
    while (query.next()) {
        names[query.row().integer(0)] = query.row().text(1);
    }
    return names;
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

    GradientRecord read(const GradientPlace& place)
    {
        GradientRecord record{place.step, place.batchPerTower, {}};
        m_gradient.query(place.branch, place.step);
        while (m_gradient.next()) {
            record.parameters.push_back(parameterOf(place));
        }
        return record;
    }

private:
    ParameterGradientRecord parameterOf(const GradientPlace& place)
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
    const SqliteDatabase& database, const LineageSegment& segment,
    const std::function<void(const GradientRecord&)>& take)
{
    GradientRowReader reader(database);
    GradientPlaceFinder finder(database, {segment});
    for (auto place = finder.firstFrom(segment.first); place;
         place = finder.firstFrom(place->step + 1)) {
        take(reader.read(*place));
    }
}

std::vector<GradientRecord> readSomeGradients(const SqliteDatabase& database, std::size_t most)
{
    std::vector<GradientRecord> records;
    GradientRowReader reader(database);
    for (const GradientPlace& place : someGradientPlaces(database, most)) {
        records.push_back(reader.read(place));
    }
    return records;
}

} // namespace lockstep
