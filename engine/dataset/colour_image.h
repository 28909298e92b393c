// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// An image of red, green and blue in memory.
struct ColourImage
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels; ///< height x width x 3, row by row

    bool operator==(const ColourImage&) const = default;
};

struct ImageSize
{
    std::int64_t height = 0;
    std::int64_t width = 0;

    bool operator==(const ImageSize&) const = default;
};

/// The size of a JPEG, PNG or BMP, told by its first bytes. `file` may end anywhere behind them, as
/// long as it holds the header. Throws as decodeColours. Thread-safe.
ImageSize readImageSize(std::span<const std::byte> file, const std::string& name);

/// Decodes a JPEG, PNG or BMP, told by its first bytes and not by its name, into `image`, whose
/// memory is used again. Grey becomes three equal channels, the inks of printers (CMYK, YCCK)
/// become colours, transparency is left out. `name` is for errors. Throws Error(Data) for an empty
/// file, any other kind, a damaged or truncated one, and sides of more than 16,384 pixels.
/// Thread-safe.
///
/// A JPEG is decoded with its sides divided by `divisor` (1, 2, 4 or 8), each rounded up: every
/// pixel is then, nearly, the mean of divisor x divisor of the whole image, for a fraction of the
/// work. Other formats take no notice of it.
void decodeColours(
    std::span<const std::byte> file, const std::string& name, int divisor, ColourImage& image);

/// Decodes an image, JPEGs at an eighth, to see that it is whole. Throws as decodeColours.
void checkWhole(std::span<const std::byte> file, const std::string& name);

/// The largest divisor of decodeColours by which `size` has at least `wanted` pixels a side; 1
/// where even the whole image is smaller.
[[nodiscard]] int divisorFor(const ImageSize& size, const ImageSize& wanted);

} // namespace lockstep
