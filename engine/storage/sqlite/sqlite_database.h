// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace lockstep {

/// A value as SQLite keeps it, whatever its kind: NULL, integer, real, text or blob.
using SqliteValue = std::variant<
    std::monostate, std::int64_t, double, std::string_view, std::span<const std::byte>>;

/// A prepared statement. Values (an empty optional is NULL) are bound in order and must live until
/// run() returns or the last row of query() was read. One thread at a time. Errors as
/// SqliteDatabase.
class SqliteStatement
{
public:
    SqliteStatement(sqlite3* database, std::string file, std::string_view sql);

    /// Runs a statement to its end and makes it ready for the next values.
    template<class... Values>
    void run(const Values&... values)
    {
        query(values...);
        while (next()) {
        }
    }

    /// Starts a query; next() goes to its first row.
    template<class... Values>
    void query(const Values&... values)
    {
        sqlite3_reset(m_statement.get());
        int index = 0;
        (check(bind(++index, values)), ...);
    }

    /// As query(), with values whose kinds are known only now.
    void queryAll(std::span<const SqliteValue> values);
    void runAll(std::span<const SqliteValue> values);

    /// Goes to the next row. False after the last one; the statement is then ready to run again.
    bool next();

    /// Of a row.
    [[nodiscard]] int columns() const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// SQLite stores not-a-number as NULL; it comes back as not-a-number.
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    /// Until next(), query() or run().
    [[nodiscard]] std::span<const std::byte> blob(int column) const;
    /// As it is kept; text and blobs until next(), query() or run().
    [[nodiscard]] SqliteValue value(int column) const;
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] bool isText(int column) const;
    /// Of a number its 64 bits; kNullBits for NULL.
    [[nodiscard]] std::uint64_t bits(int column) const;

    /// Those of no number that SQLite stores: a not-a-number.
    static constexpr std::uint64_t kNullBits = 0x7ff8'6e75'6c6c'0000U;

private:
    template<class Value>
    int bind(int index, const std::optional<Value>& value)
    {
        return value ? bind(index, *value) : sqlite3_bind_null(m_statement.get(), index);
    }
    template<class Value>
    int bind(int index, const Value& value)
    {
        if constexpr (std::is_integral_v<Value>) {
            return sqlite3_bind_int64(m_statement.get(), index, value);
        } else if constexpr (std::is_floating_point_v<Value>) {
            return sqlite3_bind_double(m_statement.get(), index, value);
        } else if constexpr (std::is_convertible_v<Value, std::span<const std::byte>>) {
            return bindBlob(index, value);
        } else {
            return bindText(index, value);
        }
    }
    int bind(int index, std::monostate /*null*/)
    {
        return sqlite3_bind_null(m_statement.get(), index);
    }
    int bindText(int index, std::string_view text);
    int bindBlob(int index, std::span<const std::byte> bytes);
    void check(int result) const;

    struct Finalize
    {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    sqlite3* m_database;
    std::string m_file;
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// Error(Data) that names the file and `what` is wrong with it, and says how to go on without it.
[[noreturn]] void failDamaged(const std::string& file, const std::string& what);

/// A connection to an SQLite file. One thread at a time. Errors name the file: Error(Io) if the
/// file system refuses (full, read-only, locked), Error(Data) if the file is damaged or no
/// database, Error(Internal) for what only a defect of ours can cause.
class SqliteDatabase
{
public:
    enum class Access { Read, Write };

    /// Write creates the file. Read changes nothing except for what a killed writer left half done,
    /// which is undone, and for the log beside the file, which the last to close takes away: a
    /// writer can't while a reader has the file open. `fileSystem` names one of SQLite's ways to
    /// reach files ("vfs"); empty: its default.
    SqliteDatabase(
        const std::filesystem::path& file, Access access, const std::string& fileSystem = "");
    ~SqliteDatabase();
    SqliteDatabase(SqliteDatabase&&) = default;
    SqliteDatabase& operator=(SqliteDatabase&&) = delete;

    /// Runs one or more statements without values.
    void execute(const std::string& sql);
    [[nodiscard]] SqliteStatement prepare(std::string_view sql) const;
    /// First column of the first row; 0 if there is none.
    [[nodiscard]] std::int64_t integer(std::string_view sql) const;
    /// First column of the first row as text; "" if there is none.
    [[nodiscard]] std::string text(std::string_view sql) const;
    /// Waits this long for other processes that hold the file.
    void setBusyTimeout(int milliseconds);
    [[nodiscard]] const std::string& file() const noexcept { return m_file; }

private:
    struct Close
    {
        void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    };
    void open(int mode, const std::string& fileSystem);
    void requireWritable() const;
    void foldLog() noexcept;
    [[nodiscard]] bool needsRecovery() const;

    std::string m_file;
    Access m_access;
    std::unique_ptr<sqlite3, Close> m_database;
};

/// Everything that is done between its making and commit() is done as one, or not at all.
class SqliteTransaction
{
public:
    explicit SqliteTransaction(SqliteDatabase& database);
    ~SqliteTransaction();
    SqliteTransaction(const SqliteTransaction&) = delete;
    SqliteTransaction& operator=(const SqliteTransaction&) = delete;
    void commit();

private:
    SqliteDatabase& m_database;
    bool m_isOpen = true;
};

} // namespace lockstep
