// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/run_outline.h"
#include "storage/sqlite_database.h"

#include <cstddef>

namespace lockstep {

/// RunStoreReader::outline(), within a transaction of the caller.
RunOutline readOutline(const SqliteDatabase& database, std::size_t mostNodes);

} // namespace lockstep
