// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/image_codec.h"

#include "base/error.h"
#include "dataset/codecs/bmp_codec.h"
#include "dataset/codecs/png_codec.h"

#include <new>
#include <string_view>

namespace lockstep {

using namespace std::string_view_literals;

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
    fail(
        ErrorCode::Data,
        "{}: is not a JPEG, PNG or BMP image, whatever its name says; replace it by one", name);
}

void refuseImage(const std::string& name, const char* reason)
{
    fail(ErrorCode::Data, "{}: the image is damaged ({}); get it again", name, reason);
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
            "{}: its header claims {} x {} pixels; an image may have {} a side and {} million in "
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
