// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

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

/// What a run store looks like from outside: as long as this stays the same, so does what is read
/// from it.
struct StoreStamp
{
    /// Of WalIndexHdr (sqlite.org/walformat.html): a commit changes it, and changes it last, after
    /// its log was written and synced. Until then it is not to be seen by those who read.
    static constexpr std::size_t kIndexBytes = 48;

    FileStamp store;
    FileStamp log; ///< that SQLite keeps beside it
    std::array<char, kIndexBytes> index{};

    bool operator==(const StoreStamp&) const = default;
};

StoreStamp storeStamp(const std::filesystem::path& file);

/// The same of a run in its folder.
struct RunStamp
{
    std::optional<int> writer; ///< its process
    StoreStamp store;
    FileStamp configuration;
    FileStamp title;

    bool operator==(const RunStamp&) const = default;
};

RunStamp runStamp(const std::filesystem::path& folder);

} // namespace lockstep
