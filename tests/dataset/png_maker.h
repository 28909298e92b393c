// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::test {

/// PNGs that no image library of ours writes, chunk by chunk.
struct PngMaker
{
    int depth = 8; ///< 8 or 16
    std::vector<std::array<std::uint8_t, 3>> palette =
        {};                  ///< values are its indices, if there is one
    int channels = 1;        ///< 1: grey, 3: colours
    int significantBits = 0; ///< sBIT, if there are any
    std::string exif = {};

    [[nodiscard]] std::string write(
        const std::vector<std::uint16_t>& values, std::uint32_t height, std::uint32_t width) const
    {
        std::string header = number(width) + number(height);
        header +=
            {static_cast<char>(depth),
             static_cast<char>(
                 !palette.empty() ? 3
                 : channels == 3  ? 2
                                  : 0),
             0, 0, 0};
        std::string file = "\x89PNG\r\n\x1A\n" + chunk("IHDR", header);
        if (significantBits > 0) {
            file += chunk(
                "sBIT",
                std::string(
                    static_cast<std::size_t>(channels), static_cast<char>(significantBits)));
        }
        std::string colours;
        for (const auto& colour : palette) {
            colours.append(colour.begin(), colour.end());
        }
        file += palette.empty() ? "" : chunk("PLTE", colours);
        file += exif.empty() ? "" : chunk("eXIf", exif);
        std::string rows;
        const std::size_t inRow = values.size() / height;
        for (std::size_t i = 0; i < values.size(); ++i) {
            rows += i % inRow == 0 ? std::string(1, '\0') : "";
            rows += depth == 16 ? std::string(1, static_cast<char>(values[i] >> 8U)) : "";
            rows += static_cast<char>(values[i] & 255U);
        }
        uLongf size = compressBound(rows.size());
        std::string packed(size, '\0');
        compress(
            reinterpret_cast<Bytef*>(packed.data()), &size,
            reinterpret_cast<const Bytef*>(rows.data()), rows.size());
        packed.resize(size);
        return file + chunk("IDAT", packed) + chunk("IEND", "");
    }

private:
    static std::string number(std::uint32_t value)
    {
        std::string bytes;
        for (const unsigned shift : {24U, 16U, 8U, 0U}) {
            bytes += static_cast<char>(value >> shift & 255U);
        }
        return bytes;
    }

    static std::string chunk(const std::string& type, const std::string& content)
    {
        const std::string body = type + content;
        const auto sum =
            crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
        return number(static_cast<std::uint32_t>(content.size())) + body
               + number(static_cast<std::uint32_t>(sum));
    }
};

} // namespace lockstep::test
