// SPDX-License-Identifier: Apache-2.0
#include "dataset/archive_maker.h"
#include "dataset/fetch/archive.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

void writeText(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

std::string readText(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Content that doesn't compress, so that an archive of it is longer than it.
std::string noise(std::size_t bytes)
{
    std::string text;
    for (std::uint32_t state = 1; text.size() < bytes;
         state = state * 1'664'525U + 1'013'904'223U) {
        text += static_cast<char>(state >> 24U);
    }
    return text;
}

std::ptrdiff_t entriesIn(const fs::path& folder)
{
    return std::distance(fs::recursive_directory_iterator(folder), {});
}

} // namespace

class TestArchive : public QObject
{
    Q_OBJECT

private slots:
    void UnpackArchive_filesAndFolders_areWritten();
    void UnpackArchive_progress_endsAtTheSizeOfTheArchive();
    void UnpackArchive_entryThatCouldEscape_isRefused_data();
    void UnpackArchive_entryThatCouldEscape_isRefused();
    void UnpackArchive_truncated_isDataError();
    void UnpackArchive_notAnArchive_isDataError();
    void UnpackArchive_callbackThrows_leavesNoTemporaryFile();
    void UnpackArchive_folderCantBeMade_isIoError();
};

void TestArchive::UnpackArchive_filesAndFolders_areWritten()
{
    const TemporaryFolder folder;
    const std::string content = noise(700'000);
    writeText(
        folder / "a.tar.gz", makeArchive(
                                 {{"top/", "", AE_IFDIR},
                                  {"top/noise", content},
                                  {"./top/deeper/empty", ""},
                                  {"other", "text"}}));
    unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {});
    QCOMPARE(readText(folder / "out/top/noise"), content);
    QVERIFY(fs::is_regular_file(folder / "out/top/deeper/empty"));
    QCOMPARE(readText(folder / "out/other"), std::string("text"));
    QCOMPARE(entriesIn(folder / "out"), 5); // top, noise, deeper, empty, other
}

void TestArchive::UnpackArchive_progress_endsAtTheSizeOfTheArchive()
{
    const TemporaryFolder folder;
    const std::string archive = makeArchive({{"noise", noise(2'000'000)}});
    writeText(folder / "a.tar.gz", archive);
    std::vector<std::int64_t> reports;
    unpackArchive(
        folder / "a.tar.gz", folder / "out", [&](std::int64_t bytes) { reports.push_back(bytes); });
    QVERIFY(reports.size() >= 5);
    QVERIFY(std::is_sorted(reports.begin(), reports.end()));
    QVERIFY(reports.back() <= static_cast<std::int64_t>(archive.size()));
    QVERIFY(reports.back() > static_cast<std::int64_t>(archive.size() * 9 / 10));
}

void TestArchive::UnpackArchive_entryThatCouldEscape_isRefused_data()
{
    addRows<QString, unsigned, QString>(
        {"name", "type", "link"},
        {{"parent", "../escaped", unsigned{AE_IFREG}, ""},
         {"parent in the middle", "a/../../escaped", unsigned{AE_IFREG}, ""},
         {"parent as a folder", "a/../", unsigned{AE_IFDIR}, ""},
         {"absolute", "/tmp/lockstep-escaped", unsigned{AE_IFREG}, ""},
         {"symbolic link", "link", unsigned{AE_IFLNK}, "/etc/passwd"},
         {"hard link", "link", unsigned{AE_IFREG}, "first"},
         {"pipe", "pipe", unsigned{AE_IFIFO}, ""}});
}

void TestArchive::UnpackArchive_entryThatCouldEscape_isRefused()
{
    QFETCH(const QString, name);
    QFETCH(const unsigned, type);
    QFETCH(const QString, link);
    const TemporaryFolder folder;
    writeText(
        folder / "a.tar.gz",
        makeArchive(
            {{"first", "text"},
             {name.toStdString(), link.isEmpty() ? "text" : "", type, link.toStdString()}}));
    const auto error =
        errorOf([&] { unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {}); });
    QVERIFY(tells(error, ErrorCode::Data, (folder / "a.tar.gz").string()));
    QVERIFY(tells(error, ErrorCode::Data, QString("'%1'").arg(name).toStdString()));
    // The archive, the folder and the good file that came first.
    QCOMPARE(entriesIn(folder.path()), 3);
    QVERIFY(!fs::exists("/tmp/lockstep-escaped"));
}

void TestArchive::UnpackArchive_truncated_isDataError()
{
    const TemporaryFolder folder;
    const std::string archive = makeArchive({{"noise", noise(500'000)}});
    writeText(folder / "a.tar.gz", archive.substr(0, archive.size() / 2));
    const auto error =
        errorOf([&] { unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {}); });
    QVERIFY(tells(error, ErrorCode::Data, (folder / "a.tar.gz").string()));
    QVERIFY(!fs::exists(folder / "out/noise"));
}

void TestArchive::UnpackArchive_notAnArchive_isDataError()
{
    const TemporaryFolder folder;
    writeText(folder / "a.tar.gz", "<html>Please log in to this network</html>");
    const auto error =
        errorOf([&] { unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {}); });
    QVERIFY(tells(error, ErrorCode::Data, (folder / "a.tar.gz").string()));
}

void TestArchive::UnpackArchive_callbackThrows_leavesNoTemporaryFile()
{
    const TemporaryFolder folder;
    writeText(folder / "a.tar.gz", makeArchive({{"noise", noise(500'000)}}));
    const auto error = errorOf([&] {
        unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {
            fail(ErrorCode::Cancelled, "enough");
        });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, "enough"));
    QCOMPARE(entriesIn(folder / "out"), 0);
}

void TestArchive::UnpackArchive_folderCantBeMade_isIoError()
{
    const TemporaryFolder folder;
    writeText(folder / "a.tar.gz", makeArchive({{"sub/file", "text"}}));
    writeText(folder / "out", "a file where a folder should be");
    const auto error =
        errorOf([&] { unpackArchive(folder / "a.tar.gz", folder / "out", [](std::int64_t) {}); });
    QVERIFY(tells(error, ErrorCode::Io, (folder / "out").string()));
}

LOCKSTEP_TEST(TestArchive)
#include "test_archive.moc"
