// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <functional>

namespace lockstep {

/// Steps [first, end).
struct StepRange
{
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// RunStoreReader::forEachCurveStep(), within a transaction of the caller.
void readCurveSteps(
    const SqliteDatabase& database, StepRange range,
    const std::function<void(const StepRecord&)>& take);

} // namespace lockstep
