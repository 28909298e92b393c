// SPDX-License-Identifier: Apache-2.0
#include "dataset/download_scene.h"
#include "support/lockstep_test.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

class TestDownload : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Cifar10Archive_defaults_areTheOfficialOnes();
    void Download_goodServer_makesTheFolder();
    void Download_progress_goesThroughThePhases();
    void Download_cancelled_keepsWhatCame_data();
    void Download_cancelled_keepsWhatCame();
    void Download_callbackThrows_isPassedOn();
    void Download_corruptContent_isRemoved();
    void Download_archiveOfSomethingElse_isDataError_data();
    void Download_archiveOfSomethingElse_isDataError();
    void Download_validFolderThere_isLeftAlone();
    void Download_validFilesInTheFolderItself_areLeftAlone();
    void Download_brokenDataThere_isRefusedUntouched_data();
    void Download_brokenDataThere_isRefusedUntouched();
    void Download_emptyFolderThere_isFilled();
    void Download_leftoversOfACrash_areReplaced();
    void Download_secondOneAtTheSameTime_isRefused();
    void Download_folderCantBeMade_isIoError();
};

void TestDownload::initTestCase()
{
    // A proxy of the environment must not come between the tests and their own server.
    qputenv("no_proxy", "127.0.0.1");
    QVERIFY(goodArchive().size() > 5 * kCut);
}

void TestDownload::Cifar10Archive_defaults_areTheOfficialOnes()
{
    const Cifar10Archive archive;
    QCOMPARE(archive.request.url, "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz");
    QCOMPARE(archive.request.bytes, 170'052'171);
    QCOMPARE(archive.sha256, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd");
}

void TestDownload::Download_goodServer_makesTheFolder()
{
    const DownloadScene scene;
    const auto result = scene.download();
    QCOMPARE(result.folder, scene.target());
    QVERIFY(!result.wasThere);
    QCOMPARE(result.resumedFrom, 0);
    QVERIFY(scene.isComplete());
    const auto requests = scene.server.requests();
    QCOMPARE(requests.size(), 1U);
    QCOMPARE(requests[0].range, std::string());
}

void TestDownload::Download_progress_goesThroughThePhases()
{
    const DownloadScene scene;
    std::vector<DownloadProgress> reports;
    scene.download([&](const DownloadProgress& progress) {
        reports.push_back(progress);
        return true;
    });
    QVERIFY(std::is_sorted(
        reports.begin(), reports.end(), [](const DownloadProgress& a, const DownloadProgress& b) {
            return std::pair(a.phase, a.bytes) < std::pair(b.phase, b.bytes);
        }));
    for (const auto phase :
         {DownloadPhase::Transferring, DownloadPhase::Checking, DownloadPhase::Unpacking}) {
        const auto last = std::find_if(reports.rbegin(), reports.rend(), [&](const auto& report) {
            return report.phase == phase;
        });
        QVERIFY(last != reports.rend());
        QCOMPARE(last->total, scene.archive.request.bytes);
        // Unpacking is done before the padding at the archive's end is read.
        QVERIFY(last->bytes > last->total * 9 / 10 && last->bytes <= last->total);
    }
}

void TestDownload::Download_cancelled_keepsWhatCame_data()
{
    QTest::addColumn<int>("phase");
    QTest::newRow("checking") << static_cast<int>(DownloadPhase::Checking);
    QTest::newRow("unpacking") << static_cast<int>(DownloadPhase::Unpacking);
}

void TestDownload::Download_cancelled_keepsWhatCame()
{
    QFETCH(const int, phase);
    const DownloadScene scene;
    const auto error = errorOf([&] {
        scene.download([&](const DownloadProgress& progress) {
            return progress.phase != static_cast<DownloadPhase>(phase);
        });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, scene.part().string()));
    QCOMPARE(fs::file_size(scene.part()), goodArchive().size());
    QVERIFY(!fs::exists(scene.target()));
    QVERIFY(!fs::exists(scene.target().string() + ".tmp"));
    scene.download();
    QVERIFY(scene.isComplete());
    QCOMPARE(scene.server.requests().size(), 1U); // nothing was left to fetch
}

void TestDownload::Download_callbackThrows_isPassedOn()
{
    const DownloadScene scene;
    const auto error = errorOf([&] {
        scene.download([](const DownloadProgress&) -> bool { fail(ErrorCode::BadInput, "mine"); });
    });
    QVERIFY(tells(error, ErrorCode::BadInput, "mine"));
    QVERIFY(!fs::exists(scene.target()));
}

void TestDownload::Download_corruptContent_isRemoved()
{
    DownloadScene scene;
    std::string content = goodArchive();
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    scene.server.behave({.content = content});
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Data, scene.archive.request.url));
    QVERIFY(tells(error, ErrorCode::Data, sha256(content)));
    QVERIFY(tells(error, ErrorCode::Data, scene.archive.sha256));
    QVERIFY(scene.names().empty());
    scene.server.behave({.content = goodArchive()});
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestDownload::Download_archiveOfSomethingElse_isDataError_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    const auto add = [](const char* name, const std::string& content, const char* said) {
        QTest::newRow(name) << QByteArray::fromStdString(content) << said;
    };
    add("other folder", makeArchive(cifar10Entries("elsewhere")), "no folder");
    add("label 10", makeArchive(cifar10Entries("cifar-10-batches-bin", 10)), "label 10");
    auto entries = cifar10Entries("cifar-10-batches-bin");
    entries.erase(entries.begin() + 3);
    add("a file missing", makeArchive(entries), "data_batch_3.bin");
    entries.push_back({"../escaped", "text"});
    add("a path that escapes", makeArchive(entries), "'../escaped'");
    add("no archive", std::string(5000, '-'), "can't be unpacked");
    add("half an archive", goodArchive().substr(0, 100'000), "can't be unpacked");
}

void TestDownload::Download_archiveOfSomethingElse_isDataError()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QString, said);
    const DownloadScene scene(content.toStdString());
    QVERIFY(tells(scene.failedDownload(), ErrorCode::Data, said.toStdString()));
    QVERIFY(scene.names().empty());
}

