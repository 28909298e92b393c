// SPDX-License-Identifier: Apache-2.0
#include "dataset/image_codec.h"

#include "base/error.h"

#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string_view>

// The library is its header: this is the one file that compiles it, with the formats that we read.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>

namespace lockstep {
namespace {

using namespace std::string_view_literals;

constexpr int kMostPixels = STBI_MAX_DIMENSIONS; // a side
constexpr int kInks = 4;

std::string_view textOf(std::span<const std::byte> file)
{
    return {reinterpret_cast<const char*>(file.data()), file.size()};
}

struct FreeJpeg
{
    void operator()(void* decoder) const { tjDestroy(decoder); }
};
using JpegDecoder = std::unique_ptr<void, FreeJpeg>;

JpegDecoder makeJpegDecoder()
{
    JpegDecoder decoder(tjInitDecompress());
    require(decoder != nullptr, "libjpeg-turbo makes a decoder");
    return decoder;
}

const unsigned char* jpegBytes(std::span<const std::byte> file)
{
    return reinterpret_cast<const unsigned char*>(file.data());
}

/// Whether the library's warning is of something that it need not guess any pixel for. Such files
/// are not rare; a file that is cut short is a warning, too.
bool isHarmless(void* decoder)
{
    constexpr std::array kHarmless{
        "extraneous bytes"sv, "Invalid SOS parameters"sv, "JFIF revision"sv};
    const std::string_view warning = tjGetErrorStr2(decoder);
    return tjGetErrorCode(decoder) == TJERR_WARNING
           && std::ranges::any_of(kHarmless, [&](std::string_view text) {
                  return warning.find(text) != std::string_view::npos;
              });
}

JpegHeader readHeader(void* decoder, std::span<const std::byte> file, const std::string& name)
{
    int width = 0;
    int height = 0;
    int sampling = 0;
    int colours = 0;
    if (tjDecompressHeader3(
            decoder, jpegBytes(file), file.size(), &width, &height, &sampling, &colours)
            != 0
        && !isHarmless(decoder)) {
        refuseImage(name, tjGetErrorStr2(decoder));
    }
    if (width > kMostPixels || height > kMostPixels) {
        refuseImage(name, "a side of more than 16384 pixels");
    }
    return {height, width, colours == TJCS_CMYK || colours == TJCS_YCCK};
}

/// Whether a segment of Adobe's (APP14) stands before the image: then inks are stored as 255 minus
/// their amount.
bool isFromAdobe(std::span<const std::byte> file)
{
    constexpr std::size_t kStart = 2; // SOI
    constexpr std::size_t kMarker = 2;
    constexpr unsigned kStartOfScan = 0xDA;
    constexpr unsigned kApp14 = 0xEE;
    const auto at = [&](std::size_t place) { return std::to_integer<unsigned>(file[place]); };
    std::size_t place = kStart;
    while (place + 2 * kMarker <= file.size() && at(place) == 0xFF
           && at(place + 1) != kStartOfScan) {
        const std::string_view segment = textOf(file.subspan(place + 2 * kMarker));
        if (at(place + 1) == kApp14 && segment.starts_with("Adobe"sv)) {
            return true;
        }
        place += kMarker + (at(place + kMarker) << 8U) + at(place + kMarker + 1);
    }
    return false;
}

/// From four inks to three colours, in place; what is left behind them is cut off.
void inksToColours(std::vector<std::uint8_t>& values, bool isInverted)
{
    constexpr unsigned kFull = 255;
    const std::size_t pixels = values.size() / kInks;
    for (std::size_t i = 0; i < pixels; ++i) {
        const auto light = [&](std::size_t ink) -> unsigned {
            const unsigned value = values[i * kInks + ink];
            return isInverted ? value : kFull - value;
        };
        const std::array<unsigned, kInks> lights{light(0), light(1), light(2), light(3)};
        for (std::size_t c = 0; c < 3; ++c) {
            values[i * 3 + c] =
                static_cast<std::uint8_t>((lights[c] * lights[3] + kFull / 2) / kFull);
        }
    }
    values.resize(pixels * 3);
}

int bytesOf(std::span<const std::byte> file, const std::string& name)
{
    if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        refuseImage(name, "more than 2 GiB");
    }
    return static_cast<int>(file.size());
}

const stbi_uc* otherBytes(std::span<const std::byte> file)
{
    return reinterpret_cast<const stbi_uc*>(file.data());
}

/// Of stb, which frees what it has given with std::free.
struct FreeValues
{
    void operator()(void* values) const { stbi_image_free(values); }
};

/// A BMP says at its start how long it is; the library makes up what is missing.
void checkLength(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::size_t kHeader = 14;
    if (!textOf(file).starts_with("BM"sv)) {
        return;
    }
    std::size_t length = kHeader;
    if (file.size() >= kHeader) {
        length = std::to_integer<std::size_t>(file[2]) | std::to_integer<std::size_t>(file[3]) << 8U
                 | std::to_integer<std::size_t>(file[4]) << 16U
                 | std::to_integer<std::size_t>(file[5]) << 24U;
    }
    if (file.size() < length) {
        refuseImage(name, "it is cut short");
    }
}

std::size_t valuesOf(std::int64_t height, std::int64_t width, int channels)
{
    return static_cast<std::size_t>(height * width * channels);
}

} // namespace

