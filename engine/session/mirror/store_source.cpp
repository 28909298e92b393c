// SPDX-License-Identifier: Apache-2.0
#include "session/mirror/store_source.h"

#include "base/error.h"
#include "session/mirror/replicated_tables.h"
#include "session/mirror/row_codec.h"
#include "storage/rows/run_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

/// Of a row whose size is not known yet.
constexpr std::size_t kFirstRowBytes = 4096;

/// "?1, ?2" from a number on.
std::string places(int first, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += fmt::format("{}?{}", i == 0 ? "" : ", ", first + i);
    }
    return text;
}

std::vector<SqliteValue> valuesOf(const std::vector<std::int64_t>& key)
{
    return {key.begin(), key.end()};
}

const auto& named(std::string_view name, const auto& tables)
{
    return *std::ranges::find_if(tables, [&](const auto& table) { return name == table.name; });
}

std::unordered_set<std::uint64_t> hashesIn(const Frame& blob)
{
    const auto bytes = bytesOf(blob);
    std::vector<std::uint64_t> hashes(bytes.size() / sizeof(std::uint64_t));
    std::memcpy(hashes.data(), bytes.data(), hashes.size() * sizeof(std::uint64_t));
    return {hashes.begin(), hashes.end()};
}

} // namespace

std::uint64_t originOf(const SqliteDatabase& database)
{
    SqliteStatement branch = database.prepare("SELECT * FROM branch WHERE id = 1");
    if (!branch.next()) {
        return 0;
    }
    std::vector<std::uint8_t> row;
    appendRow(row, branch);
    return rowHash(row);
}

StoreSource::StoreSource(std::filesystem::path storeFile, const Frame& mirror)
    : m_file(std::move(storeFile)), m_origin(mirror.at("origin").get<std::uint64_t>())
{
    for (const GrowingTable& table : kGrowingTables) {
        Key key = mirror.at("cursors").at(table.name).get<Key>();
        if (key.size() != static_cast<std::size_t>(table.keyColumns)) {
            fail(ErrorCode::Data, "a mirror that is not of this program");
        }
        m_cursors[table.name] = std::move(key);
    }
    for (const ComparedTable& table : kComparedTables) {
        m_hashes[table.name] = hashesIn(mirror.at("hashes").at(table.name));
    }
}

bool StoreSource::hasNews() const
{
    return m_database || storeStamp(m_file) != m_stamp;
}

bool StoreSource::open()
{
    if (m_database) {
        return true;
    }
    std::error_code noFile;
    if (!std::filesystem::exists(m_file, noFile)) {
        return false;
    }
    m_stamp = storeStamp(m_file);
    m_database.emplace(m_file, SqliteDatabase::Access::Read);
    checkRunStore(*m_database);
    if (!isOfMirror()) {
        forgetMirror();
    }
    return true;
}

/// Not another run that took its place, nor an older state of this one.
bool StoreSource::isOfMirror() const
{
    if (m_origin != 0 && originOf(*m_database) != m_origin) {
        return false;
    }
    const Key& last = m_cursors.at("step");
    if (last.front() == std::numeric_limits<std::int64_t>::min()) {
        return true;
    }
    SqliteStatement step =
        m_database->prepare("SELECT 1 FROM step WHERE branch = ?1 AND step = ?2");
    step.query(last[0], last[1]);
    return step.next();
}

void StoreSource::forgetMirror()
{
    m_isReset = true;
    m_origin = 0;
    for (auto& [table, key] : m_cursors) {
        std::ranges::fill(key, std::numeric_limits<std::int64_t>::min());
    }
    for (auto& [table, hashes] : m_hashes) {
        hashes.clear();
    }
}

std::optional<Frame> StoreSource::next(std::size_t bytes)
{
    if (!open()) {
        return std::nullopt;
    }
    m_parts = Frame::array();
    m_bytes = 0;
    {
        SqliteTransaction state(*m_database);
        m_origin = m_origin == 0 ? originOf(*m_database) : m_origin;
        fill(bytes);
        state.commit();
    }
    if (m_parts.empty() && !m_isReset) {
        m_database.reset();
        return std::nullopt;
    }
    return Frame{
        {"t", "rows"}, {"reset", std::exchange(m_isReset, false)}, {"parts", std::move(m_parts)}};
}

void StoreSource::fill(std::size_t bytes)
{
    const auto compared = [&](const char* name) {
        return takeCompared(named(name, kComparedTables), bytes);
    };
    const auto growing = [&](const char* name) {
        return takeGrowing(named(name, kGrowingTables), bytes);
    };
    // Ends at the first table of which there is more.
    static_cast<void>(
        growing("branch") && growing("parameter") && compared("run") && compared("objective")
        && compared("class") && compared("phase") && growing("step") && growing("curve_block")
        && growing("gradient") && growing("device_reading") && growing("preflight")
        && takeEvaluations(bytes) && compared("checkpoint") && growing("event"));
}

