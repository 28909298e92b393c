// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/image_files.h"

#include "dataset/files/file_bytes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace lockstep {
namespace {

using namespace std::string_view_literals;
namespace fs = std::filesystem;

/// Of a bitmap's headers, in bytes; "BM" alone begins many a text.
constexpr std::array<std::uint8_t, 7> kBitmapHeaders{12, 40, 52, 56, 64, 108, 124};
constexpr std::size_t kStart = 18;
/// A longer one is none: "jpg?size=large".
constexpr std::size_t kLongestEnding = 6;

bool startsAsImage(std::string_view start)
{
    const bool isBitmap = start.size() == kStart && start.starts_with("BM"sv)
                          && start.substr(6, 4) == "\0\0\0\0"sv && start.substr(15, 3) == "\0\0\0"sv
                          && std::ranges::find(kBitmapHeaders, static_cast<std::uint8_t>(start[14]))
                                 != kBitmapHeaders.end();
    return isBitmap || start.starts_with("\xFF\xD8\xFF"sv)
           || start.starts_with("\x89PNG\r\n\x1A\n"sv);
}

} // namespace

bool isImageFile(const fs::path& file)
{
    if (endsIn(file, {".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".bmp", ".dib"})) {
        return true;
    }
    std::array<char, kStart> start{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(start.data(), start.size());
    return startsAsImage({start.data(), static_cast<std::size_t>(stream.gcount())});
}

void leaveOutByEnding(DataAccount& account, const std::string& name)
{
    const std::string ending = lowerCase(fs::path(name).extension().string());
    const bool isPlain = ending.size() > 1 && ending.size() <= kLongestEnding
                         && std::all_of(ending.begin() + 1, ending.end(), [](unsigned char c) {
                                return std::isalnum(c) != 0;
                            });
    account.leaveOut(
        ending.empty() ? "without an ending"
        : isPlain      ? ending
                       : "of unknown endings",
        name);
}

void leaveOut(DataAccount& account, std::span<const LeftOutFile> files, const std::string& prefix)
{
    for (const LeftOutFile& file : files) {
        account.leaveOut(file.kind, prefix + file.name);
    }
}

} // namespace lockstep
