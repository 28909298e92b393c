// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/colour_image.h"

#include "dataset/codecs/bmp_codec.h"
#include "dataset/codecs/image_codec.h"
#include "dataset/codecs/jpeg_codec.h"
#include "dataset/codecs/png_codec.h"

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

} // namespace

ImageSize readImageSize(std::span<const std::byte> file, const std::string& name)
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

void decodeColours(
    std::span<const std::byte> file, const std::string& name, const ColourRequest& request,
    ColourImage& image)
{
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        decodeJpeg(file, name, {JpegColours::Rgb, request.divisor, request.crop}, image);
    } else {
        decodeOther(file, name, kChannels, image);
        if (request.crop) {
            cutOut(*request.crop, image);
        }
    }
}

void checkWhole(std::span<const std::byte> file, const std::string& name)
{
    ColourImage ignored;
    decodeColours(file, name, {kMostDivisor}, ignored);
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
