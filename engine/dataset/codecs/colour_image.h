// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_size.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace lockstep {

/// An image of red, green and blue in memory.
struct ColourImage : DecodedImage
{
};

/// The size of a JPEG, PNG or BMP, told by its first bytes. `file` may end anywhere behind them, as
/// long as it holds the header. Throws as decodeColours. Thread-safe.
ImageSize readImageSize(std::span<const std::byte> file, const std::string& name);

/// What is decoded of an image.
struct ColourRequest
{
    /// A JPEG is decoded with its sides divided by this (1, 2, 4 or 8), each rounded up: every
    /// pixel is then, nearly, the mean of divisor x divisor of the whole image, for a fraction of
    /// the work. Other formats take no notice of it.
    int divisor = 1;
    /// Of the whole image, within it; all of it without. A JPEG gives scaledCrop of it, for a
    /// fraction of the work, bit for bit as the whole would have it there.
    std::optional<CropBox> crop = {};
};

/// Decodes a JPEG, PNG or BMP, told by its first bytes and not by its name, into `image`, whose
/// memory is used again. Grey becomes three equal channels, the inks of printers (CMYK, YCCK)
/// become colours, transparency is left out, of 16 bits the upper 8 are taken. `name` is for
/// errors. Throws Error(Data) for an empty file, any other kind, a damaged or truncated one, and
/// one of more than 16,384 pixels a side or 67 million in all, before memory is taken for it;
/// Error(OutOfMemory). Thread-safe.
void decodeColours(
    std::span<const std::byte> file, const std::string& name, const ColourRequest& request,
    ColourImage& image);

/// Decodes an image, JPEGs at an eighth, to see that it is whole. Throws as decodeColours.
void checkWhole(std::span<const std::byte> file, const std::string& name);

/// The largest divisor of decodeColours by which `size` has at least `wanted` pixels a side; 1
/// where even the whole image is smaller.
[[nodiscard]] int divisorFor(const ImageSize& size, const ImageSize& wanted);

} // namespace lockstep
