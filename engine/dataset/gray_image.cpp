// SPDX-License-Identifier: Apache-2.0
#include "dataset/gray_image.h"

#include "base/error.h"

#include <turbojpeg.h>

#include <algorithm>
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

enum class FileKind { Jpeg, Png, Bmp };

FileKind kindOf(std::span<const std::byte> file, const std::string& name)
{
    const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
    if (bytes.empty()) {
        fail(ErrorCode::Data, "{}: the file is empty; get it again", name);
    }
    if (bytes.starts_with("\xFF\xD8\xFF"sv)) {
        return FileKind::Jpeg;
    }
    if (bytes.starts_with("\x89PNG\r\n\x1A\n"sv)) {
        return FileKind::Png;
    }
    if (bytes.starts_with("BM"sv)) {
        return FileKind::Bmp;
    }
    fail(
        ErrorCode::Data,
        "{}: is not a JPEG, PNG or BMP image, whatever its name says; replace it by one", name);
}

[[noreturn]] void refuse(const std::string& name, const char* reason)
{
    fail(
        ErrorCode::Data, "{}: the image is damaged ({}); get it again", name,
        reason != nullptr ? reason : "no reason given");
}

struct FreeJpeg
{
    void operator()(void* decoder) const { tjDestroy(decoder); }
};

GrayImage decodeJpeg(std::span<const std::byte> file, const std::string& name)
{
    const std::unique_ptr<void, FreeJpeg> decoder(tjInitDecompress());
    require(decoder != nullptr, "libjpeg-turbo makes a decoder");
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    int width = 0;
    int height = 0;
    int sampling = 0;
    int colours = 0;
    if (tjDecompressHeader3(decoder.get(), bytes, file.size(), &width, &height, &sampling, &colours)
        != 0) {
        refuse(name, tjGetErrorStr2(decoder.get()));
    }
    if (width > kMostPixels || height > kMostPixels) {
        refuse(name, "a side of more than 16384 pixels");
    }
    GrayImage image{height, width, {}};
    image.pixels.resize(static_cast<std::size_t>(image.height * image.width));
    // A file that is cut short is a warning to the library, which makes up the rest.
    if (tjDecompress2(
            decoder.get(), bytes, file.size(), image.pixels.data(), width, 0, height, TJPF_GRAY, 0)
        != 0) {
        refuse(name, tjGetErrorStr2(decoder.get()));
    }
    return image;
}

int bytesOf(std::span<const std::byte> file, const std::string& name)
{
    if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        refuse(name, "more than 2 GiB");
    }
    return static_cast<int>(file.size());
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
    std::size_t length = kHeader;
    if (file.size() >= kHeader) {
        length = std::to_integer<std::size_t>(file[2]) | std::to_integer<std::size_t>(file[3]) << 8U
                 | std::to_integer<std::size_t>(file[4]) << 16U
                 | std::to_integer<std::size_t>(file[5]) << 24U;
    }
    if (file.size() < length) {
        refuse(name, "it is cut short");
    }
}

GrayImage decodeOther(std::span<const std::byte> file, const std::string& name)
{
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_uc, FreeValues> values(stbi_load_from_memory(
        reinterpret_cast<const stbi_uc*>(file.data()), bytesOf(file, name), &width, &height,
        &channels, STBI_grey));
    if (!values) {
        refuse(name, stbi_failure_reason());
    }
    const auto count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    return {height, width, {values.get(), values.get() + count}};
}

} // namespace

GrayImage decodeGray(std::span<const std::byte> file, const std::string& name)
{
    const FileKind kind = kindOf(file, name);
    if (kind == FileKind::Bmp) {
        checkLength(file, name);
    }
    return kind == FileKind::Jpeg ? decodeJpeg(file, name) : decodeOther(file, name);
}

GrayImage decodeMask(std::span<const std::byte> file, const std::string& name)
{
    const FileKind kind = kindOf(file, name);
    if (kind == FileKind::Bmp) {
        checkLength(file, name);
    }
    if (kind == FileKind::Jpeg) {
        fail(
            ErrorCode::Data,
            "{}: is a JPEG, whose compression leaves marks where there were none; a label has to "
            "be a BMP or PNG",
            name);
    }
    int width = 0;
    int height = 0;
    int channels = 0;
    // 16 bits, so that nothing small becomes zero.
    const std::unique_ptr<stbi_us, FreeValues> values(stbi_load_16_from_memory(
        reinterpret_cast<const stbi_uc*>(file.data()), bytesOf(file, name), &width, &height,
        &channels, 0));
    if (!values) {
        refuse(name, stbi_failure_reason());
    }
    GrayImage mask{height, width, {}};
    mask.pixels.resize(static_cast<std::size_t>(mask.height * mask.width));
    const bool hasAlpha = channels % 2 == 0;
    const stbi_us* pixel = values.get();
    for (std::uint8_t& mark : mask.pixels) {
        const auto isMarked = std::any_of(
            pixel, pixel + channels - (hasAlpha ? 1 : 0), [](stbi_us value) { return value != 0; });
        mark = isMarked ? 1 : 0;
        pixel += channels;
    }
    return mask;
}

} // namespace lockstep
