// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite/sqlite_database.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Appends a row as a CBOR array of its values (RFC 8949): many of them make a CBOR sequence (RFC
/// 8742). By hand: a run makes thousands of rows a second, and a tree of values would cost ten
/// times as much.
void appendRow(std::vector<std::uint8_t>& rows, const SqliteStatement& row);
void appendRow(std::vector<std::uint8_t>& rows, std::span<const SqliteValue> row);

/// Tells rows apart: FNV-1a over what appendRow() made of one.
std::uint64_t rowHash(std::span<const std::uint8_t> row);

/// Reads such rows, one after the other, without trust.
class RowReader
{
public:
    /// The bytes must outlive the reader.
    explicit RowReader(std::span<const std::uint8_t> rows) : m_rows(rows) {}

    /// Goes to the next row. False after the last one; Error(Data) if these are no rows.
    bool next();
    [[nodiscard]] std::span<const SqliteValue> values() const { return m_values; }
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return m_row; }

private:
    struct Head
    {
        int kind = 0; ///< major type
        int info = 0;
        std::uint64_t argument = 0;
    };
    [[nodiscard]] Head takeHead();
    [[nodiscard]] std::span<const std::uint8_t> take(std::uint64_t count);
    [[nodiscard]] SqliteValue takeValue();

    std::span<const std::uint8_t> m_rows;
    std::span<const std::uint8_t> m_row;
    std::vector<SqliteValue> m_values;
    std::size_t m_at = 0;
};

} // namespace lockstep
