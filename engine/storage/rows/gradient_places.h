// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/rows/run_lineage.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

/// A gradient record by its key.
struct GradientPlace
{
    std::int64_t branch = 0;
    std::int64_t batchPerTower = 0;
    std::int64_t step = 0;
};

/// Finds the gradient records of a lineage by their steps, with one look into the key for each: a
/// record has a row for every parameter, and those of a long run must not be read through for some
/// of them. The caller holds a transaction.
class GradientPlaceFinder
{
public:
    /// `lineage`: by ascending step. The database must outlive it.
    GradientPlaceFinder(const SqliteDatabase& database, std::vector<LineageSegment> lineage);

    /// The first one at `step` or later.
    [[nodiscard]] std::optional<GradientPlace> firstFrom(std::int64_t step);
    /// The last one before `step`.
    [[nodiscard]] std::optional<GradientPlace> lastBefore(std::int64_t step);

private:
    std::vector<LineageSegment> m_lineage;
    SqliteStatement m_first;
    SqliteStatement m_last;
};

/// Of the lineage, by ascending step; see RunStoreReader::someGradients(). The caller holds a
/// transaction.
std::vector<GradientPlace> someGradientPlaces(const SqliteDatabase& database, std::size_t most);

} // namespace lockstep
