// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/curves/loss_preview.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

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

/// RunStoreReader::lossPreview(), within a transaction of the caller.
LossPreview readLossPreview(const SqliteDatabase& database, std::size_t mostNodes);

/// RunStoreReader::abandoned(), within a transaction of the caller.
std::vector<AbandonedStretch> readAbandoned(const SqliteDatabase& database, std::size_t mostNodes);

} // namespace lockstep
