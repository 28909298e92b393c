// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/training_mark.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace lockstep {
namespace {

constexpr const char* kFile = "training.lock";

} // namespace

TrainingMark::TrainingMark(const std::filesystem::path& folder) : m_descriptor(-1)
{
    std::error_code ignored;
    if (!folder.empty()) {
        std::filesystem::create_directories(folder, ignored);
        m_descriptor = open((folder / kFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    }
    if (m_descriptor >= 0) {
        static_cast<void>(flock(m_descriptor, LOCK_SH)); // isAnyIn() has it but for a moment
    }
}

TrainingMark::~TrainingMark()
{
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

bool TrainingMark::isAnyIn(const std::filesystem::path& folder)
{
    const int descriptor = open((folder / kFile).c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    // Any other error: the folder can't be locked at all, as on some network drives.
    const bool isMarked = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(descriptor);
    return isMarked;
}

} // namespace lockstep
