// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/run_store.h"
#include "storage/sqlite_database.h"

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

    /// Writes all of them, synced to disk, or none.
    void write(std::span<const RunRecord> records);

private:
    void put(const StepRecord& step);
    void put(const EvaluationRecord& evaluation);
    void put(const DeviceReadingRecord& reading);
    void put(const RunEvent& event);
    void put(const RunValue& value);
    void put(const RunBranch& branch);
    void putGap(std::int64_t fromStep);

    SqliteDatabase m_database;
    std::int64_t m_branch = 0;
    SqliteStatement m_step;
    SqliteStatement m_tower;
    SqliteStatement m_evaluation;
    SqliteStatement m_reading;
    SqliteStatement m_event;
    SqliteStatement m_value;
    SqliteStatement m_newBranch;
};

} // namespace lockstep
