// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/exif_orientation.h"

#include "dataset/codecs/image_codec.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

constexpr int kAsStored = 1;
constexpr std::uint32_t kMostOrientation = 8;

/// A number of so many bytes; 0 behind the end.
std::uint32_t numberAt(
    std::string_view bytes, std::size_t at, int count, bool isLittleEndian = false)
{
    std::uint32_t number = 0;
    for (int i = 0; i < count; ++i) {
        const auto place = at + static_cast<std::size_t>(isLittleEndian ? count - 1 - i : i);
        const unsigned byte = place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0U;
        number = number << 8U | byte;
    }
    return number;
}

std::string_view partOf(std::string_view bytes, std::size_t at, std::size_t count)
{
    return at < bytes.size() ? bytes.substr(at, count) : std::string_view();
}

/// Of a block of EXIF: a header of TIFF and the entries of its first directory.
int orientationIn(std::string_view exif)
{
    constexpr std::uint32_t kTag = 0x0112;
    constexpr std::uint32_t kShort = 3;
    constexpr std::uint32_t kLong = 4;
    constexpr std::size_t kEntryBytes = 12;
    const bool isLittleEndian = exif.starts_with("II*\0"sv);
    if (!isLittleEndian && !exif.starts_with("MM\0*"sv)) {
        return kAsStored;
    }
    const auto number = [&](std::size_t at, int count) {
        return numberAt(exif, at, count, isLittleEndian);
    };
    const std::size_t directory = number(4, 4);
    const std::uint32_t entries = number(directory, 2);
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + i * kEntryBytes;
        if (entry + kEntryBytes > exif.size()) {
            break;
        }
        const std::uint32_t type = number(entry + 2, 2);
        if (number(entry, 2) == kTag && (type == kShort || type == kLong)) {
            const std::uint32_t said = number(entry + 8, type == kShort ? 2 : 4);
            return said <= kMostOrientation ? std::max(static_cast<int>(said), kAsStored)
                                            : kAsStored;
        }
    }
    return kAsStored;
}

/// The block of a JPEG; empty where there is none before its pixels.
std::string_view exifOfJpeg(std::string_view file)
{
    constexpr std::uint32_t kScan = 0xDA;
    constexpr std::uint32_t kApp1 = 0xE1;
    constexpr std::uint32_t kFill = 0xFF;
    constexpr std::string_view kName = "Exif\0\0"sv;
    std::size_t at = 2;
    while (at + 4 <= file.size()) {
        const std::uint32_t marker = numberAt(file, at + 1, 1);
        if (numberAt(file, at, 1) != kFill || marker == kFill || marker == 0) {
            ++at; // fill bytes, or stray ones, which the decoder lets pass
            continue;
        }
        const std::size_t length = numberAt(file, at + 2, 2);
        const std::string_view segment = partOf(file, at + 4, length < 2 ? 0 : length - 2);
        if (marker == kScan) {
            break;
        }
        if (marker == kApp1 && segment.starts_with(kName)) {
            return segment.substr(kName.size());
        }
        at += 2 + length;
    }
    return {};
}

std::string_view exifOfPng(std::string_view file)
{
    constexpr std::size_t kSignature = 8;
    constexpr std::size_t kBesides = 12; // length, type and checksum
    for (std::size_t at = kSignature; at + kBesides <= file.size();) {
        const std::size_t length = numberAt(file, at, 4);
        const std::string_view type = partOf(file, at + 4, 4);
        if (type == "eXIf"sv) {
            return partOf(file, at + 8, length);
        }
        if (type == "IDAT"sv) {
            break;
        }
        at += kBesides + length;
    }
    return {};
}

/// Where the pixels of a turned image stand in the stored one.
struct Steps
{
    std::int64_t first = 0;
    std::int64_t down = 0; ///< between neighbours in a column
    std::int64_t right = 0;
};

template<std::int64_t channels>
void copyPixels(const DecodedImage& from, const Steps& steps, DecodedImage& to)
{
    constexpr std::int64_t kRows = 32; // at once, whose places stay in the cache
    for (std::int64_t top = 0; top < to.height; top += kRows) {
        const std::int64_t bottom = std::min(top + kRows, to.height);
        for (std::int64_t column = 0; column < to.width; ++column) {
            for (std::int64_t row = top; row < bottom; ++row) {
                const std::int64_t place = steps.first + row * steps.down + column * steps.right;
                std::memcpy(
                    to.pixels.data() + (row * to.width + column) * channels,
                    from.pixels.data() + place * channels, channels);
            }
        }
    }
}

} // namespace

int exifOrientation(std::span<const std::byte> file, const PixelRules& rules)
{
    if (!rules.isTurned) {
        return kAsStored;
    }
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    return orientationIn(
        bytes.starts_with("\xFF\xD8"sv)  ? exifOfJpeg(bytes)
        : bytes.starts_with("\x89PNG"sv) ? exifOfPng(bytes)
                                         : std::string_view());
}

ExifTurn::ExifTurn(int orientation)
    : isTransposed(orientation >= 5),
      isUpsideDown(orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7),
      isMirrored(orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8)
{
}

ImageSize turnedSize(const ImageSize& stored, int orientation)
{
    return ExifTurn(orientation).isTransposed ? ImageSize{stored.width, stored.height} : stored;
}

CropBox storedCrop(const CropBox& turned, const ImageSize& stored, int orientation)
{
    const ExifTurn way(orientation);
    CropBox crop = turned;
    if (way.isTransposed) {
        std::swap(crop.row, crop.column);
        std::swap(crop.height, crop.width);
    }
    crop.row = way.isUpsideDown ? stored.height - crop.row - crop.height : crop.row;
    crop.column = way.isMirrored ? stored.width - crop.column - crop.width : crop.column;
    return crop;
}

void turnImage(DecodedImage& image, int channels, int orientation, const std::string& name)
{
    if (orientation == kAsStored) {
        return;
    }
    const ExifTurn way(orientation);
    const std::int64_t row = (way.isUpsideDown ? -1 : 1) * image.width;
    const std::int64_t column = way.isMirrored ? -1 : 1;
    const Steps steps{
        (way.isUpsideDown ? image.height - 1 : 0) * image.width
            + (way.isMirrored ? image.width - 1 : 0),
        way.isTransposed ? column : row, way.isTransposed ? row : column};
    const ImageSize size = turnedSize({image.height, image.width}, orientation);
    DecodedImage turned{size.height, size.width, {}};
    makeRoom(image.pixels.size(), name, turned.pixels);
    channels == 1 ? copyPixels<1>(image, steps, turned) : copyPixels<3>(image, steps, turned);
    image = std::move(turned);
}

} // namespace lockstep
