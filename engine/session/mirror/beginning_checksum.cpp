// SPDX-License-Identifier: Apache-2.0
#include "session/mirror/beginning_checksum.h"

#include "base/crc32.h"
#include "base/error.h"
#include "session/control/control_socket.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>

namespace lockstep {

std::uint32_t beginningChecksum(const std::filesystem::path& path, std::int64_t bytes)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status = {};
    if (!file.isOpen() || ::fstat(file.get(), &status) != 0 || status.st_size < bytes) {
        fail(
            ErrorCode::Io, "{}: can't read its first {} bytes{}", path.string(), bytes,
            errnoText());
    }
    if (bytes == 0) {
        return checksum({});
    }
    const auto size = static_cast<std::size_t>(bytes);
    void* const content = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (content == MAP_FAILED) {
        fail(ErrorCode::Io, "{}: can't read it{}", path.string(), errnoText());
    }
    const std::uint32_t sum = checksum({static_cast<const std::byte*>(content), size});
    ::munmap(content, size);
    return sum;
}

} // namespace lockstep
