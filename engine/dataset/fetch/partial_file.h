// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lockstep {

/// The beginning of a file that is being fetched, and the mark (an HTTP entity tag) of the version
/// it is the beginning of, kept beside it as `<path>.etag`. It outlives the program, so that
/// fetching can go on later; an empty one is removed at the end of the scope. Only one process at a
/// time can have it. Every failure throws Error(Io) that names the file. Not thread-safe.
class PartialFile
{
public:
    /// Opens what is there, or makes it. Throws if another process has it.
    explicit PartialFile(std::filesystem::path path);
    ~PartialFile();
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return m_path; }
    /// Bytes so far.
    [[nodiscard]] std::int64_t size() const noexcept { return m_size; }
    /// The mark that restart() was given, or nothing.
    [[nodiscard]] std::string entityTag() const;

    /// Throws away what is there; what is appended from now on is of the version with this mark.
    void restart(const std::string& entityTag);
    void append(std::span<const std::byte> bytes);
    /// Returns when all is on disk.
    void sync();
    /// Deletes the file and its mark. Nothing but the destructor may follow.
    void remove() noexcept;

private:
    void check(bool ok, const char* what) const;
    std::filesystem::path m_path;
    std::filesystem::path m_tagPath;
    int m_descriptor = -1;
    std::int64_t m_size = 0;
};

} // namespace lockstep
