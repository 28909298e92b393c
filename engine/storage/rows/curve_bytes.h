// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace lockstep {

/// Builds the bytes of a blob: little-endian columns behind a CRC-32 of them. An array holds as
/// many values as both sides know; integers in even steps take no room:
///
///     integer   i64
///     floats    f32 each
///     counts    u32 each
///     integers  i64 first, i64 increment, u8 width (0, 1, 2, 4 or 8), then of each value the
///               signed rest of that many bytes: value i = first + i * increment + rest i
class ByteWriter
{
public:
    /// What putIntegers() takes at least, however many values it is given.
    static constexpr std::size_t kLeastIntegers = 2 * sizeof(std::int64_t) + sizeof(std::uint8_t);

    ByteWriter();

    void putInteger(std::int64_t value) { put(value); }
    void putFloats(std::span<const float> values) { putArray(values); }
    void putCounts(std::span<const std::uint32_t> values) { putArray(values); }
    void putIntegers(std::span<const std::int64_t> values);

    /// The finished blob.
    std::vector<std::byte> take();

private:
    template<class Value>
    void put(Value value)
    {
        putArray(std::span<const Value>(&value, 1));
    }
    template<class Value>
    void putArray(std::span<const Value> values)
    {
        static_assert(std::is_trivially_copyable_v<Value>);
        const auto bytes = std::as_bytes(values);
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
    }
    template<class Rest>
    void putRests(std::span<const std::int64_t> values, std::uint64_t increment);

    std::vector<std::byte> m_bytes;
};

/// Takes such a blob apart without trust. Once it is damaged or too short isGood() is false, and
/// what comes out is zeros.
class ByteReader
{
public:
    explicit ByteReader(std::span<const std::byte> blob);

    std::int64_t integer() { return value<std::int64_t>(); }
    void floats(std::span<float> values) { array(values); }
    void counts(std::span<std::uint32_t> values) { array(values); }
    void integers(std::span<std::int64_t> values);

    [[nodiscard]] bool isGood() const noexcept { return m_isGood; }
    /// Whether so many bytes are left: to be asked before memory is taken for them.
    [[nodiscard]] bool has(std::size_t bytes) const noexcept
    {
        return m_isGood && bytes <= m_rest.size();
    }
    /// Whether all of it was read, and no more.
    [[nodiscard]] bool isDone() const noexcept { return m_isGood && m_rest.empty(); }

private:
    template<class Value>
    Value value()
    {
        Value result{};
        array(std::span<Value>(&result, 1));
        return result;
    }
    template<class Value>
    void array(std::span<Value> values)
    {
        const auto bytes = take(values.size_bytes());
        if (!bytes.empty()) {
            std::memcpy(values.data(), bytes.data(), bytes.size());
        }
    }
    template<class Rest>
    void rests(std::span<std::int64_t> values, std::uint64_t first, std::uint64_t increment);
    std::span<const std::byte> take(std::size_t bytes);

    std::span<const std::byte> m_rest;
    bool m_isGood = true;
};

} // namespace lockstep
