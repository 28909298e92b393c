// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace lockstep::test {

/// The number that a bfloat16 stands for.
inline float fromBfloat16(std::uint16_t bits)
{
    return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}

/// The nearest bfloat16, found by comparing distances in double; of two that are as near the even
/// one; a NaN keeps its upper half and becomes quiet. Beyond the largest number comes the infinity,
/// as far away as if the exponents went on.
inline std::uint16_t toBfloat16(float value)
{
    const auto lower = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U);
    if (std::isnan(value)) {
        return lower | 0x40U;
    }
    const auto upper = static_cast<std::uint16_t>(lower + 1U);
    const auto numberOf = [](std::uint16_t bits) {
        const auto number = double{fromBfloat16(bits)};
        return std::isinf(number) ? std::copysign(0x1p128, number) : number;
    };
    if (std::isinf(value) || numberOf(lower) == double{value}) {
        return lower;
    }
    const double down = std::abs(double{value} - numberOf(lower));
    const double up = std::abs(numberOf(upper) - double{value});
    const bool isEven = (lower & 1U) == 0;
    return down < up || (down == up && isEven) ? lower : upper;
}

/// A value as a tensor of that format holds it.
inline float rounded(cpu::Element element, float value)
{
    return element == cpu::Element::Float32 ? value : fromBfloat16(toBfloat16(value));
}

/// Memory between guards that nobody may change, at an address that is a multiple of `alignment`
/// only.
class GuardedBytes
{
public:
    GuardedBytes(std::size_t bytes, std::size_t alignment)
        : m_begin(kGuard + alignment), m_bytes(bytes),
          m_memory(bytes + m_begin + kGuard, kUntouched)
    {
    }

    [[nodiscard]] std::byte* data() { return m_memory.data() + m_begin; }
    [[nodiscard]] const std::byte* data() const { return m_memory.data() + m_begin; }
    [[nodiscard]] bool isIntact() const
    {
        const auto isUntouched = [](std::byte value) { return value == kUntouched; };
        const auto* const end = m_memory.data() + m_memory.size();
        return std::all_of(m_memory.data(), data(), isUntouched)
               && std::all_of(data() + m_bytes, end, isUntouched);
    }

private:
    static constexpr std::size_t kGuard = 128;
    static constexpr std::byte kUntouched{0xA5};
    std::size_t m_begin;
    std::size_t m_bytes;
    std::vector<std::byte> m_memory;
};

/// Values of a tensor in its format, between guards.
class GuardedElements
{
public:
    GuardedElements(cpu::Element element, const std::vector<float>& values)
        : m_element(element), m_count(values.size()),
          m_bytes(values.size() * size(element), size(element))
    {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto bits = std::bit_cast<std::uint32_t>(values[i]);
            // Exactly, where that is possible: a NaN may be a loud one.
            const auto half = (bits & 0xFFFFU) == 0 ? static_cast<std::uint16_t>(bits >> 16U)
                                                    : toBfloat16(values[i]);
            const void* from = element == cpu::Element::Float32
                                   ? static_cast<const void*>(&values[i])
                                   : static_cast<const void*>(&half);
            std::memcpy(data() + i * size(element), from, size(element));
        }
    }

    [[nodiscard]] std::byte* data() { return m_bytes.data(); }
    [[nodiscard]] bool isIntact() const { return m_bytes.isIntact(); }
    [[nodiscard]] std::vector<float> values() const
    {
        std::vector<float> values(m_count);
        for (std::size_t i = 0; i < m_count; ++i) {
            const std::byte* from = m_bytes.data() + i * size(m_element);
            if (m_element == cpu::Element::Float32) {
                std::memcpy(&values[i], from, sizeof(float));
            } else {
                std::uint16_t half = 0;
                std::memcpy(&half, from, sizeof half);
                values[i] = fromBfloat16(half);
            }
        }
        return values;
    }

private:
    static std::size_t size(cpu::Element element)
    {
        return static_cast<std::size_t>(cpu::bytesOf(element));
    }
    cpu::Element m_element;
    std::size_t m_count;
    GuardedBytes m_bytes;
};

/// Whether two values are the same number, or both no number.
inline bool isSame(float one, float other)
{
    return one == other || (std::isnan(one) && std::isnan(other));
}

} // namespace lockstep::test
