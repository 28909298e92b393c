// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/rows/run_lineage.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace lockstep {

/// Key of the fact that names the device of every tower, in their order: "cuda:0 cuda:0 cuda:1".
inline constexpr const char* kTowerDevicesFact = "tower_devices";
/// Key of the fact that says what recorded a run that another program trained:
/// "lockstep-recorder 0.1.0, PyTorch 2.15.0, DistributedDataParallel (gloo)".
inline constexpr const char* kRecordedByFact = "recorded_by";

/// Reads the tables `step` and `tower_step` side by side, in the order of their keys, and fills in
/// what they, the branch and kTowerDevicesFact tell together. Error(Data) names a step whose
/// checksum is wrong, or that is missing among those of its branch.
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
    std::vector<int> m_devices;   ///< of the towers when the run was started last
    StepRecord m_record;
    RowChecksum m_checksum;
};

} // namespace lockstep
