// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_lock.h"

#include "base/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string>
#include <utility>

namespace lockstep {
namespace {

/// A lock of the open file, not of the process, so that two parts of one program don't share it.
struct flock wholeFile(short type)
{
    struct flock lock = {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    return lock;
}

std::string readOwner(int descriptor)
{
    std::array<char, 32> text{};
    const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
    std::string owner(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return owner.empty() ? "unknown" : owner.substr(0, owner.find('\n'));
}

bool writeOwner(int descriptor)
{
    const std::string text = std::to_string(::getpid()) + "\n";
    return ::ftruncate(descriptor, 0) == 0
           && ::pwrite(descriptor, text.data(), text.size(), 0)
                  == static_cast<ssize_t>(text.size());
}

} // namespace

RunLock::RunLock(int descriptor) : m_descriptor(descriptor) {}

// By way of the other constructor, so that the destructor closes the file if this one throws.
RunLock::RunLock(const std::filesystem::path& folder)
    : RunLock(::open((folder / kFileName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666))
{
    if (m_descriptor < 0) {
        fail(ErrorCode::Io, "{}: can't write to the run folder{}", folder.string(), errnoText());
    }
    struct flock lock = wholeFile(F_WRLCK);
    if (::fcntl(m_descriptor, F_OFD_SETLK, &lock) != 0) {
        if (errno == EAGAIN || errno == EACCES) {
            fail(
                ErrorCode::BadInput,
                "{}: process {} is writing this run; wait for it, or choose another run folder",
                folder.string(), readOwner(m_descriptor));
        }
        fail(ErrorCode::Io, "{}: can't lock the run folder{}", folder.string(), errnoText());
    }
    if (!writeOwner(m_descriptor)) {
        fail(ErrorCode::Io, "{}: can't write to the run folder{}", folder.string(), errnoText());
    }
}

std::optional<int> RunLock::writerOf(const std::filesystem::path& folder)
{
    const int descriptor = ::open((folder / kFileName).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return std::nullopt;
    }
    // Only asks: a lock that was taken to find out could make a writer fail that starts just then.
    struct flock lock = wholeFile(F_RDLCK);
    const bool isHeld = ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    const std::string owner = isHeld ? readOwner(descriptor) : std::string();
    ::close(descriptor);
    if (!isHeld) {
        return std::nullopt;
    }
    int process = 0;
    std::from_chars(owner.data(), owner.data() + owner.size(), process);
    return process;
}

RunLock::~RunLock()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

RunLock::RunLock(RunLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

} // namespace lockstep
