// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/objective_columns.h"

#include <algorithm>

namespace lockstep {

std::array<std::optional<double>, ObjectiveLosses::kMost> objectiveColumns(
    const ObjectiveLosses& losses)
{
    std::array<std::optional<double>, ObjectiveLosses::kMost> columns;
    std::copy(losses.begin(), losses.end(), columns.begin());
    return columns;
}

ObjectiveLosses readObjectives(const SqliteStatement& row, int first, std::size_t objectives)
{
    ObjectiveLosses losses;
    for (std::size_t i = 0; i < objectives; ++i) {
        losses.add(row.real(first + static_cast<int>(i)));
    }
    return losses;
}

std::size_t objectivesOf(const SqliteDatabase& database)
{
    const auto named = static_cast<std::size_t>(database.integer("SELECT count(*) FROM objective"));
    return named < 2 ? 0 : std::min(named, ObjectiveLosses::kMost);
}

} // namespace lockstep
