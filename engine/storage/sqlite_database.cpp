// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite_database.h"

#include "base/error.h"

#include <limits>
#include <utility>

namespace lockstep {
namespace {

// Another process holds the file for the length of a transaction at most.
constexpr int kBusyMilliseconds = 10'000;

ErrorCode codeOf(int result)
{
    switch (result & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return ErrorCode::Data;
    case SQLITE_CONSTRAINT:
    case SQLITE_ERROR:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        return ErrorCode::Internal;
    case SQLITE_NOMEM:
        return ErrorCode::OutOfMemory;
    default:
        return ErrorCode::Io;
    }
}

void checkResult(sqlite3* database, const std::string& file, int result)
{
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) {
        return;
    }
    const char* text = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(result);
    fail(codeOf(result), "{}: the run store can't be used: {}", file, text);
}

} // namespace

SqliteStatement::SqliteStatement(sqlite3* database, std::string file, std::string_view sql)
    : m_database(database), m_file(std::move(file))
{
    sqlite3_stmt* statement = nullptr;
    const int result =
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
    m_statement.reset(statement);
    check(result);
}

void SqliteStatement::check(int result) const
{
    checkResult(m_database, m_file, result);
}

int SqliteStatement::bindText(int index, std::string_view text)
{
    // No destructor: SQLite reads the text where it is.
    return sqlite3_bind_text64(
        m_statement.get(), index, text.data(), text.size(), nullptr, SQLITE_UTF8);
}

bool SqliteStatement::next()
{
    const int result = sqlite3_step(m_statement.get());
    if (result != SQLITE_ROW) {
        sqlite3_reset(m_statement.get());
        check(result);
    }
    return result == SQLITE_ROW;
}

std::int64_t SqliteStatement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double SqliteStatement::real(int column) const
{
    return isNull(column) ? std::numeric_limits<double>::quiet_NaN()
                          : sqlite3_column_double(m_statement.get(), column);
}

std::string SqliteStatement::text(int column) const
{
    const void* bytes = sqlite3_column_text(m_statement.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
    return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

SqliteDatabase::SqliteDatabase(
    const std::filesystem::path& file, Access access, const std::string& fileSystem)
    : m_file(file.string())
{
    const int mode =
        access == Access::Read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* database = nullptr;
    const int result = sqlite3_open_v2(
        m_file.c_str(), &database, mode | SQLITE_OPEN_NOMUTEX,
        fileSystem.empty() ? nullptr : fileSystem.c_str());
    m_database.reset(database);
    checkResult(database, m_file, result);
    setBusyTimeout(kBusyMilliseconds);
}

void SqliteDatabase::setBusyTimeout(int milliseconds)
{
    sqlite3_busy_timeout(m_database.get(), milliseconds);
}

void SqliteDatabase::execute(const std::string& sql)
{
    checkResult(
        m_database.get(), m_file,
        sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

SqliteStatement SqliteDatabase::prepare(std::string_view sql) const
{
    return {m_database.get(), m_file, sql};
}

std::int64_t SqliteDatabase::integer(std::string_view sql) const
{
    SqliteStatement statement = prepare(sql);
    return statement.next() ? statement.integer(0) : 0;
}

std::int64_t SqliteDatabase::lastInsertedRow() const
{
    return sqlite3_last_insert_rowid(m_database.get());
}

SqliteTransaction::SqliteTransaction(SqliteDatabase& database) : m_database(database)
{
    m_database.execute("BEGIN");
}

SqliteTransaction::~SqliteTransaction()
{
    if (!m_isOpen) {
        return;
    }
    try {
        m_database.execute("ROLLBACK");
    } catch (const Error&) {
        // SQLite has rolled back by itself, as it does when the disk is full.
        m_isOpen = false;
    }
}

void SqliteTransaction::commit()
{
    m_database.execute("COMMIT");
    m_isOpen = false;
}

} // namespace lockstep
