// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

// Files of a data set as bytes. What goes wrong throws Error(Io) that names the file, too little
// memory Error(OutOfMemory).

/// No image of a data set is larger; a damaged file may say so.
inline constexpr std::int64_t kMostFileBytes = std::int64_t{1} << 28U;

[[nodiscard]] std::string lowerCase(std::string_view text);
/// Whether a file's name ends in one of these, such as ".jpg", in upper or lower case.
[[nodiscard]] bool endsIn(
    const std::filesystem::path& name, std::initializer_list<std::string_view> extensions);
/// The names of the entries of a folder for which `isWanted` holds, sorted.
[[nodiscard]] std::vector<std::string> namesIn(
    const std::filesystem::path& folder,
    const std::function<bool(const std::filesystem::directory_entry&)>& isWanted);
/// With those above it, where they are not there.
void makeFolder(const std::filesystem::path& folder);
std::int64_t fileBytes(const std::filesystem::path& path);

/// Reads `count` bytes from `offset` on into `bytes`, whose memory is used again. Fewer is an
/// error.
void readFilePart(
    const std::filesystem::path& path, std::int64_t offset, std::int64_t count,
    std::vector<std::byte>& bytes);

/// Throws Error(Data) that begins with `name` for more than kMostFileBytes.
void checkFileBytes(std::int64_t bytes, const std::string& name);
/// Throws as checkFileBytes, too.
void readWholeFile(const std::filesystem::path& path, std::vector<std::byte>& bytes);

} // namespace lockstep
