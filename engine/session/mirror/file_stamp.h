// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lockstep {

/// What a file looks like from outside: as long as this stays the same, so does its content.
struct FileStamp
{
    std::int64_t number = -1; ///< of its inode; -1: there is no file
    std::int64_t bytes = 0;
    std::int64_t nanoseconds = 0; ///< since 1970, when it was last written

    bool operator==(const FileStamp&) const = default;
};

FileStamp fileStamp(const std::filesystem::path& file);

/// Of a run store, which may have a log beside it.
std::vector<FileStamp> storeStamp(const std::filesystem::path& file);

} // namespace lockstep