void TestDownload::Download_validFolderThere_isLeftAlone()
{
    const DownloadScene scene;
    writeCifar10Folder(scene.target(), 1);
    const auto result = scene.download();
    QVERIFY(result.wasThere);
    QCOMPARE(result.folder, scene.target());
    QCOMPARE(scene.server.requests().size(), 0U);
    QCOMPARE(openCifar10(scene.target(), Split::Train)->size(), 5);
}

void TestDownload::Download_validFilesInTheFolderItself_areLeftAlone()
{
    const DownloadScene scene;
    writeCifar10Folder(scene.directory(), 1);
    const auto result = scene.download();
    QVERIFY(result.wasThere);
    QCOMPARE(result.folder, scene.directory());
    QCOMPARE(scene.server.requests().size(), 0U);
}

void TestDownload::Download_brokenDataThere_isRefusedUntouched_data()
{
    QTest::addColumn<QString>("folder");
    QTest::newRow("in the folder itself") << ".";
    QTest::newRow("in the folder of the name") << "cifar-10-batches-bin";
}

void TestDownload::Download_brokenDataThere_isRefusedUntouched()
{
    QFETCH(const QString, folder);
    const DownloadScene scene;
    const auto place = scene.directory() / folder.toStdString();
    writeCifar10Folder(place, 1);
    fs::resize_file(place / "data_batch_2.bin", 1000);
    const auto before = scene.names();
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Data, "data_batch_2.bin"));
    QVERIFY(tells(error, ErrorCode::Data, "move it away"));
    QCOMPARE(scene.server.requests().size(), 0U);
    QVERIFY(scene.names() == before);
    QCOMPARE(fs::file_size(place / "data_batch_2.bin"), 1000U);
}

void TestDownload::Download_emptyFolderThere_isFilled()
{
    const DownloadScene scene;
    fs::create_directories(scene.target());
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestDownload::Download_leftoversOfACrash_areReplaced()
{
    const DownloadScene scene;
    writeCifar10Folder(scene.target().string() + ".tmp/cifar-10-batches-bin", 1);
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestDownload::Download_secondOneAtTheSameTime_isRefused()
{
    const DownloadScene scene;
    fs::create_directories(scene.directory());
    const PartialFile first(scene.part());
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Io, scene.part().string()));
    QVERIFY(tells(error, ErrorCode::Io, "another download"));
    QVERIFY(fs::exists(scene.part()));
}

void TestDownload::Download_folderCantBeMade_isIoError()
{
    const DownloadScene scene;
    std::ofstream(scene.directory()) << "a file where a folder should be";
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Io, scene.directory().string()));
}

LOCKSTEP_TEST(TestDownload)
#include "test_download.moc"
