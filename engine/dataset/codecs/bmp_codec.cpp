// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/bmp_codec.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

// The library is its header: this is the one file that compiles it, with the format that we read.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STBI_MAX_DIMENSIONS 16384
#include <stb/stb_image.h>

namespace lockstep {
namespace {

static_assert(STBI_MAX_DIMENSIONS == kMostSide);

int bytesOf(std::span<const std::byte> file, const std::string& name)
{
    if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        refuseImage(name, "more than 2 GiB");
    }
    return static_cast<int>(file.size());
}

const stbi_uc* dataOf(std::span<const std::byte> file)
{
    return reinterpret_cast<const stbi_uc*>(file.data());
}

[[noreturn]] void refuse(const std::string& name)
{
    const char* reason = stbi_failure_reason();
    if (reason == nullptr) {
        reason = "no reason given";
    }
    if (reason == std::string_view("outofmem")) {
        refuseForMemory(name);
    }
    refuseImage(name, reason);
}

/// Of stb, which frees what it has given with std::free.
struct FreeValues
{
    void operator()(void* values) const { stbi_image_free(values); }
};

constexpr std::size_t kFileHeader = 14;
constexpr std::size_t kOldHeader = 12; // of OS/2

/// What a BMP has written at a place; 0 behind its end.
std::uint32_t storedNumber(std::span<const std::byte> file, std::size_t at, std::size_t bytes)
{
    std::uint32_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) {
        value = value << 8U
                | (at + i < file.size() ? std::to_integer<std::uint32_t>(file[at + i]) : 0U);
    }
    return value;
}

std::uint32_t bitsOf(std::span<const std::byte> file)
{
    return storedNumber(file, storedNumber(file, kFileHeader, 4) == kOldHeader ? 24 : 28, 2);
}

/// Names what the library can't read, which it calls unknown.
void checkKind(std::span<const std::byte> file, const std::string& name)
{
    constexpr std::array<std::uint32_t, 5> kRead{kOldHeader, 40, 56, 108, 124};
    constexpr std::array<std::uint32_t, 3> kOthers{16, 52, 64}; // OS/2, and a draft of Windows
    constexpr std::uint32_t kMasks = 3;                         // no compression, as 0
    const std::uint32_t header = storedNumber(file, kFileHeader, 4);
    if (file.size() < kFileHeader + kOldHeader || file.size() < kFileHeader + header) {
        refuseImage(name, "it is cut short");
    }
    if (std::ranges::find(kOthers, header) != kOthers.end()) {
        refuseUnsupported(name, "a BMP with this header is");
    }
    if (std::ranges::find(kRead, header) == kRead.end()) {
        refuseImage(name, "its header is of no BMP");
    }
    const std::uint32_t compression = header == kOldHeader ? 0 : storedNumber(file, 30, 4);
    if (compression != 0 && compression != kMasks) {
        refuseUnsupported(name, "compressed BMP is");
    }
    constexpr std::array<std::uint32_t, 6> kBits{1, 4, 8, 16, 24, 32};
    if (std::ranges::find(kBits, bitsOf(file)) == kBits.end()) {
        refuseUnsupported(name, "a BMP of so many bits a pixel is");
    }
}

/// The library makes up what is missing. What a file says of its length is wrong in many whole ones
/// and nothing that others read: its pixels count.
void checkLength(std::span<const std::byte> file, const ImageSize& size, const std::string& name)
{
    constexpr std::uint64_t kPadding = 32; // bits, of a row
    const auto bits = static_cast<std::uint64_t>(size.width) * bitsOf(file);
    const std::uint64_t row = (bits + kPadding - 1) / kPadding * (kPadding / 8);
    if (file.size() < storedNumber(file, 10, 4) + row * static_cast<std::uint64_t>(size.height)) {
        refuseImage(name, "it is cut short");
    }
}

constexpr std::uint16_t kByte = 255;

/// Lets each entry of a BMP's palette be a grey of its number, which is what the library then makes
/// of the indices; the colours that stood there. Empty for a BMP without palette.
std::vector<std::array<std::uint8_t, 3>> numberColours(std::span<std::byte> file)
{
    const std::size_t header = storedNumber(file, kFileHeader, 4);
    if (bitsOf(file) > 8) {
        return {};
    }
    const auto pixels = std::min<std::size_t>(storedNumber(file, 10, 4), file.size());
    const std::size_t entryBytes = header == kOldHeader ? 3 : 4; // which has no fourth byte
    std::vector<std::array<std::uint8_t, 3>> palette;
    for (std::size_t at = kFileHeader + header;
         at + entryBytes <= pixels && palette.size() <= kByte; at += entryBytes) {
        std::array<std::uint8_t, 3> colour{};
        for (std::size_t i = 0; i < colour.size(); ++i) { // blue comes first
            colour[colour.size() - 1 - i] = std::to_integer<std::uint8_t>(file[at + i]);
            file[at + i] = static_cast<std::byte>(palette.size());
        }
        palette.push_back(colour);
    }
    return palette;
}

std::size_t valuesOf(std::int64_t height, std::int64_t width, int channels)
{
    return static_cast<std::size_t>(height * width * channels);
}

} // namespace

void checkBmpLength(std::span<const std::byte> file, const std::string& name)
{
    checkLength(file, readBmpSize(file, name), name);
}

ImageSize readBmpSize(std::span<const std::byte> file, const std::string& name)
{
    checkKind(file, name);
    int width = 0;
    int height = 0;
    int channels = 0;
    if (stbi_info_from_memory(dataOf(file), bytesOf(file, name), &width, &height, &channels) == 0) {
        refuse(name);
    }
    // A negative height says that the rows come from the top.
    const ImageSize size{std::abs(height), width};
    checkSize(size, name);
    return size;
}

void decodeBmp(
    std::span<const std::byte> file, const std::string& name, int channels, DecodedImage& into)
{
    checkLength(file, readBmpSize(file, name), name);
    int width = 0;
    int height = 0;
    int found = 0;
    const std::unique_ptr<stbi_uc, FreeValues> values(stbi_load_from_memory(
        dataOf(file), bytesOf(file, name), &width, &height, &found, channels));
    if (!values) {
        refuse(name);
    }
    into.height = height;
    into.width = width;
    makeRoom(valuesOf(height, width, channels), name, into.pixels);
    std::copy_n(values.get(), into.pixels.size(), into.pixels.data());
}

WideValues decodeWideBmp(std::span<const std::byte> file, const std::string& name)
{
    checkLength(file, readBmpSize(file, name), name);
    std::vector<std::byte> indexed(file.begin(), file.end());
    auto palette = numberColours(indexed);
    const bool isIndexed = !palette.empty();
    int width = 0;
    int height = 0;
    int channels = 0;
    const std::unique_ptr<stbi_us, FreeValues> read(stbi_load_16_from_memory(
        dataOf(indexed), bytesOf(file, name), &width, &height, &channels, isIndexed ? 1 : 0));
    if (!read) {
        refuse(name);
    }
    channels = isIndexed ? 1 : channels;
    std::vector<std::uint16_t> values(read.get(), read.get() + valuesOf(height, width, channels));
    for (std::uint16_t& value : values) {
        value = isIndexed ? value & kByte : value;
    }
    return {height, width, channels, std::move(values), std::move(palette)};
}

} // namespace lockstep