ImageFormat imageFormatOf(std::span<const std::byte> file, const std::string& name)
{
    const std::string_view bytes = textOf(file);
    if (bytes.empty()) {
        fail(ErrorCode::Data, "{}: the file is empty; get it again", name);
    }
    if (bytes.starts_with("\xFF\xD8\xFF"sv)) {
        return ImageFormat::Jpeg;
    }
    if (bytes.starts_with("\x89PNG\r\n\x1A\n"sv)) {
        return ImageFormat::Png;
    }
    if (bytes.starts_with("BM"sv)) {
        return ImageFormat::Bmp;
    }
    fail(
        ErrorCode::Data,
        "{}: is not a JPEG, PNG or BMP image, whatever its name says; replace it by one", name);
}

void refuseImage(const std::string& name, const char* reason)
{
    fail(
        ErrorCode::Data, "{}: the image is damaged ({}); get it again", name,
        reason != nullptr ? reason : "no reason given");
}

JpegHeader readJpegHeader(std::span<const std::byte> file, const std::string& name)
{
    return readHeader(makeJpegDecoder().get(), file, name);
}

void decodeJpeg(
    std::span<const std::byte> file, const std::string& name, JpegColours colours, int divisor,
    DecodedValues& into)
{
    const JpegDecoder decoder = makeJpegDecoder();
    const JpegHeader header = readHeader(decoder.get(), file, name);
    const bool isInks = header.hasInks && colours == JpegColours::Rgb;
    const auto scaled = [&](std::int64_t side) { return (side + divisor - 1) / divisor; };
    into.height = scaled(header.height);
    into.width = scaled(header.width);
    into.values.resize(
        valuesOf(into.height, into.width, isInks ? kInks : static_cast<int>(colours)));
    const int format = isInks ? TJPF_CMYK : colours == JpegColours::Grey ? TJPF_GRAY : TJPF_RGB;
    // The library takes the scale from the size.
    if (tjDecompress2(
            decoder.get(), jpegBytes(file), file.size(), into.values.data(),
            static_cast<int>(into.width), 0, static_cast<int>(into.height), format,
            TJFLAG_ACCURATEDCT)
            != 0
        && !isHarmless(decoder.get())) {
        refuseImage(name, tjGetErrorStr2(decoder.get()));
    }
    if (isInks) {
        inksToColours(into.values, isFromAdobe(file));
    }
}

DecodedValues readOtherHeader(std::span<const std::byte> file, const std::string& name)
{
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi_info_from_memory(otherBytes(file), bytesOf(file, name), &width, &height, &channels)
        == 0) {
        refuseImage(name, stbi_failure_reason());
    }
    return {height, width, {}};
}

void decodeOther(
    std::span<const std::byte> file, const std::string& name, int channels, DecodedValues& into)
{
    checkLength(file, name);
    int width = 0;
    int height = 0;
    int found = 0;
    const std::unique_ptr<stbi_uc, FreeValues> values(stbi_load_from_memory(
        otherBytes(file), bytesOf(file, name), &width, &height, &found, channels));
    if (!values) {
        refuseImage(name, stbi_failure_reason());
    }
    into.height = height;
    into.width = width;
    into.values.assign(values.get(), values.get() + valuesOf(height, width, channels));
}

WideValues decodeWide(std::span<const std::byte> file, const std::string& name)
{
    checkLength(file, name);
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_us, FreeValues> values(stbi_load_16_from_memory(
        otherBytes(file), bytesOf(file, name), &width, &height, &channels, 0));
    if (!values) {
        refuseImage(name, stbi_failure_reason());
    }
    return {
        height, width, channels, {values.get(), values.get() + valuesOf(height, width, channels)}};
}

} // namespace lockstep
