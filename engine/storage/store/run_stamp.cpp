// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_stamp.h"

#include "storage/store/run_folder.h"

#include <sys/stat.h>

#include <fstream>

namespace lockstep {

FileStamp fileStamp(const std::filesystem::path& file)
{
    constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) {
        return {};
    }
    return {
        static_cast<std::int64_t>(status.st_ino), status.st_size,
        kNanosecondsPerSecond * status.st_mtim.tv_sec + status.st_mtim.tv_nsec};
}

StoreStamp storeStamp(const std::filesystem::path& file)
{
    StoreStamp stamp{fileStamp(file), fileStamp(file.string() + "-wal"), {}};
    std::ifstream index(file.string() + "-shm", std::ios::binary);
    index.read(stamp.index.data(), StoreStamp::kIndexBytes);
    return stamp;
}

RunStamp runStamp(const std::filesystem::path& folder)
{
    return {
        RunLock::writerOf(folder), storeStamp(RunFolder::storeFileOf(folder)),
        fileStamp(RunFolder::configurationFileOf(folder)),
        fileStamp(RunFolder::titleFileOf(folder))};
}

} // namespace lockstep
