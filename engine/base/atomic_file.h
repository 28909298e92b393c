// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace lockstep {

/// Writes a file so that its name never holds half of it: into `<path>.tmp`, then fsync, rename,
/// fsync of the folder. Without commit() the destructor removes the temporary file.
/// Every failure throws Error(Io) that names the file and the reason. Not thread-safe.
class AtomicFile
{
public:
    explicit AtomicFile(std::filesystem::path path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(const std::string& text);
    /// Makes the file appear under its name, complete and on disk.
    void commit();

    /// The name while it is being written: `<path>.tmp`.
    static std::filesystem::path temporaryName(const std::filesystem::path& path);

private:
    void check(bool ok, const char* what) const;
    std::filesystem::path m_path;
    std::filesystem::path m_temporary;
    int m_descriptor = -1;
};

/// Puts on disk that this file or folder has its name: after a rename, so that the power may fail.
/// Error(Io) names it and the reason. Thread-safe.
void syncFolderOf(const std::filesystem::path& path);

} // namespace lockstep
