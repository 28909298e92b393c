// SPDX-License-Identifier: Apache-2.0
#include "dataset/download_scene.h"
#include "support/lockstep_test.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

class TestFileTransfer : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Transfer_redirection_isFollowed();
    void Transfer_noLength_isComplete();
    void Transfer_brokenConnection_isResumed();
    void Transfer_noEntityTag_isResumedByRangeAlone();
    void Transfer_serverWithoutRanges_startsAnew();
    void Transfer_fileChangedOnServer_startsAnew();
    void Transfer_rangeRefused_startsAnew();
    void Transfer_partLongerThanTheFile_startsAnew();
    void Transfer_rangeOfAnotherPlace_isDataError();
    void Transfer_cancelledInMidTransfer_isResumed();
    void Transfer_stalledServer_isGivenUp();
    void Transfer_endsEarlyWithoutLength_saysHowMuchCame();
    void Transfer_serverError_namesStatus_data();
    void Transfer_serverError_namesStatus();
    void Transfer_noServer_isIoError();
    void Transfer_otherProtocol_isRefused();
    void Transfer_otherSize_isDataError_data();
    void Transfer_otherSize_isDataError();
};

void TestFileTransfer::initTestCase()
{
    // A proxy of the environment must not come between the tests and their own server.
    qputenv("no_proxy", "127.0.0.1");
    QVERIFY(goodArchive().size() > 5 * kCut);
}

void TestFileTransfer::Transfer_redirection_isFollowed()
{
    DownloadScene scene;
    scene.server.behave({.content = goodArchive(), .redirects = true});
    scene.download();
    QVERIFY(scene.isComplete());
    QCOMPARE(scene.server.requests().back().path, std::string("/file"));
}

void TestFileTransfer::Transfer_noLength_isComplete()
{
    DownloadScene scene;
    scene.server.behave({.content = goodArchive(), .sendsLength = false});
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestFileTransfer::Transfer_brokenConnection_isResumed()
{
    DownloadScene scene;
    scene.breakOff();
    QVERIFY(!fs::exists(scene.target()));
    const auto result = scene.download();
    QCOMPARE(result.resumedFrom, static_cast<std::int64_t>(kCut));
    QVERIFY(scene.isComplete());
    const auto request = scene.server.requests().back();
    QCOMPARE(request.range, std::string("bytes=60000-"));
    QCOMPARE(request.ifRange, std::string("\"one\""));
}

void TestFileTransfer::Transfer_noEntityTag_isResumedByRangeAlone()
{
    for (const std::string tag : {"", "W/\"weak\""}) {
        DownloadScene scene;
        ServerBehaviour behaviour{.content = goodArchive(), .entityTag = tag};
        behaviour.bytesBeforeEnd = kCut;
        scene.server.behave(behaviour);
        QVERIFY(scene.failedDownload().has_value());
        scene.server.behave({.content = goodArchive(), .entityTag = tag});
        scene.download();
        QVERIFY(scene.isComplete());
        QCOMPARE(scene.server.requests().back().range, std::string("bytes=60000-"));
        QCOMPARE(scene.server.requests().back().ifRange, std::string());
    }
}

void TestFileTransfer::Transfer_serverWithoutRanges_startsAnew()
{
    DownloadScene scene;
    scene.breakOff();
    scene.server.behave({.content = goodArchive(), .honoursRange = false});
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestFileTransfer::Transfer_fileChangedOnServer_startsAnew()
{
    DownloadScene scene;
    // What is there is of a version that the server has no more.
    ServerBehaviour old{.content = std::string(goodArchive().size(), 'x'), .entityTag = "\"old\""};
    old.bytesBeforeEnd = kCut;
    scene.server.behave(old);
    QVERIFY(scene.failedDownload().has_value());
    scene.server.behave({.content = goodArchive(), .entityTag = "\"new\""});
    scene.download();
    QVERIFY(scene.isComplete());
    QCOMPARE(scene.server.requests().back().ifRange, std::string("\"old\""));
}

void TestFileTransfer::Transfer_rangeRefused_startsAnew()
{
    DownloadScene scene;
    scene.breakOff();
    scene.server.behave({.content = goodArchive(), .refusesRange = true});
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestFileTransfer::Transfer_partLongerThanTheFile_startsAnew()
{
    const DownloadScene scene;
    fs::create_directories(scene.directory());
    std::ofstream(scene.part()) << goodArchive() << "and more";
    scene.download();
    QVERIFY(scene.isComplete());
}

void TestFileTransfer::Transfer_rangeOfAnotherPlace_isDataError()
{
    DownloadScene scene;
    scene.breakOff();
    scene.server.behave({.content = goodArchive(), .rangeShift = 1});
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Data, "bytes 60001-"));
    QVERIFY(tells(error, ErrorCode::Data, scene.part().string()));
    QCOMPARE(fs::file_size(scene.part()), kCut);
}

void TestFileTransfer::Transfer_cancelledInMidTransfer_isResumed()
{
    DownloadScene scene;
    ServerBehaviour slow{.content = goodArchive(), .stalls = true};
    slow.bytesBeforeEnd = kCut;
    scene.server.behave(slow);
    const auto error = errorOf([&] {
        scene.download([](const DownloadProgress& progress) {
            return progress.bytes < static_cast<std::int64_t>(kCut);
        });
    });
    QVERIFY(tells(error, ErrorCode::Cancelled, "60000 of"));
    QCOMPARE(fs::file_size(scene.part()), kCut);
    scene.server.behave({.content = goodArchive()});
    QCOMPARE(scene.download().resumedFrom, static_cast<std::int64_t>(kCut));
    QVERIFY(scene.isComplete());
}

void TestFileTransfer::Transfer_stalledServer_isGivenUp()
{
    DownloadScene scene;
    ServerBehaviour stalled{.content = goodArchive(), .stalls = true};
    // So few that the mean speed, which libcurl goes by, is low at once.
    stalled.bytesBeforeEnd = 100;
    scene.server.behave(stalled);
    scene.archive.request.stallTimeout = std::chrono::seconds(1);
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Io, scene.archive.request.url));
    QVERIFY(tells(error, ErrorCode::Io, "after 100 of"));
    QCOMPARE(fs::file_size(scene.part()), 100U);
}

