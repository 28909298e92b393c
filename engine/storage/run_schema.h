// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite_database.h"

#include <cstdint>

namespace lockstep {

/// Makes the tables of README.md in a new store and its first branch; checks the version of one
/// that is there. Error(Data) if the file is no run store, or one of a newer program.
void prepareRunStore(SqliteDatabase& database);

/// The check alone, for readers.
void checkRunStore(const SqliteDatabase& database);

/// Last step of the current line + 1; 0 if the line has no step. The line is the newest branch and,
/// below its first step, the branches it came from.
std::int64_t nextStepOf(const SqliteDatabase& database);

/// The time of day as the store keeps it.
double secondsSince1970();

} // namespace lockstep
