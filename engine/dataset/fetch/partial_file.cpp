// SPDX-License-Identifier: Apache-2.0
#include "dataset/fetch/partial_file.h"

#include "base/atomic_file.h"
#include "base/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace lockstep {

PartialFile::PartialFile(std::filesystem::path path)
    : m_path(std::move(path)), m_tagPath(m_path.string() + ".etag"),
      m_descriptor(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666))
{
    check(m_descriptor >= 0, "create");
    if (::flock(m_descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(m_descriptor);
        fail(
            ErrorCode::Io, "{}: another download is writing this file; wait for it or stop it",
            m_path.string());
    }
    m_size = ::lseek(m_descriptor, 0, SEEK_END);
}

PartialFile::~PartialFile()
{
    if (m_size <= 0) {
        remove();
    }
    ::close(m_descriptor);
}

void PartialFile::check(bool ok, const char* what) const
{
    if (!ok) {
        fail(ErrorCode::Io, "{}: can't {} it{}", m_path.string(), what, errnoText());
    }
}

std::string PartialFile::entityTag() const
{
    std::ifstream file(m_tagPath);
    std::string tag;
    std::getline(file, tag);
    return tag;
}

void PartialFile::restart(const std::string& entityTag)
{
    // First the content, then the mark: at no time does a mark stand beside content of another
    // version.
    check(::ftruncate(m_descriptor, 0) == 0, "empty");
    m_size = 0;
    AtomicFile tag(m_tagPath);
    tag.write(entityTag);
    tag.commit();
}

void PartialFile::append(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        check(written >= 0, "write");
        m_size += written;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void PartialFile::sync()
{
    check(::fsync(m_descriptor) == 0, "sync");
}

void PartialFile::remove() noexcept
{
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored);
    std::filesystem::remove(m_tagPath, ignored);
}

} // namespace lockstep
