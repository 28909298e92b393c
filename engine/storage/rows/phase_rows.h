// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/rows/run_phase.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Writes the tables `objective` and `phase`. One thread at a time, within a transaction of the
/// caller.
class PhaseRowWriter
{
public:
    explicit PhaseRowWriter(const SqliteDatabase& database);

    /// In place of those that were there.
    void write(const RunObjectives& objectives);
    /// In place of those of the branch.
    void write(std::int64_t branch, const RunPhases& phases);

private:
    RowChecksum m_checksum;
    SqliteStatement m_forgetObjectives;
    SqliteStatement m_objective;
    SqliteStatement m_forgetPhases;
    SqliteStatement m_phase;
};

/// See RunStoreReader. Error(Data) if a row is damaged. The caller holds a transaction.
std::vector<std::string> readObjectiveNames(const SqliteDatabase& database);
std::vector<RunPhase> readPhases(const SqliteDatabase& database);

} // namespace lockstep
