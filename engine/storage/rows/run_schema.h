// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lockstep {

/// Makes a store with the tables of README.md and no branch unless the file is there: for others it
/// appears with all of them, however its maker ends. `fileSystem` as SqliteDatabase's.
void makeRunStore(const std::filesystem::path& file, const std::string& fileSystem = "");

/// Gives a store of the version before what it lacks. Error(Data) if the file is no run store, or
/// one of another version.
void prepareRunStore(SqliteDatabase& database);

/// For readers, who change nothing. Errors as above.
void checkRunStore(const SqliteDatabase& database);

/// Whether steps have a column for their weight decay: a store of the version before has none.
bool hasWeightDecay(const SqliteDatabase& database);

/// Last step of the lineage + 1; 0 if that has no step. The lineage is the newest branch and,
/// below its first step, the branches it came from.
std::int64_t nextStepOf(const SqliteDatabase& database);

} // namespace lockstep
