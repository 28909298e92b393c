// SPDX-License-Identifier: Apache-2.0
#include "dataset/archive.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 1U << 18U;

struct FreeArchive
{
    void operator()(archive* reader) const { archive_read_free(reader); }
};

/// An archive being read, entry by entry.
class ArchiveReader
{
public:
    explicit ArchiveReader(fs::path path) : m_path(std::move(path)), m_archive(archive_read_new())
    {
        require(m_archive != nullptr, "libarchive makes a reader");
        archive_read_support_filter_all(m_archive.get());
        archive_read_support_format_tar(m_archive.get());
        check(archive_read_open_filename(m_archive.get(), m_path.c_str(), kBlockBytes));
    }

    /// The next entry, or null after the last.
    archive_entry* next()
    {
        archive_entry* entry = nullptr;
        const int result = archive_read_next_header(m_archive.get(), &entry);
        if (result == ARCHIVE_EOF) {
            return nullptr;
        }
        check(result);
        return entry;
    }

    /// Fills as much of `block` as there is content of the entry; returns how much.
    std::size_t read(std::span<std::byte> block)
    {
        const la_ssize_t bytes = archive_read_data(m_archive.get(), block.data(), block.size());
        check(bytes < 0 ? ARCHIVE_FATAL : ARCHIVE_OK);
        return static_cast<std::size_t>(bytes);
    }

    /// Bytes of the archive file used up so far.
    [[nodiscard]] std::int64_t position() const
    {
        return archive_filter_bytes(m_archive.get(), -1);
    }

private:
    void check(int result) const
    {
        // A warning is about something that we don't use, such as an owner's name.
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) {
            const char* reason = archive_error_string(m_archive.get());
            fail(
                ErrorCode::Data, "{}: can't be unpacked ({}); get it again", m_path.string(),
                reason != nullptr ? reason : "no reason given");
        }
    }

    fs::path m_path;
    std::unique_ptr<archive, FreeArchive> m_archive;
};

[[noreturn]] void refuse(const fs::path& archive, const std::string& name, const char* reason)
{
    fail(
        ErrorCode::Data, "{}: entry '{}' {}; nothing of this archive is used", archive.string(),
        name, reason);
}

/// The name of an entry as a path within the folder that is unpacked to.
fs::path safeName(const fs::path& archive, archive_entry* entry)
{
    const char* text = archive_entry_pathname(entry);
    const std::string name(text != nullptr ? text : "");
    fs::path path(name);
    if (path.empty() || path.is_absolute()) {
        refuse(archive, name, "has an absolute or empty path");
    }
    if (std::find(path.begin(), path.end(), fs::path("..")) != path.end()) {
        refuse(archive, name, "leads out of the folder that is unpacked to");
    }
    const auto type = archive_entry_filetype(entry);
    const bool isPlain = type == AE_IFREG || type == AE_IFDIR;
    if (!isPlain || archive_entry_hardlink(entry) != nullptr) {
        refuse(archive, name, "is neither a plain file nor a folder");
    }
    return path;
}

void makeFolder(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) {
        fail(ErrorCode::Io, "{}: can't make this folder ({})", folder.string(), error.message());
    }
}

void unpackFile(
    ArchiveReader& reader, const fs::path& path, const std::function<void(std::int64_t)>& onBytes)
{
    makeFolder(path.parent_path());
    AtomicFile file(path);
    std::vector<std::byte> block(kBlockBytes);
    while (const std::size_t bytes = reader.read(block)) {
        file.write(std::span(block).first(bytes));
        onBytes(reader.position());
    }
    file.commit();
}

} // namespace

void unpackArchive(
    const fs::path& archive, const fs::path& folder,
    const std::function<void(std::int64_t)>& onBytes)
{
    ArchiveReader reader(archive);
    while (archive_entry* entry = reader.next()) {
        const auto path = folder / safeName(archive, entry);
        if (archive_entry_filetype(entry) == AE_IFDIR) {
            makeFolder(path);
        } else {
            unpackFile(reader, path, onBytes);
        }
    }
}

} // namespace lockstep
