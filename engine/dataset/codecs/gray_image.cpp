// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/gray_image.h"

#include "base/error.h"
#include "dataset/codecs/image_codec.h"
#include "dataset/codecs/jpeg_codec.h"

#include <algorithm>

namespace lockstep {

GrayImage decodeGray(std::span<const std::byte> file, const std::string& name)
{
    GrayImage image;
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        decodeJpeg(file, name, {.colours = JpegColours::Grey}, image);
    } else {
        decodeOther(file, name, 1, image);
    }
    return image;
}

GrayImage decodeMask(std::span<const std::byte> file, const std::string& name)
{
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        fail(
            ErrorCode::Data,
            "{}: is a JPEG, whose compression leaves marks where there were none; a label has to "
            "be a BMP or PNG",
            name);
    }
    const WideValues wide = decodeWide(file, name);
    GrayImage mask{wide.height, wide.width, {}};
    mask.pixels.resize(static_cast<std::size_t>(mask.height * mask.width));
    const bool hasAlpha = wide.channels % 2 == 0;
    const std::uint16_t* pixel = wide.values.data();
    for (std::uint8_t& mark : mask.pixels) {
        const auto isMarked =
            std::any_of(pixel, pixel + wide.channels - (hasAlpha ? 1 : 0), [](std::uint16_t value) {
                return value != 0;
            });
        mark = isMarked ? 1 : 0;
        pixel += wide.channels;
    }
    return mask;
}

} // namespace lockstep
