// SPDX-License-Identifier: Apache-2.0
#include "dataset/fetch/download.h"

#include "base/atomic_file.h"
#include "base/error.h"
#include "dataset/fetch/archive.h"
#include "dataset/fetch/partial_file.h"
#include "dataset/files/file_bytes.h"
#include "dataset/files/sha256.h"
#include "dataset/formats/cifar10.h"

#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPartName = "cifar-10-binary.tar.gz.part";

/// A folder for unfinished work: empty at first, gone at the end.
class WorkFolder
{
public:
    explicit WorkFolder(fs::path path) : m_path(std::move(path)) { clear(); }
    ~WorkFolder() { clear(); }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;

    [[nodiscard]] const fs::path& path() const noexcept { return m_path; }

private:
    void clear() const noexcept
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    fs::path m_path;
};

/// One run of downloadCifar10 into a folder that has no data yet.
class Cifar10Download
{
public:
    Cifar10Download(
        const fs::path& directory, const Cifar10Archive& archive,
        const DownloadCallback& onProgress)
        : m_directory(directory), m_archive(archive), m_onProgress(onProgress),
          m_part(directory / kPartName)
    {
    }

    DownloadResult run()
    {
        const std::int64_t resumedFrom = m_part.size();
        transferFile(m_archive.request, m_part, reporter(DownloadPhase::Transferring));
        try {
            verify();
            unpack();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::Data) {
                m_part.remove();
            }
            throw;
        }
        m_part.remove();
        return {.folder = target(), .resumedFrom = resumedFrom};
    }

private:
    [[nodiscard]] fs::path target() const { return m_directory / kCifar10FolderName; }

    std::function<void(std::int64_t)> reporter(DownloadPhase phase)
    {
        return [this, phase](std::int64_t bytes) {
            if (!m_onProgress({phase, bytes, m_archive.request.bytes})) {
                fail(
                    ErrorCode::Cancelled,
                    "download cancelled; {} of {} bytes are kept in {}: run the same again to go "
                    "on",
                    m_part.size(), m_archive.request.bytes, m_part.path().string());
            }
        };
    }

    void verify()
    {
        const auto found = sha256OfFile(m_part.path(), reporter(DownloadPhase::Checking));
        if (found != m_archive.sha256) {
            fail(
                ErrorCode::Data,
                "{}: the SHA-256 of the download is {}, but should be {}; it was removed: run the "
                "same again to fetch it anew",
                m_archive.request.url, found, m_archive.sha256);
        }
    }

    void unpack()
    {
        const WorkFolder work(target().string() + ".tmp");
        unpackArchive(m_part.path(), work.path(), reporter(DownloadPhase::Unpacking));
        const auto unpacked = work.path() / kCifar10FolderName;
        if (!fs::is_directory(unpacked)) {
            fail(
                ErrorCode::Data, "{}: there is no folder '{}' in this archive; check the address",
                m_archive.request.url, kCifar10FolderName);
        }
        validateCifar10(unpacked);
        moveIntoPlace(unpacked);
    }

    void moveIntoPlace(const fs::path& folder) const
    {
        std::error_code error;
        fs::rename(folder, target(), error);
        if (error) {
            fail(
                ErrorCode::Io, "{}: can't rename the unpacked folder to it ({})", target().string(),
                error.message());
        }
        syncFolderOf(target());
    }

    const fs::path& m_directory;
    const Cifar10Archive& m_archive;
    const DownloadCallback& m_onProgress;
    PartialFile m_part;
};

/// Whether there is something that a download would stand beside or replace.
bool isOccupied(const fs::path& directory)
{
    std::error_code ignored;
    const auto target = directory / kCifar10FolderName;
    return hasCifar10Files(directory)
           || (fs::exists(target, ignored) && !fs::is_empty(target, ignored));
}

void refuseUnlessValid(const fs::path& directory)
{
    try {
        validateCifar10(directory);
    } catch (const Error& error) {
        fail(
            error.code(), "{}: holds data that can't be used: move it away, then download ({})",
            directory.string(), error.what());
    }
}

} // namespace

DownloadResult downloadCifar10(
    const fs::path& directory, const Cifar10Archive& archive, const DownloadCallback& onProgress)
{
    if (isOccupied(directory)) {
        refuseUnlessValid(directory);
        return {.folder = locateCifar10(directory), .wasThere = true};
    }
    makeFolder(directory);
    return Cifar10Download(directory, archive, onProgress).run();
}

} // namespace lockstep
