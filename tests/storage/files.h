// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/failure_of.h"

#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lockstep::test {

inline std::string readBytes(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline void writeBytes(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

/// Turns one bit of a file over, in place; a second call turns it back.
inline void flipBit(const std::filesystem::path& file, std::size_t byte, unsigned bit)
{
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(static_cast<std::streamoff>(byte));
    const int value = stream.get();
    stream.seekp(static_cast<std::streamoff>(byte));
    stream.put(static_cast<char>(value ^ (1 << bit)));
}

/// A file system of its own of so many bytes, mounted on a folder; not everyone may do that.
class SmallDisk
{
public:
    SmallDisk(std::filesystem::path folder, const std::string& bytes) : m_folder(std::move(folder))
    {
        m_isMounted =
            ::mount("tmpfs", m_folder.c_str(), "tmpfs", 0, ("size=" + bytes).c_str()) == 0;
    }
    ~SmallDisk()
    {
        if (m_isMounted) {
            ::umount2(m_folder.c_str(), MNT_DETACH);
        }
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool isMounted() const { return m_isMounted; }
    [[nodiscard]] bool makeReadOnly() const
    {
        return ::mount(nullptr, m_folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    std::filesystem::path m_folder;
    bool m_isMounted;
};

/// No file of this process grows beyond so many bytes, for root as for anyone: writing fails there.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

} // namespace lockstep::test
