// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/image_size.h"

#include <cstddef>
#include <span>
#include <string>

namespace lockstep {

// How a camera was held. It stores its pixels as the sensor has them and notes, as EXIF, which way
// up they are to be shown: 1 as they are, 2 mirrored left to right, 3 by half a turn, 4 mirrored
// top to bottom, 5 mirrored at the falling diagonal, 6 a quarter turn clockwise, 7 mirrored at the
// rising diagonal, 8 a quarter turn back.

/// What a JPEG (APP1) or a PNG (eXIf before its pixels) says; 1 where it says nothing, nothing that
/// can be understood, or is none of both, and where the rules leave images as they are stored. Of
/// the file its start is enough. Thread-safe.
[[nodiscard]] int exifOrientation(std::span<const std::byte> file, const PixelRules& rules);

/// How a turned image becomes the stored one: transposed first, then mirrored.
struct ExifTurn
{
    explicit ExifTurn(int orientation);

    bool isTransposed;
    bool isUpsideDown;
    bool isMirrored;
};

/// The size of an image after turning.
[[nodiscard]] ImageSize turnedSize(const ImageSize& stored, int orientation);

/// Where a part of the turned image lies in the stored one, of this size.
[[nodiscard]] CropBox storedCrop(const CropBox& turned, const ImageSize& stored, int orientation);

/// Turns pixels of one or three channels as they are to be shown. Throws Error(OutOfMemory) that
/// calls the file `name`: a second image is in memory meanwhile.
void turnImage(DecodedImage& image, int channels, int orientation, const std::string& name);

} // namespace lockstep
