// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/rows/run_branch.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep {

/// Steps [first, end) of one branch, and what is the same for all steps of that.
struct LineageSegment
{
    std::int64_t branch = 0;
    std::int64_t first = 0;
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    int towers = 1;
    std::int64_t batchPerTower = 1;
    std::int64_t trainingExamples = 1;

    [[nodiscard]] std::int64_t globalBatch() const { return towers * batchPerTower; }
    /// After so many examples; 0 where the size of the training set is not known.
    [[nodiscard]] double epochOf(std::int64_t examples) const
    {
        return trainingExamples == 0
                   ? 0.0
                   : static_cast<double>(examples) / static_cast<double>(trainingExamples);
    }
    /// What is left of it within other bounds.
    [[nodiscard]] LineageSegment within(std::int64_t from, std::int64_t to) const;
};

/// All branches by ascending number; within a transaction of the caller. Error(Data) if one is
/// damaged or missing.
std::vector<RunBranchInfo> readBranches(const SqliteDatabase& database);

/// The lineage by ascending step. Errors as above.
std::vector<LineageSegment> lineageOf(const SqliteDatabase& database);

/// What each branch holds beyond the lineage, by ascending number of the branch; the branches
/// without such steps are not there. Errors as above.
std::vector<LineageSegment> abandonedSegments(const SqliteDatabase& database);

/// All branches, each whole, by ascending number. Errors as above.
std::vector<LineageSegment> allBranches(const SqliteDatabase& database);

} // namespace lockstep
