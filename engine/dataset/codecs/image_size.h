// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct ImageSize
{
    std::int64_t height = 0;
    std::int64_t width = 0;

    bool operator==(const ImageSize&) const = default;
};

/// What the values of a file mean.
struct PixelRules
{
    /// A camera notes how it was held (EXIF, see exif_orientation.h): the image is turned so, or is
    /// left as it is stored.
    bool isTurned = true;
    /// Of the values of PNGs of 16 bits, which may be those of a camera of fewer: 12 are 0 to
    /// 4,095. 0: as the file says, see decodePng.
    int bits = 0;

    bool operator==(const PixelRules&) const = default;
};

/// The least and the largest sides of some images, each by itself.
struct SizeRange
{
    ImageSize least;
    ImageSize most;

    void take(const ImageSize& size);
    /// "40 x 24 to 44 x 24 pixels", height x width; empty without images.
    [[nodiscard]] std::string text() const;
};

/// Values of an image in memory.
struct DecodedImage
{
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::vector<std::uint8_t> pixels; ///< row by row, all channels of a pixel side by side

    bool operator==(const DecodedImage&) const = default;
};

/// A part of an image, in pixels.
struct CropBox
{
    std::int64_t row = 0; ///< the first one
    std::int64_t column = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;

    bool operator==(const CropBox&) const = default;
};

/// The same part of an image that was decoded at another size.
[[nodiscard]] CropBox scaledCrop(const CropBox& crop, const ImageSize& from, const ImageSize& to);

} // namespace lockstep
