// SPDX-License-Identifier: Apache-2.0
#include "base/atomic_file.h"

#include "base/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace lockstep {

AtomicFile::AtomicFile(std::filesystem::path path)
    : m_path(std::move(path)), m_temporary(temporaryName(m_path)),
      m_descriptor(::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))
{
    check(m_descriptor >= 0, "create");
}

AtomicFile::~AtomicFile()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        ::unlink(m_temporary.c_str());
    }
}

std::filesystem::path AtomicFile::temporaryName(const std::filesystem::path& path)
{
    return path.string() + ".tmp";
}

void AtomicFile::check(bool ok, const char* what) const
{
    if (!ok) {
        fail(ErrorCode::Io, "{}: can't {} it{}", m_path.string(), what, errnoText());
    }
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        check(written >= 0, "write");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::write(const std::string& text)
{
    write(std::as_bytes(std::span(text)));
}

void AtomicFile::commit()
{
    check(::fsync(m_descriptor) == 0, "sync");
    check(std::rename(m_temporary.c_str(), m_path.c_str()) == 0, "rename the temporary file to");
    ::close(std::exchange(m_descriptor, -1));
    syncFolderOf(m_path);
}

void syncFolderOf(const std::filesystem::path& path)
{
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Some file systems can't sync a folder (EINVAL); the rename is then as safe as they make it.
    const bool isSynced = directory >= 0 && (::fsync(directory) == 0 || errno == EINVAL);
    const std::string reason = isSynced ? std::string() : errnoText();
    if (directory >= 0) {
        ::close(directory);
    }
    if (!isSynced) {
        fail(ErrorCode::Io, "{}: can't sync its folder{}", path.string(), reason);
    }
}

} // namespace lockstep
