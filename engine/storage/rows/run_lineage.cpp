// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/run_lineage.h"

#include "storage/sqlite/checked_query.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockstep {
namespace {

RunBranchInfo readBranch(const SqliteStatement& row)
{
    const auto parent = row.isNull(1) ? std::nullopt : std::optional(row.integer(1));
    return {row.integer(0),
            parent,
            row.integer(2),
            row.real(3),
            static_cast<int>(row.integer(4)),
            row.integer(5),
            row.integer(6)};
}

LineageSegment wholeOf(const RunBranchInfo& branch)
{
    return {
        .branch = branch.id,
        .first = branch.fromStep,
        .towers = branch.towers,
        .batchPerTower = branch.batchPerTower,
        .trainingExamples = branch.trainingExamples};
}

} // namespace

LineageSegment LineageSegment::within(std::int64_t from, std::int64_t to) const
{
    LineageSegment part = *this;
    part.first = std::max(first, from);
    part.end = std::max(part.first, std::min(end, to));
    return part;
}

std::vector<RunBranchInfo> readBranches(const SqliteDatabase& database)
{
    std::vector<RunBranchInfo> branches;
    CheckedQuery query(
        database, "branch",
        "id, parent, from_step, created, towers, batch_per_tower, training_examples",
        "ORDER BY id");
    while (query.next()) {
        branches.push_back(readBranch(query.row()));
        const std::int64_t towers = query.row().integer(4);
        if (towers < 1 || towers > RunBranch::kMostTowers) {
            failDamaged(
                database.file(),
                fmt::format("branch {} has {} towers", branches.back().id, towers));
        }
    }
    // They are counted from 1 without a gap, and every step has one.
    const auto count = static_cast<std::int64_t>(branches.size());
    const std::int64_t last = std::max(
        branches.empty() ? 0 : branches.back().id,
        database.integer("SELECT branch FROM step ORDER BY branch DESC LIMIT 1"));
    if (last != count) {
        failDamaged(
            database.file(), fmt::format("{} of its {} branches are missing", last - count, last));
    }
    return branches;
}

std::vector<LineageSegment> lineageOf(const SqliteDatabase& database)
{
    const auto branches = readBranches(database);
    std::vector<LineageSegment> lineage;
    auto query = database.prepare(
        "SELECT branch, first_step, end_step FROM current_line ORDER BY first_step");
    while (query.next()) {
        const auto place = static_cast<std::size_t>(query.integer(0) - 1);
        lineage.push_back(wholeOf(branches.at(place)).within(query.integer(1), query.integer(2)));
    }
    return lineage;
}

std::vector<LineageSegment> abandonedSegments(const SqliteDatabase& database)
{
    std::vector<LineageSegment> rest = allBranches(database);
    for (const LineageSegment& kept : lineageOf(database)) {
        LineageSegment& branch = rest[static_cast<std::size_t>(kept.branch - 1)];
        branch.first = kept.end;
    }
    auto newest =
        database.prepare("SELECT step FROM step WHERE branch = ? ORDER BY step DESC LIMIT 1");
    for (LineageSegment& branch : rest) {
        newest.query(branch.branch);
        branch.end = newest.next() ? newest.integer(0) + 1 : branch.first;
    }
    std::erase_if(rest, [](const LineageSegment& branch) { return branch.end <= branch.first; });
    return rest;
}

std::vector<LineageSegment> allBranches(const SqliteDatabase& database)
{
    std::vector<LineageSegment> segments;
    for (const RunBranchInfo& branch : readBranches(database)) {
        segments.push_back(wholeOf(branch));
    }
    return segments;
}

} // namespace lockstep
