// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_size.h"

#include <array>
#include <cstddef>
#include <cstdint>
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
GrayImage decodeGray(
    std::span<const std::byte> file, const std::string& name, const PixelRules& rules = {});

/// Which pixels of a mask are marked.
struct MaskRules
{
    int threshold = 1;      ///< the least value, of 255, that marks
    bool isOnWhite = false; ///< the background is white: colours are inverted first
    PixelRules pixels = {};
};

/// An image of 1 where something is marked, else 0, and what its file looked like.
struct MaskImage : GrayImage
{
    /// What a mask shows by its values 0 to 255: the brightest channel of a pixel, after colours
    /// are inverted, if the rules say so; a value of 16 bits that is not zero has at least 1.
    struct Values
    {
        std::array<std::int64_t, 256> pixels = {}; ///< that have each value
        std::int64_t notWhite = 0;                 ///< pixels of any other colour
        std::int64_t border = 0;                   ///< pixels at the image's edges
        std::int64_t markedBorder = 0;             ///< of these
        /// The colours of its palette say something else of the background than its indices.
        bool isByIndex = false;
    };
    Values values;
};

/// Decodes a PNG or BMP whose pixels mark something: those of which any channel (transparency
/// aside) has the rules' threshold or more. In an image with a palette index 0 is the background,
/// whatever its colour, and any other index marks, black or not; only where 0 is not black and
/// another index, used by more pixels, is, that is the background. A JPEG is taken with a threshold
/// above 1. Throws as decodeGray, and for a JPEG else, whose compression smears marks. Thread-safe.
MaskImage decodeMask(
    std::span<const std::byte> file, const std::string& name, const MaskRules& rules = {});

} // namespace lockstep
