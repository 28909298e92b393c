// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/rows/classification_rows.h"
#include "storage/rows/evaluation_rows.h"
#include "storage/rows/gradient_rows.h"
#include "storage/rows/phase_rows.h"
#include "storage/rows/run_lineage.h"
#include "storage/rows/step_row_reader.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"
#include "storage/store/run_store_record.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lockstep {

/// Turns records into rows. The half of RunStore that knows SQL; one thread at a time.
class RunStoreWriter
{
public:
    RunStoreWriter(const std::filesystem::path& file, const std::string& fileSystem);
    /// Leaves a single file that needs no side files, unless someone is reading it just now.
    ~RunStoreWriter();
    RunStoreWriter(const RunStoreWriter&) = delete;
    RunStoreWriter& operator=(const RunStoreWriter&) = delete;

    /// The branch that it goes on with; 0: there is none yet.
    [[nodiscard]] std::int64_t branch() const noexcept { return m_branch.branch; }
    /// Writes all of them, synced to disk, or none.
    void write(std::span<const RunRecord> records);

private:
    void put(const StepRecord& step);
    void put(const EvaluationRecord& evaluation);
    void put(const DeviceReadingRecord& reading);
    void put(const RunEvent& event);
    void put(const RunValue& value);
    void put(const RunBranch& branch);
    void put(const RunCheckpoint& checkpoint);
    void put(const PreflightRecord& line);
    void put(const GradientRecord& gradients);
    void put(const RunObjectives& objectives);
    void put(const RunClasses& classes);
    void put(const RunPhases& phases);
    void putTower(std::int64_t step, std::int64_t tower, const TowerRecord& record);
    /// Runs an insertion whose last value is the checksum of those before it.
    template<class... Values>
    void insert(SqliteStatement& statement, const Values&... values)
    {
        (m_checksum.add(values), ...);
        statement.run(values..., m_checksum.take());
    }
    void putGap(std::int64_t fromStep);
    void putCurveBlock(std::int64_t endStep);

    SqliteDatabase m_database;
    LineageSegment m_branch;     // the current one, whole; its number is 0 where there is none yet
    std::int64_t m_nextStep = 0; // updates made
    StepRowReader m_rows;
    RowChecksum m_checksum;
    SqliteStatement m_step;
    SqliteStatement m_tower;
    SqliteStatement m_reading;
    SqliteStatement m_event;
    SqliteStatement m_value;
    SqliteStatement m_newBranch;
    SqliteStatement m_checkpoint;
    SqliteStatement m_preflight;
    SqliteStatement m_curveBlock;
    GradientRowWriter m_gradients;
    EvaluationRowWriter m_evaluations;
    ClassificationRowWriter m_classifications;
    PhaseRowWriter m_phases;
};

} // namespace lockstep