void TestFileTransfer::Transfer_endsEarlyWithoutLength_saysHowMuchCame()
{
    DownloadScene scene;
    ServerBehaviour behaviour{.content = goodArchive(), .sendsLength = false};
    behaviour.bytesBeforeEnd = kCut;
    scene.server.behave(behaviour);
    QVERIFY(tells(scene.failedDownload(), ErrorCode::Io, "after 60000 of"));
    QCOMPARE(fs::file_size(scene.part()), kCut);
}

void TestFileTransfer::Transfer_serverError_namesStatus_data()
{
    QTest::addColumn<int>("status");
    QTest::newRow("not found") << 404;
    QTest::newRow("server error") << 503;
    QTest::newRow("success without a file") << 203;
}

void TestFileTransfer::Transfer_serverError_namesStatus()
{
    QFETCH(const int, status);
    DownloadScene scene;
    scene.server.behave({.content = goodArchive(), .status = status});
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Io, scene.archive.request.url));
    QVERIFY(tells(error, ErrorCode::Io, std::to_string(status)));
    QVERIFY(scene.names().empty());
}

void TestFileTransfer::Transfer_noServer_isIoError()
{
    DownloadScene scene;
    {
        const LocalHttpServer gone({});
        scene.archive.request.url = gone.url();
    }
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Io, scene.archive.request.url));
    QVERIFY(scene.names().empty());
}

void TestFileTransfer::Transfer_otherProtocol_isRefused()
{
    DownloadScene scene;
    const TemporaryFolder folder;
    std::ofstream(folder / "archive") << goodArchive();
    scene.archive.request.url = "file://" + (folder / "archive").string();
    QVERIFY(tells(scene.failedDownload(), ErrorCode::Io, scene.archive.request.url));
}

void TestFileTransfer::Transfer_otherSize_isDataError_data()
{
    QTest::addColumn<int>("difference");
    QTest::addColumn<bool>("sendsLength");
    QTest::newRow("longer") << 1 << true;
    QTest::newRow("shorter") << -1 << true;
    QTest::newRow("longer, unannounced") << 1 << false;
}

void TestFileTransfer::Transfer_otherSize_isDataError()
{
    QFETCH(const int, difference);
    QFETCH(const bool, sendsLength);
    DownloadScene scene;
    scene.archive.request.bytes -= difference;
    scene.server.behave({.content = goodArchive(), .sendsLength = sendsLength});
    const auto error = scene.failedDownload();
    QVERIFY(tells(error, ErrorCode::Data, scene.archive.request.url));
    QVERIFY(tells(error, ErrorCode::Data, std::to_string(scene.archive.request.bytes)));
    QVERIFY(!fs::exists(scene.target()));
}

LOCKSTEP_TEST(TestFileTransfer)
#include "test_file_transfer.moc"
