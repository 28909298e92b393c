// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::test {

/// A block of EXIF with two entries before the orientation, as a camera writes it.
inline std::string exifOf(std::uint16_t orientation, bool isLittleEndian = true)
{
    std::string bytes = isLittleEndian ? "II" : "MM";
    const auto put = [&](std::uint32_t value, int count) {
        for (int i = 0; i < count; ++i) {
            const int byte = isLittleEndian ? i : count - 1 - i;
            bytes += static_cast<char>(value >> (8 * byte) & 255U);
        }
    };
    put(42, 2);
    put(8, 4);
    put(3, 2);
    for (const std::uint32_t tag : {0x0100U, 0x0101U}) { // width and height
        put(tag, 2);
        put(4, 2);
        put(1, 4);
        put(9, 4);
    }
    put(0x0112, 2);
    put(3, 2);
    put(1, 4);
    put(orientation, 2);
    put(0, 2);
    put(0, 4);
    return bytes;
}

} // namespace lockstep::test
