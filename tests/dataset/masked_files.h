// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/gray_image.h"

#include <archive.h>
#include <archive_entry.h>
#include <turbojpeg.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>

namespace lockstep::test {

/// A grey picture that differs from number to number and is smooth, so that a JPEG keeps it nearly.
inline GrayImage smoothImage(std::int64_t height, std::int64_t width, int number)
{
    GrayImage image{height, width, {}};
    for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
            image.pixels.push_back(
                static_cast<std::uint8_t>((2 * y + x + std::int64_t{20} * number) % 200));
        }
    }
    return image;
}

/// A mask of zeros, with `value` in the pixels from (row, column) of a square of `side`.
inline GrayImage squareMask(std::int64_t height, std::int64_t width, std::uint8_t value)
{
    GrayImage mask{height, width, {}};
    mask.pixels.resize(static_cast<std::size_t>(height * width));
    for (std::int64_t y = height / 2; y < height / 2 + 2; ++y) {
        for (std::int64_t x = width / 2; x < width / 2 + 2; ++x) {
            mask.pixels[static_cast<std::size_t>(y * width + x)] = value;
        }
    }
    return mask;
}

inline void append(std::string& bytes, std::uint32_t value, int count)
{
    for (int i = 0; i < count; ++i) {
        bytes += static_cast<char>(value >> (8 * i) & 255U);
    }
}

/// An uncompressed BMP of 8 bits a pixel with a grey palette, as the labels of KolektorSDD are.
inline std::string bmpOf(const GrayImage& image)
{
    const auto width = static_cast<std::uint32_t>(image.width);
    const auto height = static_cast<std::uint32_t>(image.height);
    const std::uint32_t line = (width + 3) / 4 * 4;
    std::string bytes = "BM";
    append(bytes, 1078 + line * height, 4);
    append(bytes, 0, 4);
    append(bytes, 1078, 4); // where the pixels begin
    append(bytes, 40, 4);
    append(bytes, width, 4);
    append(bytes, height, 4);
    append(bytes, 1, 2);
    append(bytes, 8, 2);
    append(bytes, 0, 4);
    append(bytes, line * height, 4);
    append(bytes, 2835, 4);
    append(bytes, 2835, 4);
    append(bytes, 256, 4);
    append(bytes, 256, 4);
    for (std::uint32_t level = 0; level < 256; ++level) {
        append(bytes, level * 0x010101U, 4);
    }
    for (std::int64_t y = image.height - 1; y >= 0; --y) {
        const auto* row = reinterpret_cast<const char*>(image.pixels.data()) + y * image.width;
        bytes.append(row, static_cast<std::size_t>(width)).append(line - width, '\0');
    }
    return bytes;
}

inline std::string jpegOf(const GrayImage& image)
{
    tjhandle encoder = tjInitCompress();
    unsigned char* data = nullptr;
    unsigned long size = 0;
    tjCompress2(
        encoder, image.pixels.data(), static_cast<int>(image.width), 0,
        static_cast<int>(image.height), TJPF_GRAY, &data, &size, TJSAMP_GRAY, 95, 0);
    std::string bytes(reinterpret_cast<char*>(data), size);
    tjFree(data);
    tjDestroy(encoder);
    return bytes;
}

/// Files by name, and their content.
using Files = std::map<std::string, std::string>;

inline void writeFiles(const std::filesystem::path& folder, const Files& files)
{
    for (const auto& [name, content] : files) {
        std::filesystem::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << content;
    }
}

/// The bytes of a zip archive of these files.
inline std::string zipOf(const Files& files)
{
    archive* writer = archive_write_new();
    archive_write_set_format_zip(writer);
    std::size_t most = 65'536;
    for (const auto& [name, content] : files) {
        most += 2 * content.size() + 4096;
    }
    std::string bytes(most, '\0');
    std::size_t used = 0;
    archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
    for (const auto& [name, content] : files) {
        archive_entry* header = archive_entry_new();
        archive_entry_set_pathname(header, name.c_str());
        archive_entry_set_filetype(header, AE_IFREG);
        archive_entry_set_perm(header, 0644);
        archive_entry_set_size(header, static_cast<la_int64_t>(content.size()));
        archive_write_header(writer, header);
        archive_write_data(writer, content.data(), content.size());
        archive_entry_free(header);
    }
    if (archive_write_close(writer) != ARCHIVE_OK) {
        throw std::runtime_error("can't make a zip archive");
    }
    archive_write_free(writer);
    bytes.resize(used);
    return bytes;
}

/// Files as KolektorSDD has them: `items` items with a clean and a defective image each, sizes 40 x
/// 24 and, of odd items, 44 x 24.
inline Files kolektorFiles(int items)
{
    Files files;
    for (int item = 0; item < items; ++item) {
        const std::string folder = "KolektorSDD/kos0" + std::to_string(item) + "/";
        const std::int64_t height = item % 2 == 0 ? 40 : 44;
        for (int part = 0; part < 2; ++part) {
            const std::string name = folder + "Part" + std::to_string(part);
            const std::uint8_t mark = part == 1 ? 3 : 0;
            files[name + ".jpg"] = jpegOf(smoothImage(height, 24, 2 * item + part));
            files[name + "_label.bmp"] = bmpOf(squareMask(height, 24, mark));
        }
    }
    return files;
}

} // namespace lockstep::test
