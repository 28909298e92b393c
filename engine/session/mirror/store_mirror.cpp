// SPDX-License-Identifier: Apache-2.0
#include "session/mirror/store_mirror.h"

#include "base/error.h"
#include "session/mirror/replicated_tables.h"
#include "session/mirror/row_codec.h"
#include "session/mirror/store_source.h"
#include "storage/rows/run_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

std::string questionMarks(int count)
{
    std::string text = "?";
    for (int i = 1; i < count; ++i) {
        text += ",?";
    }
    return text;
}

int columnsOf(const SqliteDatabase& database, const std::string& table)
{
    return database.prepare(fmt::format("SELECT * FROM {} LIMIT 0", table)).columns();
}

const ComparedTable* comparedTable(std::string_view name)
{
    const auto* const found =
        std::ranges::find(kComparedTables, name, [](const ComparedTable& table) {
            return std::string_view(table.name);
        });
    return found == kComparedTables.end() ? nullptr : found;
}

bool isKnown(std::string_view name)
{
    return comparedTable(name) != nullptr
           || std::ranges::any_of(kGrowingTables, [&](const GrowingTable& table) {
                  return name == table.name || (table.child != nullptr && name == table.child);
              });
}

/// The first values of a row, as a row.
std::vector<std::uint8_t> keyOf(const ComparedTable& table, std::span<const SqliteValue> row)
{
    std::vector<std::uint8_t> key;
    appendRow(key, row.first(static_cast<std::size_t>(table.keyColumns)));
    return key;
}

} // namespace

StoreMirror::StoreMirror(std::filesystem::path storeFile) : m_file(std::move(storeFile))
{
    try {
        open();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Data) {
            throw;
        }
        m_database.reset();
        for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
            std::error_code ignored;
            std::filesystem::remove(m_file.string() + suffix, ignored);
        }
        open();
    }
}

void StoreMirror::open()
{
    makeRunStore(m_file);
    m_database.emplace(m_file, SqliteDatabase::Access::Write);
    m_database->execute("PRAGMA journal_mode = WAL");
    // What a power cut takes from the end is fetched again.
    m_database->execute("PRAGMA synchronous = NORMAL");
    prepareRunStore(*m_database);
    readKeys();
}

void StoreMirror::readKeys()
{
    m_keys.clear();
    std::vector<std::uint8_t> row;
    for (const ComparedTable& table : kComparedTables) {
        Keys& keys = m_keys[table.name];
        SqliteStatement rows = m_database->prepare(fmt::format("SELECT * FROM {}", table.name));
        rows.query();
        while (rows.next()) {
            row.clear();
            appendRow(row, rows);
            RowReader reader(row);
            reader.next();
            keys[rowHash(row)] = keyOf(table, reader.values());
        }
    }
}

Frame StoreMirror::state() const
{
    Frame cursors = Frame::object();
    for (const GrowingTable& table : kGrowingTables) {
        std::vector<std::int64_t> key(
            static_cast<std::size_t>(table.keyColumns), std::numeric_limits<std::int64_t>::min());
        std::string order = table.key;
        for (std::size_t comma = order.find(','); comma != std::string::npos;
             comma = order.find(',', comma + 6)) {
            order.insert(comma, " DESC");
        }
        SqliteStatement last = m_database->prepare(fmt::format(
            "SELECT {} FROM {} ORDER BY {} DESC LIMIT 1", table.key, table.name, order));
        if (last.next()) {
            for (int i = 0; i < table.keyColumns; ++i) {
                key[static_cast<std::size_t>(i)] = last.integer(i);
            }
        }
        cursors[table.name] = key;
    }
    Frame hashes = Frame::object();
    for (const auto& [table, keys] : m_keys) {
        std::vector<std::uint8_t> bytes;
        for (const auto& [hash, key] : keys) {
            const auto* const first = reinterpret_cast<const std::uint8_t*>(&hash);
            bytes.insert(bytes.end(), first, first + sizeof(hash));
        }
        hashes[table] = Frame::binary(std::move(bytes));
    }
    return {{"origin", originOf(*m_database)}, {"cursors", cursors}, {"hashes", hashes}};
}

void StoreMirror::apply(const Frame& page)
{
    try {
        SqliteTransaction transaction(*m_database);
        if (page.at("reset").get<bool>()) {
            forgetAll();
        }
        for (const Frame& part : page.at("parts")) {
            take(part);
        }
        transaction.commit();
    } catch (const nlohmann::json::exception&) {
        readKeys();
        fail(ErrorCode::Data, "rows that came over the line are damaged");
    } catch (...) {
        readKeys();
        throw;
    }
}

void StoreMirror::forgetAll()
{
    for (const GrowingTable& table : kGrowingTables) {
        m_database->execute(fmt::format("DELETE FROM {}", table.name));
        if (table.child != nullptr) {
            m_database->execute(fmt::format("DELETE FROM {}", table.child));
        }
    }
    for (const ComparedTable& table : kComparedTables) {
        m_database->execute(fmt::format("DELETE FROM {}", table.name));
        m_keys[table.name].clear();
    }
}

void StoreMirror::take(const Frame& part)
{
    const auto name = part.at("table").get<std::string>();
    if (!isKnown(name)) {
        fail(ErrorCode::Data, "rows of a table that is not known came over the line");
    }
    const ComparedTable* const compared = comparedTable(name);
    if (compared != nullptr && part.contains("removed")) {
        remove(*compared, part["removed"]);
    }
    const auto columns = static_cast<std::size_t>(columnsOf(*m_database, name));
    SqliteStatement insert = m_database->prepare(fmt::format(
        "INSERT OR REPLACE INTO {} VALUES ({})", name, questionMarks(static_cast<int>(columns))));
    RowReader reader(bytesOf(part.at("rows")));
    while (reader.next()) {
        std::vector<SqliteValue> values(reader.values().begin(), reader.values().end());
        if (name == "step" && values.size() + 1 == columns) { // of a store of the version before
            values.emplace_back(std::monostate{});
        }
        if (values.size() != columns) {
            fail(ErrorCode::Data, "rows that came over the line are damaged");
        }
        insert.runAll(values);
        if (compared != nullptr) {
            m_keys[name][rowHash(reader.bytes())] = keyOf(*compared, reader.values());
        }
    }
}

/// A row that has taken the place of one that is gone stays.
void StoreMirror::remove(const ComparedTable& table, const Frame& hashes)
{
    const std::string which =
        fmt::format("{} WHERE ({}) = ({})", table.name, table.key, questionMarks(table.keyColumns));
    SqliteStatement there = m_database->prepare("SELECT * FROM " + which);
    SqliteStatement gone = m_database->prepare("DELETE FROM " + which);
    Keys& keys = m_keys[table.name];
    std::vector<std::uint8_t> row;
    const auto bytes = bytesOf(hashes);
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
         at += sizeof(std::uint64_t)) {
        std::uint64_t hash = 0;
        std::memcpy(&hash, bytes.data() + at, sizeof(hash));
        const auto known = keys.find(hash);
        if (known == keys.end()) {
            continue;
        }
        RowReader key(known->second);
        key.next();
        there.queryAll(key.values());
        row.clear();
        if (there.next()) {
            appendRow(row, there);
            there.next(); // its end
        }
        if (rowHash(row) == hash) {
            gone.runAll(key.values());
        }
        keys.erase(known);
    }
}

} // namespace lockstep
