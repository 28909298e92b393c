// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite_database.h"

#include <cstdint>

namespace lockstep {

/// Makes the tables of README.md in a new store and its first branch; brings one of an older
/// program to the version of this one. Error(Data) if the file is no run store, or one of a newer
/// program.
void prepareRunStore(SqliteDatabase& database);

/// For readers, who change nothing: the version of the store. Errors as above.
std::int64_t checkRunStore(const SqliteDatabase& database);

/// From this version on there is a table `device_reading`.
inline constexpr std::int64_t kDeviceReadingVersion = 2;

/// Last step of the current line + 1; 0 if the line has no step. The line is the newest branch and,
/// below its first step, the branches it came from.
std::int64_t nextStepOf(const SqliteDatabase& database);

} // namespace lockstep
