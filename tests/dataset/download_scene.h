// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/archive_maker.h"
#include "dataset/fetch/download.h"
#include "dataset/formats/cifar10.h"
#include "dataset/local_http_server.h"
#include "support/cifar10_files.h"
#include "support/failure_of.h"
#include "support/temporary_folder.h"

#include <QCryptographicHash>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::test {

inline constexpr std::int64_t kRecordsPerFile = 20;
/// Where a connection is broken off.
inline constexpr std::size_t kCut = 60'000;

/// A record of random bytes, so that the archive does not shrink; its label is number % 10.
inline std::string noiseRecord(int number)
{
    std::string record(1, static_cast<char>(number % 10));
    std::uint32_t state = static_cast<std::uint32_t>(number) + 1U;
    while (record.size() < 3073) {
        state = state * 1'664'525U + 1'013'904'223U;
        record += static_cast<char>(state >> 24U);
    }
    return record;
}

/// The six files as the official archive has them; `badLabel` takes the place of the last one.
inline std::vector<ArchiveEntry> cifar10Entries(const std::string& folder, char badLabel = '\0')
{
    std::vector<ArchiveEntry> entries{{folder + "/", "", AE_IFDIR}};
    int number = 0;
    for (const char* name : kCifar10Files) {
        std::string content;
        for (int i = 0; i < kRecordsPerFile; ++i) {
            content += noiseRecord(number++);
        }
        entries.push_back({folder + "/" + name, content});
    }
    if (badLabel != '\0') {
        auto& content = entries.back().content;
        content[content.size() - 3073] = badLabel;
    }
    return entries;
}

inline const std::string& goodArchive()
{
    static const std::string archive = makeArchive(cifar10Entries("cifar-10-batches-bin"));
    return archive;
}

inline std::string sha256(const std::string& bytes)
{
    const auto digest =
        QCryptographicHash::hash(QByteArray::fromStdString(bytes), QCryptographicHash::Sha256);
    return digest.toHex().toStdString();
}

/// A server with an archive and an empty folder to download to.
class DownloadScene
{
public:
    explicit DownloadScene(const std::string& content = goodArchive())
        : server({.content = content})
    {
        archive.request.url = server.url();
        archive.request.bytes = static_cast<std::int64_t>(content.size());
        archive.request.stallTimeout = std::chrono::seconds(20);
        archive.sha256 = sha256(content);
    }

    DownloadResult download(const DownloadCallback& callback = [](const DownloadProgress&) {
        return true;
    }) const
    {
        return downloadCifar10(directory(), archive, callback);
    }
    std::optional<Error> failedDownload() const
    {
        return errorOf([&] { download(); });
    }
    /// Leaves the first kCut bytes, as a broken connection does.
    void breakOff()
    {
        ServerBehaviour behaviour{.content = goodArchive()};
        behaviour.bytesBeforeEnd = kCut;
        server.behave(behaviour);
        const auto error = failedDownload();
        QVERIFY(tells(error, ErrorCode::Io, archive.request.url));
        QCOMPARE(std::filesystem::file_size(part()), kCut);
        server.behave({.content = goodArchive()});
    }

    [[nodiscard]] std::filesystem::path directory() const { return m_folder / "data"; }
    [[nodiscard]] std::filesystem::path target() const
    {
        return directory() / "cifar-10-batches-bin";
    }
    [[nodiscard]] std::filesystem::path part() const
    {
        return directory() / "cifar-10-binary.tar.gz.part";
    }
    /// Names in the folder that is downloaded to.
    [[nodiscard]] std::set<std::string> names() const
    {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(directory())) {
            found.insert(entry.path().filename().string());
        }
        return found;
    }
    /// Whether the data is there, byte for byte, and nothing but the data.
    [[nodiscard]] bool isComplete() const
    {
        if (names() != std::set<std::string>{"cifar-10-batches-bin"}) {
            return false;
        }
        const auto train = openCifar10(target(), Split::Train);
        const auto test = openCifar10(target(), Split::Test);
        for (std::int64_t i = 0; i < train->size() + test->size(); ++i) {
            const auto example =
                i < train->size() ? train->example(i) : test->example(i - train->size());
            const std::string record = noiseRecord(static_cast<int>(i));
            if (!std::equal(
                    example.pixels.begin(), example.pixels.end(), record.begin() + 1, record.end(),
                    [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); })
                || example.label != record[0]) {
                return false;
            }
        }
        return train->size() == 5 * kRecordsPerFile && test->size() == kRecordsPerFile;
    }

    LocalHttpServer server;
    Cifar10Archive archive;

private:
    TemporaryFolder m_folder;
};

} // namespace lockstep::test
