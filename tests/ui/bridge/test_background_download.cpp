// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/dataset_download.h"
#include "dataset/download_scene.h"
#include "support/lockstep_test.h"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::ui;

class TestBackgroundDownload : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        // A proxy of the environment must not come between the tests and their own server.
        qputenv("no_proxy", "127.0.0.1");
    }

    void Download_goodServer_reportsProgressAndFolder()
    {
        const DownloadScene scene;
        DatasetDownload download;
        const QSignalSpy progress(&download, &DatasetDownload::progressed);
        const QSignalSpy finished(&download, &DatasetDownload::finished);
        download.start(scene.directory(), scene.archive);
        QVERIFY(download.isRunning());
        download.start(scene.directory() / "elsewhere", scene.archive); // does nothing
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(!download.isRunning());
        QCOMPARE(finished[0][0].value<std::filesystem::path>(), scene.target());
        QCOMPARE(finished[0][1].toBool(), false);
        QVERIFY(scene.isComplete());
        QVERIFY(!progress.isEmpty());
        QCOMPARE(progress.back()[0].value<DownloadPhase>(), DownloadPhase::Unpacking);
        QCOMPARE(progress.back()[2].toLongLong(), scene.archive.request.bytes);
    }

    void Download_again_findsWhatIsThere()
    {
        const DownloadScene scene;
        scene.download();
        DatasetDownload download;
        const QSignalSpy finished(&download, &DatasetDownload::finished);
        download.start(scene.directory(), scene.archive);
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(finished[0][1].toBool(), true);
    }

    void Download_cancelled_saysSoAndGoesOnLater()
    {
        DownloadScene scene;
        scene.server.behave({.content = goodArchive(), .bytesBeforeEnd = kCut, .stalls = true});
        DatasetDownload download;
        const QSignalSpy cancelled(&download, &DatasetDownload::cancelled);
        const QSignalSpy finished(&download, &DatasetDownload::finished);
        connect(
            &download, &DatasetDownload::progressed, &download, [&](DownloadPhase, qint64 bytes) {
                if (bytes > 0) {
                    download.cancel();
                }
            });
        download.start(scene.directory(), scene.archive);
        QTRY_COMPARE(cancelled.size(), 1);
        QVERIFY(!download.isRunning());
        scene.server.behave({.content = goodArchive()});
        DatasetDownload second;
        const QSignalSpy secondFinished(&second, &DatasetDownload::finished);
        second.start(scene.directory(), scene.archive);
        QTRY_COMPARE(secondFinished.size(), 1);
        QVERIFY(scene.isComplete());
        QVERIFY(finished.isEmpty());
    }

    void Download_failing_saysWhyAndCanBeRepeated()
    {
        DownloadScene scene;
        scene.server.behave({.content = goodArchive(), .status = 404});
        DatasetDownload download;
        const QSignalSpy failed(&download, &DatasetDownload::failed);
        const QSignalSpy finished(&download, &DatasetDownload::finished);
        download.start(scene.directory(), scene.archive);
        QTRY_COMPARE(failed.size(), 1);
        const QString url = QString::fromStdString(scene.archive.request.url);
        QVERIFY2(failed[0][0].toString().contains(url), qPrintable(failed[0][0].toString()));
        scene.server.behave({.content = goodArchive()});
        download.start(scene.directory(), scene.archive);
        QTRY_COMPARE(finished.size(), 1);
        QVERIFY(scene.isComplete());
    }

    void Download_destroyed_ends()
    {
        DownloadScene scene;
        scene.server.behave({.content = goodArchive(), .bytesBeforeEnd = kCut, .stalls = true});
        QElapsedTimer timer;
        {
            DatasetDownload download;
            const QSignalSpy progress(&download, &DatasetDownload::progressed);
            download.start(scene.directory(), scene.archive);
            // The first report comes before the first byte, and so before the file.
            QTRY_VERIFY(!progress.isEmpty() && progress.back()[1].toLongLong() > 0);
            timer.start();
        }
        // Long before the connection is given up as stalled.
        QVERIFY(timer.elapsed() < 10'000);
        QVERIFY(std::filesystem::exists(scene.part()));
    }
};
LOCKSTEP_TEST(TestBackgroundDownload)
#include "test_background_download.moc"
