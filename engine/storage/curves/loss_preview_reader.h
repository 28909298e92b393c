// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/curves/run_outline.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <vector>

namespace lockstep {

/// RunStoreReader::outline(), within a transaction of the caller.
RunOutline readOutline(const SqliteDatabase& database, std::size_t mostNodes);

/// RunStoreReader::abandoned(), within a transaction of the caller.
std::vector<AbandonedStretch> readAbandoned(const SqliteDatabase& database, std::size_t mostNodes);

} // namespace lockstep
