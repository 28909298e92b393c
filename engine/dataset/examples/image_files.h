// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/data_account.h"
#include "dataset/files/folder_walk.h"

#include <filesystem>
#include <span>
#include <string>

namespace lockstep {

/// Whether a file is a JPEG, PNG or BMP, all that is decoded: where its ending says one of these it
/// is taken for it, damaged or not; any other file by its first bytes. False for one that can't be
/// read.
[[nodiscard]] bool isImageFile(const std::filesystem::path& file);

/// Counts a file that is no image, by its ending: ".webp", "without an ending".
void leaveOutByEnding(DataAccount& account, const std::string& name);
/// Counts what a walk left out; `prefix` goes before the names.
void leaveOut(
    DataAccount& account, std::span<const LeftOutFile> files, const std::string& prefix = {});

} // namespace lockstep
