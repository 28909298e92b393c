// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite/row_checksum.h"

#include "base/crc32.h"

#include <bit>
#include <cmath>
#include <span>

namespace lockstep {

void RowChecksum::add(double value)
{
    // SQLite keeps neither a not-a-number nor the sign of a zero.
    m_words.push_back(
        std::isnan(value) ? SqliteStatement::kNullBits : std::bit_cast<std::uint64_t>(value + 0.0));
}

void RowChecksum::add(std::string_view text)
{
    m_words.push_back(text.size());
    m_words.push_back(checksum(std::as_bytes(std::span(text))));
}

void RowChecksum::addColumns(const SqliteStatement& row, int first, int end)
{
    for (int column = first; column < end; ++column) {
        if (row.isText(column)) {
            add(row.text(column));
        } else {
            m_words.push_back(row.bits(column));
        }
    }
}

std::int32_t RowChecksum::take()
{
    const auto sum = static_cast<std::int32_t>(checksum(std::as_bytes(std::span(m_words))));
    m_words.clear();
    return sum;
}

} // namespace lockstep