void StoreSource::add(const char* table, Rows rows, const Rows& removed)
{
    if (rows.empty() && removed.empty()) {
        return;
    }
    m_bytes += rows.size() + removed.size();
    Frame part{{"table", table}, {"rows", Frame::binary(std::move(rows))}};
    if (!removed.empty()) {
        part["removed"] = Frame::binary(removed);
    }
    m_parts.push_back(std::move(part));
}

/// Whether that was all of the table.
bool StoreSource::takeGrowing(const GrowingTable& table, std::size_t bytes)
{
    if (m_bytes >= bytes) {
        return false;
    }
    std::size_t& rowBytes = m_rowBytes.try_emplace(table.name, kFirstRowBytes).first->second;
    const std::size_t most = std::max<std::size_t>((bytes - m_bytes) / rowBytes, 1);
    Key& cursor = m_cursors.at(table.name);
    const Key after = cursor;
    SqliteStatement query = m_database->prepare(fmt::format(
        "SELECT * FROM {} WHERE ({}) > ({}) ORDER BY {} LIMIT {}", table.name, table.key,
        places(1, table.keyColumns), table.key, most));
    query.queryAll(valuesOf(after));
    Rows rows;
    std::size_t count = 0;
    while (query.next()) {
        appendRow(rows, query);
        for (int i = 0; i < table.keyColumns; ++i) {
            cursor[static_cast<std::size_t>(i)] = query.integer(i);
        }
        ++count;
    }
    if (count == 0) {
        return true;
    }
    const std::size_t before = m_bytes;
    add(table.name, std::move(rows));
    if (table.child != nullptr) {
        takeChildren(table, after, cursor);
    }
    rowBytes = std::max<std::size_t>((m_bytes - before) / count, 1);
    return count < most;
}

void StoreSource::takeChildren(const GrowingTable& table, const Key& after, const Key& last)
{
    SqliteStatement query = m_database->prepare(fmt::format(
        "SELECT * FROM {} WHERE ({}) > ({}) AND ({}) <= ({}) ORDER BY {}", table.child, table.key,
        places(1, table.keyColumns), table.key, places(1 + table.keyColumns, table.keyColumns),
        table.childKey));
    std::vector<SqliteValue> bounds = valuesOf(after);
    const std::vector<SqliteValue> upper = valuesOf(last);
    bounds.insert(bounds.end(), upper.begin(), upper.end());
    query.queryAll(bounds);
    Rows rows;
    while (query.next()) {
        appendRow(rows, query);
    }
    add(table.child, std::move(rows));
}

/// Whether that was all of the table. Rows that the mirror has and the store has not are told once
/// all others are there.
bool StoreSource::takeCompared(const ComparedTable& table, std::size_t bytes)
{
    if (m_bytes >= bytes) {
        return false;
    }
    std::unordered_set<std::uint64_t>& known = m_hashes.at(table.name);
    std::unordered_set<std::uint64_t> gone = known;
    SqliteStatement query = m_database->prepare(fmt::format("SELECT * FROM {}", table.name));
    query.query();
    Rows rows;
    Rows row;
    while (query.next()) {
        row.clear();
        appendRow(row, query);
        const std::uint64_t hash = rowHash(row);
        if (known.contains(hash)) {
            gone.erase(hash);
            continue;
        }
        if (!rows.empty() && m_bytes + rows.size() + row.size() > bytes) {
            add(table.name, std::move(rows));
            return false;
        }
        rows.insert(rows.end(), row.begin(), row.end());
        known.insert(hash);
    }
    Rows removed(gone.size() * sizeof(std::uint64_t));
    std::size_t at = 0;
    for (const std::uint64_t hash : gone) {
        std::memcpy(removed.data() + at, &hash, sizeof(hash));
        at += sizeof(hash);
        known.erase(hash);
    }
    add(table.name, std::move(rows), removed);
    return true;
}

bool StoreSource::hasChanged(const ComparedTable& table) const
{
    const auto& known = m_hashes.at(table.name);
    SqliteStatement query = m_database->prepare(fmt::format("SELECT * FROM {}", table.name));
    query.query();
    Rows row;
    std::size_t count = 0;
    while (query.next()) {
        row.clear();
        appendRow(row, query);
        if (!known.contains(rowHash(row))) {
            return true;
        }
        ++count;
    }
    return count != known.size();
}

/// Their images, which may be very many, are only looked at where an evaluation is new.
bool StoreSource::takeEvaluations(std::size_t bytes)
{
    const auto& table = named("evaluation", kComparedTables);
    if (!hasChanged(table)) {
        return true;
    }
    return takeCompared(named("image_score", kComparedTables), bytes)
           && takeCompared(named("classification", kComparedTables), bytes)
           && takeCompared(table, bytes);
}

} // namespace lockstep
