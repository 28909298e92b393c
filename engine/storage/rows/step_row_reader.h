// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/rows/run_lineage.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <functional>

namespace lockstep {

/// Reads the tables `step` and `tower_step` side by side, in the order of their keys, and fills in
/// what they and the branch tell together. Error(Data) names a step whose checksum is wrong, or
/// that is missing among those of its branch.
class StepRowReader
{
public:
    explicit StepRowReader(const SqliteDatabase& database);

    /// Calls `take` for each step of the segment by ascending number.
    void read(const LineageSegment& segment, const std::function<void(const StepRecord&)>& take);

private:
    [[nodiscard]] std::int64_t endOf(const LineageSegment& segment);
    void readStep(const LineageSegment& segment);
    void readTowers();
    void verify(const LineageSegment& segment);

    const SqliteDatabase& m_database;
    SqliteStatement m_steps;
    SqliteStatement m_towers;
    SqliteStatement m_last;
    bool m_hasTower = false;
    std::size_t m_objectives = 0; ///< whose losses the towers have
    StepRecord m_record;
    RowChecksum m_checksum;
};

} // namespace lockstep
