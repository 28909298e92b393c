// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace lockstep {

/// One record of the binary layout: a label byte 0..9, then the red, the green and the blue plane
/// of 32 x 32 bytes each, row by row. There is no header
/// (https://www.cs.toronto.edu/~kriz/cifar.html).
inline constexpr std::int64_t kCifar10RecordBytes = 1 + 32 * 32 * 3;

/// Name of the folder that the official archive unpacks to.
inline constexpr const char* kCifar10FolderName = "cifar-10-batches-bin";

/// Reads one split of CIFAR-10 in its binary layout into memory (150 MB for train, 30 MB for test):
/// data_batch_1.bin .. data_batch_5.bin in this order, or test_batch.bin. `folder` holds these
/// files itself, or holds a folder `cifar-10-batches-bin` that does. A folder is accepted by
/// layout, sizes and labels, not by checksum; a file may hold any number of whole records but none
/// (the official ones hold 10,000), so that small sets can be made for demonstrations and tests;
/// other numbers are told.
/// Class names are those of batches.meta.txt if it holds ten different ones, else the official
/// ones. Throws Error(BadInput) for a folder that is not there, Error(Data) for a missing file, one
/// that does not hold whole records, and a label above 9; Error(Io) where the system refuses to
/// read.
std::unique_ptr<Dataset> openCifar10(const std::filesystem::path& folder, Split split);

/// The folder with the .bin files: `folder` or `folder/cifar-10-batches-bin`. Throws as
/// openCifar10.
std::filesystem::path locateCifar10(const std::filesystem::path& folder);

/// Whether `folder` itself holds any of the .bin files. Never throws.
[[nodiscard]] bool hasCifar10Files(const std::filesystem::path& folder) noexcept;

/// Whether `folder` would be found and has all files of both splits in whole records. Does not read
/// the labels and never throws: for offering what is there.
[[nodiscard]] bool looksLikeCifar10(const std::filesystem::path& folder) noexcept;

/// Opens both splits in turn, so throws whatever there is to throw.
void validateCifar10(const std::filesystem::path& folder);

} // namespace lockstep
