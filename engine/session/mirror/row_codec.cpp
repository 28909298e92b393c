// SPDX-License-Identifier: Apache-2.0
#include "session/mirror/row_codec.h"

#include "base/error.h"
#include "base/overloaded.h"

#include <bit>
#include <limits>
#include <string_view>
#include <variant>

namespace lockstep {
namespace {

// Major types of CBOR, and two of its simple values.
constexpr int kUnsigned = 0;
constexpr int kNegative = 1;
constexpr int kBytes = 2;
constexpr int kText = 3;
constexpr int kArray = 4;
constexpr int kSimple = 7;
constexpr int kNull = 22;
constexpr int kDouble = 27;
/// An argument below this stands in the head; 24 to 27: in so many bytes (1, 2, 4, 8) behind it.
constexpr std::uint64_t kShort = 24;
constexpr int kKindShift = 5;
/// A table has fewer columns.
constexpr std::uint64_t kMostValues = 64;

void putBigEndian(std::vector<std::uint8_t>& out, std::uint64_t value, int bytes)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        out.push_back(static_cast<std::uint8_t>(value >> shift));
    }
}

void putHead(std::vector<std::uint8_t>& out, int kind, std::uint64_t argument)
{
    const auto first = static_cast<std::uint8_t>(kind << kKindShift);
    if (argument < kShort) {
        out.push_back(static_cast<std::uint8_t>(first | argument));
        return;
    }
    int info = 24;
    int bytes = 1;
    while (bytes < 8 && (argument >> (8 * bytes)) != 0) {
        bytes *= 2;
        ++info;
    }
    out.push_back(static_cast<std::uint8_t>(first | info));
    putBigEndian(out, argument, bytes);
}

void putBytes(std::vector<std::uint8_t>& out, int kind, const void* data, std::size_t size)
{
    putHead(out, kind, size);
    const auto* const bytes = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

void putValue(std::vector<std::uint8_t>& out, const SqliteValue& value)
{
    std::visit(
        Overloaded{
            [&](std::monostate) { out.push_back(kSimple << kKindShift | kNull); },
            [&](std::int64_t number) {
                const auto bits = static_cast<std::uint64_t>(number);
                number < 0 ? putHead(out, kNegative, ~bits) : putHead(out, kUnsigned, bits);
            },
            [&](double number) {
                out.push_back(kSimple << kKindShift | kDouble);
                putBigEndian(out, std::bit_cast<std::uint64_t>(number), 8);
            },
            [&](std::string_view text) { putBytes(out, kText, text.data(), text.size()); },
            [&](std::span<const std::byte> blob) {
                putBytes(out, kBytes, blob.data(), blob.size());
            }},
        value);
}

[[noreturn]] void failRows()
{
    fail(ErrorCode::Data, "rows that came over the line are damaged");
}

} // namespace

void appendRow(std::vector<std::uint8_t>& rows, const SqliteStatement& row)
{
    const int columns = row.columns();
    putHead(rows, kArray, static_cast<std::uint64_t>(columns));
    for (int i = 0; i < columns; ++i) {
        putValue(rows, row.value(i));
    }
}

void appendRow(std::vector<std::uint8_t>& rows, std::span<const SqliteValue> row)
{
    putHead(rows, kArray, row.size());
    for (const SqliteValue& value : row) {
        putValue(rows, value);
    }
}

std::uint64_t rowHash(std::span<const std::uint8_t> row)
{
    constexpr std::uint64_t kPrime = 0x100000001b3U;
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : row) {
        hash = (hash ^ byte) * kPrime;
    }
    return hash;
}

bool RowReader::next()
{
    if (m_at == m_rows.size()) {
        return false;
    }
    const std::size_t begin = m_at;
    const Head head = takeHead();
    if (head.kind != kArray || head.argument > kMostValues) {
        failRows();
    }
    m_values.clear();
    for (std::uint64_t i = 0; i < head.argument; ++i) {
        m_values.push_back(takeValue());
    }
    m_row = m_rows.subspan(begin, m_at - begin);
    return true;
}

std::span<const std::uint8_t> RowReader::take(std::uint64_t count)
{
    if (count > m_rows.size() - m_at) {
        failRows();
    }
    const auto part = m_rows.subspan(m_at, count);
    m_at += count;
    return part;
}

RowReader::Head RowReader::takeHead()
{
    const std::uint8_t first = take(1).front();
    Head head{first >> kKindShift, first & 31, 0};
    head.argument = static_cast<std::uint64_t>(head.info);
    if (head.argument < kShort) {
        return head;
    }
    if (head.info > kDouble) {
        failRows();
    }
    head.argument = 0;
    for (const std::uint8_t byte : take(std::uint64_t{1} << (head.info - 24))) {
        head.argument = head.argument << 8U | byte;
    }
    return head;
}

SqliteValue RowReader::takeValue()
{
    const Head head = takeHead();
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if ((head.kind == kUnsigned || head.kind == kNegative) && head.argument <= kLargest) {
        return static_cast<std::int64_t>(head.kind == kUnsigned ? head.argument : ~head.argument);
    }
    if (head.kind == kText) {
        const auto text = take(head.argument);
        return std::string_view(reinterpret_cast<const char*>(text.data()), text.size());
    }
    if (head.kind == kBytes) {
        return std::as_bytes(take(head.argument));
    }
    if (head.kind == kSimple && head.info == kDouble) {
        return std::bit_cast<double>(head.argument);
    }
    if (head.kind != kSimple || head.info != kNull) {
        failRows();
    }
    return std::monostate();
}

} // namespace lockstep
