// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// An image of one channel in memory.
struct GrayImage
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels; ///< height x width, row by row

    bool operator==(const GrayImage&) const = default;
};

/// Decodes a JPEG, PNG or BMP, told by its first bytes and not by its name; colours become their
/// luminance. `name` is for errors. Throws Error(Data) for an empty file, any other kind, a damaged
/// or truncated one, and sizes that are refused for colour_image.h, too. Thread-safe.
GrayImage decodeGray(std::span<const std::byte> file, const std::string& name);

/// Decodes a PNG or BMP whose pixels mark something: 1 where any channel (transparency aside) is
/// not zero, else 0. Throws as decodeGray, and for a JPEG, whose compression smears marks.
/// Thread-safe.
GrayImage decodeMask(std::span<const std::byte> file, const std::string& name);

} // namespace lockstep
