// SPDX-License-Identifier: Apache-2.0
#include "dataset/colour_image.h"

#include "dataset/image_codec.h"

#include <utility>

namespace lockstep {
namespace {

constexpr int kMostDivisor = 8;

} // namespace

ImageSize readImageSize(std::span<const std::byte> file, const std::string& name)
{
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        const JpegHeader header = readJpegHeader(file, name);
        return {header.height, header.width};
    }
    const DecodedValues header = readOtherHeader(file, name);
    return {header.height, header.width};
}

void decodeColours(
    std::span<const std::byte> file, const std::string& name, int divisor, ColourImage& image)
{
    DecodedValues decoded{0, 0, std::move(image.pixels)};
    if (imageFormatOf(file, name) == ImageFormat::Jpeg) {
        decodeJpeg(file, name, JpegColours::Rgb, divisor, decoded);
    } else {
        decodeOther(file, name, 3, decoded);
    }
    image = {decoded.height, decoded.width, std::move(decoded.values)};
}

void checkWhole(std::span<const std::byte> file, const std::string& name)
{
    ColourImage ignored;
    decodeColours(file, name, kMostDivisor, ignored);
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
