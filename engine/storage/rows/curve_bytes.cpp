// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/curve_bytes.h"

#include "base/crc32.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

static_assert(std::endian::native == std::endian::little, "the blobs are written as memory is");

constexpr std::size_t kChecksumBytes = sizeof(std::uint32_t);

// Unsigned throughout: it wraps around where signed numbers must not overflow.
std::uint64_t predicted(std::uint64_t first, std::uint64_t increment, std::size_t i)
{
    return first + increment * i;
}

std::uint64_t incrementOf(std::span<const std::int64_t> values)
{
    if (values.size() < 2) {
        return 0;
    }
    const auto span =
        static_cast<std::uint64_t>(values.back()) - static_cast<std::uint64_t>(values.front());
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(span) / static_cast<std::int64_t>(values.size() - 1));
}

template<class Rest>
bool fits(std::int64_t least, std::int64_t most)
{
    return least >= std::numeric_limits<Rest>::min() && most <= std::numeric_limits<Rest>::max();
}

std::uint8_t widthFor(std::span<const std::int64_t> values, std::uint64_t increment)
{
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto rest = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(values[i])
            - predicted(static_cast<std::uint64_t>(values[0]), increment, i));
        least = std::min(least, rest);
        most = std::max(most, rest);
    }
    if (least == 0 && most == 0) {
        return 0;
    }
    if (fits<std::int8_t>(least, most)) {
        return sizeof(std::int8_t);
    }
    if (fits<std::int16_t>(least, most)) {
        return sizeof(std::int16_t);
    }
    return fits<std::int32_t>(least, most) ? sizeof(std::int32_t) : sizeof(std::int64_t);
}

} // namespace

ByteWriter::ByteWriter() : m_bytes(kChecksumBytes) {}

template<class Rest>
void ByteWriter::putRests(std::span<const std::int64_t> values, std::uint64_t increment)
{
    std::vector<Rest> rests(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        rests[i] = static_cast<Rest>(
            static_cast<std::uint64_t>(values[i])
            - predicted(static_cast<std::uint64_t>(values[0]), increment, i));
    }
    putArray(std::span<const Rest>(rests));
}

void ByteWriter::putIntegers(std::span<const std::int64_t> values)
{
    const std::uint64_t increment = incrementOf(values);
    const std::uint8_t width = widthFor(values, increment);
    put(values.empty() ? std::int64_t{0} : values.front());
    put(increment);
    put(width);
    switch (width) {
    case 0:
        break;
    case sizeof(std::int8_t):
        return putRests<std::int8_t>(values, increment);
    case sizeof(std::int16_t):
        return putRests<std::int16_t>(values, increment);
    case sizeof(std::int32_t):
        return putRests<std::int32_t>(values, increment);
    default:
        return putRests<std::int64_t>(values, increment);
    }
}

std::vector<std::byte> ByteWriter::take()
{
    const std::uint32_t sum = checksum(std::span(m_bytes).subspan(kChecksumBytes));
    std::memcpy(m_bytes.data(), &sum, sizeof sum);
    return std::exchange(m_bytes, std::vector<std::byte>(kChecksumBytes));
}

ByteReader::ByteReader(std::span<const std::byte> blob) : m_rest(blob)
{
    const auto sum = value<std::uint32_t>();
    m_isGood = m_isGood && sum == checksum(m_rest);
}

std::span<const std::byte> ByteReader::take(std::size_t bytes)
{
    m_isGood = has(bytes);
    if (!m_isGood) {
        return {};
    }
    const auto taken = m_rest.first(bytes);
    m_rest = m_rest.subspan(bytes);
    return taken;
}

template<class Rest>
void ByteReader::rests(std::span<std::int64_t> values, std::uint64_t first, std::uint64_t increment)
{
    const auto bytes = take(values.size() * sizeof(Rest));
    for (std::size_t i = 0; i < values.size() && !bytes.empty(); ++i) {
        Rest rest;
        std::memcpy(&rest, bytes.data() + i * sizeof rest, sizeof rest);
        values[i] = static_cast<std::int64_t>(
            predicted(first, increment, i) + static_cast<std::uint64_t>(std::int64_t{rest}));
    }
}

void ByteReader::integers(std::span<std::int64_t> values)
{
    const auto first = value<std::uint64_t>();
    const auto increment = value<std::uint64_t>();
    switch (value<std::uint8_t>()) {
    case 0:
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<std::int64_t>(predicted(first, increment, i));
        }
        break;
    case sizeof(std::int8_t):
        return rests<std::int8_t>(values, first, increment);
    case sizeof(std::int16_t):
        return rests<std::int16_t>(values, first, increment);
    case sizeof(std::int32_t):
        return rests<std::int32_t>(values, first, increment);
    case sizeof(std::int64_t):
        return rests<std::int64_t>(values, first, increment);
    default:
        m_isGood = false;
    }
}

} // namespace lockstep
