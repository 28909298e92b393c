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

/// The size of a JPEG, PNG or BMP, told by its first bytes, turned as the rules say. `file` may end
/// anywhere behind them, as long as it holds the header. Throws as decodeColours. Thread-safe.
ImageSize readImageSize(
    std::span<const std::byte> file, const std::string& name, const PixelRules& rules = {});

/// What is decoded of an image.
struct ColourRequest
{
    /// A JPEG is decoded with its sides divided by this (1, 2, 4 or 8), each rounded up: every
    /// pixel is then, nearly, the mean of divisor x divisor of the whole image, for a fraction of
    /// the work. Other formats take no notice of it.
    int divisor = 1;
    /// Of the whole image as it is turned, within it; all of it without. A JPEG gives scaledCrop of
    /// it, for a fraction of the work, bit for bit as the whole would have it there.
    std::optional<CropBox> crop = {};
    PixelRules rules = {};
};

/// Decodes a JPEG, PNG or BMP, told by its first bytes and not by its name, into `image`, whose
/// memory is used again. Grey becomes three equal channels, the inks of printers (CMYK, YCCK)
/// become colours, transparency is left out, of 16 bits the upper 8 that are used are taken.
/// `name` is for errors. Throws Error(Data) for an empty file, any other kind, a damaged or
/// truncated one, and one of more than 16,384 pixels a side or 67 million in all, before memory is
/// taken for it; Error(OutOfMemory). Thread-safe.
void decodeColours(
    std::span<const std::byte> file, const std::string& name, const ColourRequest& request,
    ColourImage& image);

/// How many bits a PNG of 16 needs for its largest value, where neither the rules nor the file
/// itself, in a way that decodePng follows, say how many are used; 0 for any other file. Decodes it
/// whole. Throws as decodeColours.
int unsaidBits(std::span<const std::byte> file, const std::string& name, const PixelRules& rules);

/// What to tell of images whose PNGs of 16 bits need so many at most, as unsaidBits has it; empty
/// where they use most of their range.
[[nodiscard]] std::string bitsWarning(int mostBits);

/// Decodes an image, JPEGs at an eighth, to see that it is whole. Throws as decodeColours.
void checkWhole(std::span<const std::byte> file, const std::string& name);

/// The largest divisor of decodeColours by which `size` has at least `wanted` pixels a side; 1
/// where even the whole image is smaller.
[[nodiscard]] int divisorFor(const ImageSize& size, const ImageSize& wanted);

} // namespace lockstep
