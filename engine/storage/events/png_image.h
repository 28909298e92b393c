// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"

#include <cstdint>
#include <span>
#include <string>

namespace lockstep {

/// A picture as a PNG file holds it.
struct PngImage
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0; ///< 1 grey, 3 red green blue
    std::string bytes;         ///< the whole file
};

/// Encodes height x width x channels bytes (row, column, channel). Error(Internal) for other
/// numbers of channels than 1 and 3 or another size; Error(OutOfMemory).
PngImage encodePng(const Shape& shape, std::span<const std::uint8_t> pixels);

} // namespace lockstep
