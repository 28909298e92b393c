// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

struct archive;
struct archive_entry;

namespace lockstep {

/// What an archive is expected to be.
enum class ArchiveKind {
    Tar, ///< plain or compressed, whatever libarchive knows
    Zip, ///< with its directory at the end: one that is cut short is refused as a whole
};

/// An archive being read, entry by entry. What is damaged throws Error(Data) that names the
/// archive.
class ArchiveReader
{
public:
    ArchiveReader(std::filesystem::path path, ArchiveKind kind);

    /// The next entry, valid until the one after it; null after the last. Content that was not read
    /// is skipped.
    archive_entry* next();
    /// Of the entry that was reached last: UTF-8, whatever the locale, or the bytes in the archive
    /// where they are no text. Empty before the first.
    [[nodiscard]] const std::string& name() const { return m_name; }
    /// Fills as much of `block` as there is content of the entry; returns how much.
    std::size_t read(std::span<std::byte> block);
    /// Bytes of the archive file used up so far.
    [[nodiscard]] std::int64_t position() const;

private:
    struct Free
    {
        void operator()(archive* reader) const;
    };

    void check(int result) const;

    std::filesystem::path m_path;
    std::unique_ptr<archive, Free> m_archive;
    std::string m_name;
};

} // namespace lockstep
