// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <filesystem>
#include <string>

namespace lockstep::test {

/// Runs statements on a file by SQLite itself. Of the last row the first value; "" without a row,
/// the error where there is one.
inline std::string ask(const std::filesystem::path& file, const std::string& sql)
{
    sqlite3* database = nullptr;
    std::string answer;
    const auto take = [](void* target, int, char** values, char**) {
        *static_cast<std::string*>(target) = values[0] == nullptr ? "NULL" : values[0];
        return 0;
    };
    if (sqlite3_open_v2(file.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK
        || sqlite3_exec(database, sql.c_str(), take, &answer, nullptr) != SQLITE_OK) {
        answer = sqlite3_errmsg(database);
    }
    sqlite3_close(database);
    return answer;
}

} // namespace lockstep::test
