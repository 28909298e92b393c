// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/image_codec.h"

#include "base/error.h"
#include "dataset/codecs/bmp_codec.h"
#include "dataset/codecs/png_codec.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <new>
#include <string_view>

namespace lockstep {

using namespace std::string_view_literals;

namespace {

/// What else people have, whatever its name says, by its first bytes.
struct OtherFile
{
    std::size_t place;
    std::string_view bytes;
    const char* name;
};

constexpr std::array kOtherImages{
    OtherFile{0, "GIF8"sv, "a GIF image"},
    OtherFile{8, "WEBP"sv, "a WebP image"},
    OtherFile{0, "II*\0"sv, "a TIFF image"},
    OtherFile{0, "MM\0*"sv, "a TIFF image"},
    OtherFile{0, "II+\0"sv, "a TIFF image"},
    OtherFile{0, "MM\0+"sv, "a TIFF image"},
    OtherFile{4, "ftypavi"sv, "an AVIF image"},
    OtherFile{4, "ftyphe"sv, "a HEIC image"},
    OtherFile{4, "ftypmif1"sv, "a HEIC image"},
    OtherFile{4, "ftypmsf1"sv, "a HEIC image"},
    OtherFile{0, "\0\0\0\x0CjP  "sv, "a JPEG 2000 image"},
    OtherFile{0, "\xFF\x4F\xFF\x51"sv, "a JPEG 2000 image"},
    OtherFile{0, "\0\0\0\x0CJXL "sv, "a JPEG XL image"},
    OtherFile{0, "\xFF\x0A"sv, "a JPEG XL image"},
    OtherFile{0, "8BPS"sv, "a Photoshop image"},
    OtherFile{0, "\0\0\1\0"sv, "an icon"},
    OtherFile{0, "P4\n"sv, "a PBM image"},
    OtherFile{0, "P5\n"sv, "a PGM image"},
    OtherFile{0, "P6\n"sv, "a PPM image"},
    OtherFile{0, "qoif"sv, "a QOI image"},
    OtherFile{0, "v/1\1"sv, "an OpenEXR image"},
    OtherFile{0, "SIMPLE  ="sv, "a FITS image"},
    OtherFile{128, "DICM"sv, "a DICOM image"}};

/// Of what is text or none of an image, in small letters.
constexpr std::array kNoImages{
    OtherFile{0, "<!doctype html"sv, "a web page"},
    OtherFile{0, "<html"sv, "a web page"},
    OtherFile{0, "<svg"sv, "an SVG drawing"},
    OtherFile{0, "%pdf"sv, "a PDF document"},
    OtherFile{0, "version https://git-lfs"sv, "a pointer of Git LFS"},
    OtherFile{0, "pk\3\4"sv, "a zip archive"},
    OtherFile{0, "\x1F\x8B"sv, "compressed by gzip"}};

const char* nameOf(std::span<const OtherFile> kinds, std::string_view bytes)
{
    const auto found = std::ranges::find_if(kinds, [&](const OtherFile& kind) {
        return bytes.size() >= kind.place && bytes.substr(kind.place).starts_with(kind.bytes);
    });
    return found == kinds.end() ? nullptr : found->name;
}

/// What a text begins with, without blanks and a mark of its encoding.
std::string smallLettersOf(std::string_view bytes)
{
    constexpr std::size_t kLooked = 256;
    bytes = bytes.substr(0, kLooked);
    bytes.remove_prefix(bytes.starts_with("\xEF\xBB\xBF"sv) ? 3 : 0);
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"sv), bytes.size()));
    std::string text(bytes);
    std::ranges::transform(text, text.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return text;
}

[[noreturn]] void refuseOther(std::string_view bytes, const std::string& name)
{
    const std::string text = smallLettersOf(bytes);
    if (const char* const image = nameOf(kOtherImages, bytes)) {
        fail(ErrorCode::Data, "{}: is {}, not a JPEG, PNG or BMP; convert it", name, image);
    }
    if (const char* const other = nameOf(kNoImages, text)) {
        fail(ErrorCode::Data, "{}: is {}, not an image; get the image itself", name, other);
    }
    fail(
        ErrorCode::Data,
        "{}: is not a JPEG, PNG or BMP image, whatever its name says; replace it by one", name);
}

} // namespace

ImageFormat imageFormatOf(std::span<const std::byte> file, const std::string& name)
{
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
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
    refuseOther(bytes, name);
}

void refuseImage(const std::string& name, const char* reason)
{
    fail(ErrorCode::Data, "{}: the image is damaged ({}); get it again", name, reason);
}

void refuseUnsupported(const std::string& name, const char* what)
{
    fail(
        ErrorCode::Data, "{}: {} not supported; save it as a usual JPEG or PNG, 8 bits a sample",
        name, what);
}

void refuseForMemory(const std::string& name)
{
    fail(
        ErrorCode::OutOfMemory,
        "{}: there is not enough memory to decode it; close other programs, or give fewer loader "
        "threads (input.threads)",
        name);
}

void checkSize(const ImageSize& size, const std::string& name)
{
    if (size.height < 1 || size.width < 1) {
        refuseImage(name, "it has no pixels");
    }
    if (size.height > kMostSide || size.width > kMostSide
        || size.height * size.width > kMostPixels) {
        fail(
            ErrorCode::Data,
            "{}: its header claims {} × {} pixels; an image may have {} a side and {} million in "
            "all, so make it smaller, or get it again",
            name, size.width, size.height, kMostSide, kMostPixels / 1'000'000);
    }
}

void makeRoom(std::size_t values, const std::string& name, std::vector<std::uint8_t>& room)
{
    try {
        if (values > room.capacity()) {
            // Given back first: a vector that grows by itself has the old and the new at once.
            std::vector<std::uint8_t>().swap(room);
            room.reserve(values);
        }
        room.resize(values);
    } catch (const std::bad_alloc&) {
        refuseForMemory(name);
    }
}

void decodeOther(
    std::span<const std::byte> file, const std::string& name, int channels, int bits,
    DecodedImage& into)
{
    if (imageFormatOf(file, name) == ImageFormat::Png) {
        decodePng(file, name, channels, bits, into);
    } else {
        decodeBmp(file, name, channels, into);
    }
}

WideValues decodeWide(std::span<const std::byte> file, const std::string& name)
{
    return imageFormatOf(file, name) == ImageFormat::Png ? decodeWidePng(file, name)
                                                         : decodeWideBmp(file, name);
}

} // namespace lockstep
