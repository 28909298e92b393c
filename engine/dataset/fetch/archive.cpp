// SPDX-License-Identifier: Apache-2.0
#include "dataset/fetch/archive.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "dataset/files/archive_reader.h"
#include "dataset/files/file_bytes.h"

#include <archive_entry.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlockBytes = 1U << 18U;

[[noreturn]] void refuse(const fs::path& archive, const std::string& name, const char* reason)
{
    fail(
        ErrorCode::Data, "{}: entry '{}' {}; nothing of this archive is used", archive.string(),
        name, reason);
}

/// The name of an entry as a path within the folder that is unpacked to.
fs::path safeName(const fs::path& archive, const std::string& name, archive_entry* entry)
{
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
    ArchiveReader reader(archive, ArchiveKind::Tar);
    while (archive_entry* entry = reader.next()) {
        const auto path = folder / safeName(archive, reader.name(), entry);
        if (archive_entry_filetype(entry) == AE_IFDIR) {
            makeFolder(path);
        } else {
            unpackFile(reader, path, onBytes);
        }
    }
}

} // namespace lockstep
