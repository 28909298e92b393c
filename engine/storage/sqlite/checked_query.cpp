// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite/checked_query.h"

#include <fmt/format.h>

namespace lockstep {

CheckedQuery::CheckedQuery(
    const SqliteDatabase& database, const char* table, const std::string& columns,
    const std::string& rest)
    : m_database(database), m_table(table),
      m_statement(
          database.prepare(fmt::format("SELECT {}, row_checksum FROM {} {}", columns, table, rest)))
{
}

bool CheckedQuery::next()
{
    if (!m_statement.next()) {
        return false;
    }
    const int checksum = m_statement.columns() - 1;
    m_checksum.addColumns(m_statement, 0, checksum);
    if (m_checksum.take() != m_statement.integer(checksum)) {
        failDamaged(m_database.file(), fmt::format("a row of the table {}", m_table));
    }
    return true;
}

} // namespace lockstep
