// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/curves/loss_preview.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <vector>

namespace lockstep {

/// RunStoreReader::lossPreview(), within a transaction of the caller.
LossPreview readLossPreview(const SqliteDatabase& database, std::size_t mostNodes);

/// RunStoreReader::abandoned(), within a transaction of the caller.
std::vector<AbandonedStretch> readAbandoned(const SqliteDatabase& database, std::size_t mostNodes);

} // namespace lockstep
