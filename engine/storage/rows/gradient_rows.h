// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/gradient_record.h"
#include "storage/rows/run_lineage.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// Turns gradient records into rows of the tables `parameter`, `gradient` and `tower_gradient`. One
/// thread at a time, within a transaction of the caller.
class GradientRowWriter
{
public:
    explicit GradientRowWriter(const SqliteDatabase& database);

    void write(std::int64_t branch, const GradientRecord& record);

private:
    std::int64_t numberOf(const std::string& parameter);

    std::map<std::string, std::int64_t> m_numbers; ///< of the parameters that have a row
    RowChecksum m_checksum;
    SqliteStatement m_parameter;
    SqliteStatement m_gradient;
    SqliteStatement m_tower;
};

/// Those of a segment, by ascending step. Error(Data) if a row is damaged. The caller holds a
/// transaction.
void readGradients(
    const SqliteDatabase& database, const LineageSegment& segment,
    const std::function<void(const GradientRecord&)>& take);

/// See RunStoreReader::someGradients(); the rest as above.
std::vector<GradientRecord> readSomeGradients(const SqliteDatabase& database, std::size_t most);

} // namespace lockstep
