// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace lockstep::test {

/// Names of the six files of the CIFAR-10 binary layout; the last is the test split.
inline constexpr std::array<const char*, 6> kCifar10Files{"data_batch_1.bin", "data_batch_2.bin",
                                                          "data_batch_3.bin", "data_batch_4.bin",
                                                          "data_batch_5.bin", "test_batch.bin"};

/// One record of the CIFAR-10 binary layout: a label byte and three planes of 1024 bytes.
using Cifar10Record = std::vector<std::uint8_t>;

/// A record whose planes each have one value throughout.
inline Cifar10Record constantCifar10Record(
    std::uint8_t label, std::uint8_t red, std::uint8_t green, std::uint8_t blue)
{
    Cifar10Record record{label};
    for (const std::uint8_t value : {red, green, blue}) {
        record.insert(record.end(), 1024, value);
    }
    return record;
}

/// A record that differs from those of other numbers in every plane; its label is number % 10.
/// Byte i of the picture is (7 * number + 3 * i + i / 256) % 256.
inline Cifar10Record patternedCifar10Record(int number)
{
    Cifar10Record record{static_cast<std::uint8_t>(number % 10)};
    for (int i = 0; i < 3072; ++i) {
        record.push_back(static_cast<std::uint8_t>((7 * number + 3 * i + i / 256) % 256));
    }
    return record;
}

inline void writeBytes(const std::filesystem::path& path, const std::vector<std::uint8_t>& bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(
        reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error("can't write " + path.string());
    }
}

/// Writes one .bin file.
inline void writeCifar10File(
    const std::filesystem::path& path, const std::vector<Cifar10Record>& records)
{
    std::vector<std::uint8_t> bytes;
    for (const auto& record : records) {
        bytes.insert(bytes.end(), record.begin(), record.end());
    }
    writeBytes(path, bytes);
}

/// Makes `folder` a small valid CIFAR-10 folder: five training files and a test file of
/// `recordsPerFile` patterned records each, numbered through from 0 over all six files.
inline void writeCifar10Folder(const std::filesystem::path& folder, int recordsPerFile)
{
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const char* name : kCifar10Files) {
        std::vector<Cifar10Record> records;
        records.reserve(static_cast<std::size_t>(recordsPerFile));
        for (int i = 0; i < recordsPerFile; ++i) {
            records.push_back(patternedCifar10Record(number++));
        }
        writeCifar10File(folder / name, records);
    }
}

} // namespace lockstep::test
