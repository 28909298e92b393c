// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_size.h"

#include <cstddef>
#include <span>
#include <string>

namespace lockstep {

/// An image of one channel in memory.
struct GrayImage : DecodedImage
{
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
