// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/sqlite/sqlite_database.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {

/// The checksum over the values of a row, in the order of their columns: SQLite has none of its
/// own, and a loss with one bit flipped would pass for a loss.
class RowChecksum
{
public:
    // Values as they are written.
    void add(std::integral auto value) { m_words.push_back(static_cast<std::uint64_t>(value)); }
    void add(double value);
    void add(std::string_view text);
    template<class Value>
    void add(const std::optional<Value>& value)
    {
        if (value) {
            add(*value);
        } else {
            m_words.push_back(SqliteStatement::kNullBits);
        }
    }
    /// Values as they are read: columns [first, end).
    void addColumns(const SqliteStatement& row, int first, int end);

    /// Of what was added since the last call. Signed, as SQLite then stores it in four bytes.
    std::int32_t take();

private:
    std::vector<std::uint64_t> m_words;
};

} // namespace lockstep
