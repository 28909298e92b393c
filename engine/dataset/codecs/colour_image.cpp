// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/colour_image.h"

#include "dataset/codecs/bmp_codec.h"
#include "dataset/codecs/exif_orientation.h"
#include "dataset/codecs/image_codec.h"
#include "dataset/codecs/jpeg_codec.h"
#include "dataset/codecs/png_codec.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace lockstep {
namespace {

constexpr int kMostDivisor = 8;
constexpr int kChannels = 3;

/// Leaves a crop of an image, in the same memory.
void cutOut(const CropBox& crop, DecodedImage& image)
{
    const auto rowValues = crop.width * kChannels;
    for (std::int64_t row = 0; row < crop.height; ++row) {
        const auto from = ((crop.row + row) * image.width + crop.column) * kChannels;
        std::memmove(
            image.pixels.data() + row * rowValues, image.pixels.data() + from,
            static_cast<std::size_t>(rowValues));
    }
    image.height = crop.height;
    image.width = crop.width;
    image.pixels.resize(static_cast<std::size_t>(crop.height * rowValues));
}

ImageSize readStoredSize(std::span<const std::byte> file, const std::string& name)
{
    switch (imageFormatOf(file, name)) {
    case ImageFormat::Jpeg:
        return readJpegSize(file, name);
    case ImageFormat::Png:
        return readPngSize(file, name);
    case ImageFormat::Bmp:
        break;
    }
    return readBmpSize(file, name);
}

} // namespace

ImageSize readImageSize(
    std::span<const std::byte> file, const std::string& name, const PixelRules& rules)
{
    return turnedSize(readStoredSize(file, name), exifOrientation(file, rules));
}

void decodeColours(
    std::span<const std::byte> file, const std::string& name, const ColourRequest& request,
    ColourImage& image)
{
    const int orientation = exifOrientation(file, request.rules);
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        decodeJpeg(
            file, name, {JpegColours::Rgb, request.divisor, request.crop, orientation}, image);
        return;
    }
    decodeOther(file, name, kChannels, request.rules.bits, image);
    if (request.crop) {
        cutOut(storedCrop(*request.crop, {image.height, image.width}, orientation), image);
    }
    turnImage(image, kChannels, orientation, name);
}

int unsaidBits(std::span<const std::byte> file, const std::string& name, const PixelRules& rules)
{
    return rules.bits == 0 && imageFormatOf(file, name) == ImageFormat::Png
               ? unsaidPngBits(file, name)
               : 0;
}

std::string bitsWarning(int mostBits)
{
    constexpr std::array kDepths{8, 10, 12, 14}; // of cameras
    const auto* const depth = std::ranges::lower_bound(kDepths, mostBits);
    if (mostBits == 0 || depth == kDepths.end()) {
        return {};
    }
    return fmt::format(
        "the PNGs of 16 bits have no value above {}, so that only {} of 256 levels are used; if "
        "their camera has {} bits, set dataset.bits = {}",
        (1 << *depth) - 1, std::max(1, 1 << (*depth - 8)), *depth, *depth);
}

void checkWhole(std::span<const std::byte> file, const std::string& name)
{
    ColourImage ignored;
    decodeColours(file, name, {.divisor = kMostDivisor, .rules = {.isTurned = false}}, ignored);
}

int divisorFor(const ImageSize& size, const ImageSize& wanted)
{
    int divisor = 1;
    while (divisor < kMostDivisor && size.height >= wanted.height * divisor * 2
           && size.width >= wanted.width * divisor * 2) {
        divisor *= 2;
    }
    return divisor;
}

} // namespace lockstep
