// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite/sqlite_database.h"

#include "base/error.h"

#include <bit>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

// Another process holds the file for the length of a transaction at most.
constexpr int kBusyMilliseconds = 10'000;

/// Reads the file, whatever is in it.
constexpr const char* kAnyQuery = "PRAGMA schema_version";

ErrorCode codeOf(int result)
{
    switch (result & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_ERROR: // the statements are fixed: it is the tables that are not what they were
    case SQLITE_NOTADB:
        return ErrorCode::Data;
    case SQLITE_CONSTRAINT:
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
    if (codeOf(result) == ErrorCode::Data) {
        failDamaged(file, text);
    }
    fail(codeOf(result), "{}: the run store can't be used: {}", file, text);
}

} // namespace

void failDamaged(const std::string& file, const std::string& what)
{
    fail(
        ErrorCode::Data,
        "{}: the run store is damaged: {}. The checkpoints beside it are not: move this file away "
        "and resume the run, which then goes on with a new store",
        file, what);
}

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

int SqliteStatement::bindBlob(int index, std::span<const std::byte> bytes)
{
    return sqlite3_bind_blob64(m_statement.get(), index, bytes.data(), bytes.size(), nullptr);
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

void SqliteStatement::queryAll(std::span<const SqliteValue> values)
{
    sqlite3_reset(m_statement.get());
    int index = 0;
    for (const SqliteValue& value : values) {
        check(std::visit([&](const auto& each) { return bind(index + 1, each); }, value));
        ++index;
    }
}

void SqliteStatement::runAll(std::span<const SqliteValue> values)
{
    queryAll(values);
    while (next()) {
    }
}

int SqliteStatement::columns() const
{
    return sqlite3_column_count(m_statement.get());
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

std::span<const std::byte> SqliteStatement::blob(int column) const
{
    const void* bytes = sqlite3_column_blob(m_statement.get(), column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
    return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : size};
}

SqliteValue SqliteStatement::value(int column) const
{
    switch (sqlite3_column_type(m_statement.get(), column)) {
    case SQLITE_INTEGER:
        return integer(column);
    case SQLITE_FLOAT:
        return real(column);
    case SQLITE_TEXT: {
        const std::span<const std::byte> bytes = blob(column);
        return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    case SQLITE_BLOB:
        return blob(column);
    default:
        return std::monostate();
    }
}

std::uint64_t SqliteStatement::bits(int column) const
{
    switch (sqlite3_column_type(m_statement.get(), column)) {
    case SQLITE_INTEGER:
        return static_cast<std::uint64_t>(sqlite3_column_int64(m_statement.get(), column));
    case SQLITE_FLOAT:
        return std::bit_cast<std::uint64_t>(sqlite3_column_double(m_statement.get(), column));
    default:
        return kNullBits;
    }
}

bool SqliteStatement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

bool SqliteStatement::isText(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_TEXT;
}

SqliteDatabase::SqliteDatabase(
    const std::filesystem::path& file, Access access, const std::string& fileSystem)
    : m_file(file.string()), m_access(access)
{
    if (access == Access::Write) {
        open(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, fileSystem);
        requireWritable();
        return;
    }
    open(SQLITE_OPEN_READONLY, fileSystem);
    if (needsRecovery()) {
        open(SQLITE_OPEN_READWRITE, fileSystem);
        static_cast<void>(integer(kAnyQuery)); // undoes what a killed writer left half done
        open(SQLITE_OPEN_READONLY, fileSystem);
    }
}

SqliteDatabase::~SqliteDatabase()
{
    if (m_database && m_access == Access::Read) {
        foldLog();
    }
}

// SQLite takes the write-ahead log away when its last connection closes, unless that one may only
// read. So a reader who outlives the writer leaves as a writer.
void SqliteDatabase::foldLog() noexcept
{
    try {
        m_database.reset();
        if (std::filesystem::exists(m_file + "-wal")) {
            open(SQLITE_OPEN_READWRITE, "");
            setBusyTimeout(0);
            static_cast<void>(integer(kAnyQuery));
        }
    } catch (const std::exception&) {
        // Whoever has the file now, or the next who opens it, sees to the log.
    }
}

void SqliteDatabase::open(int mode, const std::string& fileSystem)
{
    sqlite3* database = nullptr;
    const int result = sqlite3_open_v2(
        m_file.c_str(), &database, mode | SQLITE_OPEN_NOMUTEX,
        fileSystem.empty() ? nullptr : fileSystem.c_str());
    m_database.reset(database);
    checkResult(database, m_file, result);
    setBusyTimeout(kBusyMilliseconds);
}

void SqliteDatabase::requireWritable() const
{
    // SQLite opens what it may not write for reading, and says so only later.
    if (sqlite3_db_readonly(m_database.get(), "main") == 1) {
        fail(
            ErrorCode::Io, "{}: the run store can't be written: it is read-only, or its disk is",
            m_file);
    }
}

bool SqliteDatabase::needsRecovery() const
{
    const int result = sqlite3_exec(m_database.get(), kAnyQuery, nullptr, nullptr, nullptr);
    return (result & 0xff) == SQLITE_READONLY;
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

std::string SqliteDatabase::text(std::string_view sql) const
{
    SqliteStatement statement = prepare(sql);
    return statement.next() ? statement.text(0) : "";
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
