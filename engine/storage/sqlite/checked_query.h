// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <string>

namespace lockstep {

/// A query of whole rows, which are checked when they are read.
class CheckedQuery
{
public:
    /// `columns`: those of the table that its checksum is over, in the order in which they were
    /// written; `rest`: what follows "FROM table".
    CheckedQuery(
        const SqliteDatabase& database, const char* table, const std::string& columns,
        const std::string& rest);

    /// Goes to the next row; false after the last one. Error(Data) if its checksum is wrong.
    bool next();
    [[nodiscard]] const SqliteStatement& row() const noexcept { return m_statement; }

private:
    const SqliteDatabase& m_database;
    const char* m_table;
    SqliteStatement m_statement;
    RowChecksum m_checksum;
};

} // namespace lockstep
