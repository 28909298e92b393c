// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"
#include "dataset/colour_files.h"
#include "dataset/examples/encoded_dataset.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lockstep::test {

/// A JPEG file whose red value, a multiple of 10, tells which one it is.
inline std::string numbered(int number, std::int64_t height = 20, std::int64_t width = 30)
{
    return jpegOf(flatImage(height, width, {static_cast<std::uint8_t>(number), 100, 100}));
}

/// The number of an example that numbered() made.
inline int numberOf(const EncodedDataset& dataset, std::int64_t index)
{
    EncodedImage encoded;
    dataset.read(index, encoded);
    ColourImage image;
    decodeColours(encoded.file, dataset.fullName(index), {}, image);
    return (image.pixels[0] + 5) / 10 * 10;
}

/// Writes a file, and the folders that it needs.
inline void write(const std::filesystem::path& file, const std::string& content)
{
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

/// Empty files, where nothing but their names is looked at.
inline void writeNames(const std::filesystem::path& folder, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        write(folder / name, "");
    }
}

} // namespace lockstep::test
