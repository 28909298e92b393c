// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/gray_image.h"

#include "base/error.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/codecs/image_codec.h"
#include "dataset/codecs/jpeg_codec.h"

#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

using Colour = std::array<std::uint8_t, 3>;

constexpr int kColours = 3;
constexpr std::uint8_t kMostValue = 255;
constexpr Colour kBlack{0, 0, 0};
constexpr Colour kWhite{kMostValue, kMostValue, kMostValue};

/// Of 255; what is not zero stays so.
std::uint8_t byteOf(std::uint16_t value)
{
    constexpr int kRatio = 257;
    return static_cast<std::uint8_t>(value / kRatio + (value > 0 && value < kRatio ? 1 : 0));
}

/// The colours of the pixels of a mask as it is stored, row by row.
struct MaskColours
{
    ImageSize size;
    std::vector<Colour> pixels;
    bool isByIndex = false;
};

/// Of an image with a palette, by the rule of decodeMask.
MaskColours coloursByIndex(const WideValues& wide, const MaskRules& rules)
{
    std::array<Colour, 256> colours{};
    std::ranges::copy(wide.palette, colours.begin());
    const bool isColourless =
        wide.palette.size() > 1
        && std::ranges::count(wide.palette, wide.palette[0]) == std::ssize(wide.palette);
    MaskColours result{{wide.height, wide.width}, {}, isColourless};
    if (isColourless) {
        colours.fill(kWhite);
        colours[0] = kBlack;
    } else if (!rules.isOnWhite) {
        std::array<std::int64_t, 256> uses{};
        for (const std::uint16_t index : wide.values) {
            ++uses[index];
        }
        std::size_t background = 0;
        for (std::size_t i = 1; i < wide.palette.size() && colours[0] != kBlack; ++i) {
            background = colours[i] == kBlack && uses[i] > uses[background] ? i : background;
        }
        result.isByIndex = background == 0 && colours[0] != kBlack && uses[0] > 0;
        for (std::size_t i = 0; i < colours.size(); ++i) {
            if (i != background && colours[i] == kBlack) {
                result.isByIndex = result.isByIndex || uses[i] > 0;
                colours[i] = kWhite;
            }
        }
        colours[background] = kBlack;
    }
    result.pixels.reserve(wide.values.size());
    for (const std::uint16_t index : wide.values) {
        result.pixels.push_back(colours[index]);
    }
    return result;
}

MaskColours coloursOf(
    std::span<const std::byte> file, const std::string& name, const MaskRules& rules)
{
    MaskColours result;
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        DecodedImage image;
        decodeJpeg(file, name, {}, image);
        result.size = {image.height, image.width};
        for (std::size_t i = 0; i < image.pixels.size(); i += kColours) {
            result.pixels.push_back({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
        }
        return result;
    }
    const WideValues wide = decodeWide(file, name);
    if (!wide.palette.empty()) {
        return coloursByIndex(wide, rules);
    }
    result.size = {wide.height, wide.width};
    const auto channels = static_cast<std::size_t>(wide.channels);
    result.pixels.reserve(wide.values.size() / channels);
    for (std::size_t i = 0; i < wide.values.size(); i += channels) {
        const std::size_t step = channels < kColours ? 0 : 1; // grey is all three
        result.pixels.push_back(
            {byteOf(wide.values[i]), byteOf(wide.values[i + step]),
             byteOf(wide.values[i + 2 * step])});
    }
    return result;
}

} // namespace

GrayImage decodeGray(
    std::span<const std::byte> file, const std::string& name, const PixelRules& rules)
{
    GrayImage image;
    const int orientation = exifOrientation(file, rules);
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        decodeJpeg(file, name, {.colours = JpegColours::Grey, .orientation = orientation}, image);
    } else {
        decodeOther(file, name, 1, rules.bits, image);
        turnImage(image, 1, orientation, name);
    }
    return image;
}

MaskImage decodeMask(
    std::span<const std::byte> file, const std::string& name, const MaskRules& rules)
{
    if (imageFormatOf(file, name) == ImageFormat::Jpeg && rules.threshold == 1) {
        fail(
            ErrorCode::Data,
            "{}: is a JPEG, whose compression leaves marks where there were none; a label has to "
            "be a BMP or PNG, or set dataset.mask_threshold = 128",
            name);
    }
    const MaskColours colours = coloursOf(file, name, rules);
    MaskImage mask;
    mask.height = colours.size.height;
    mask.width = colours.size.width;
    mask.pixels.reserve(colours.pixels.size());
    mask.values.isByIndex = colours.isByIndex;
    for (const Colour& colour : colours.pixels) {
        const auto [least, most] = std::ranges::minmax(colour);
        const int value = rules.isOnWhite ? kMostValue - least : most;
        ++mask.values.pixels[static_cast<std::size_t>(value)];
        mask.values.notWhite += least < kMostValue ? 1 : 0;
        mask.pixels.push_back(value >= rules.threshold ? 1 : 0);
    }
    for (std::int64_t i = 0; i < std::ssize(mask.pixels); ++i) {
        const std::int64_t row = i / mask.width;
        const std::int64_t column = i % mask.width;
        if (row == 0 || column == 0 || row == mask.height - 1 || column == mask.width - 1) {
            ++mask.values.border;
            mask.values.markedBorder += mask.pixels[static_cast<std::size_t>(i)];
        }
    }
    turnImage(mask, 1, exifOrientation(file, rules.pixels), name);
    return mask;
}

} // namespace lockstep
