// SPDX-License-Identifier: Apache-2.0
#include "session/run/watchdog.h"
#include "support/lockstep_test.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

using namespace lockstep;

namespace {

/// A watch of a run that is played, and what it tells.
class WatchScene
{
public:
    WatchScene(double stuckSeconds, int diskCheckpoints)
    {
        WatchdogSettings settings;
        settings.stuckSeconds = stuckSeconds;
        settings.diskCheckpoints = diskCheckpoints;
        settings.folder = "/runs/a";
        settings.lookAtDiskEvery = std::chrono::milliseconds(20);
        settings.freeBytes = [this](const auto& folder) -> std::optional<std::uintmax_t> {
            ++looks;
            const std::int64_t bytes = free;
            return folder != "/runs/a" || bytes < 0 ? std::nullopt : std::optional(bytes);
        };
        m_watch = std::make_unique<Watchdog>(std::move(settings), [this](const AlertRecord& alert) {
            const std::scoped_lock lock(m_mutex);
            m_told.push_back(alert);
        });
    }

    [[nodiscard]] Watchdog& watch() const { return *m_watch; }
    void end() { m_watch.reset(); }
    [[nodiscard]] std::vector<AlertRecord> told() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_told;
    }

    std::atomic<std::int64_t> free = -1; ///< -1: the file system does not tell
    std::atomic<int> looks = 0;

private:
    mutable std::mutex m_mutex;
    std::vector<AlertRecord> m_told;
    std::unique_ptr<Watchdog> m_watch; // ends first
};

} // namespace

class TestWatchdog : public QObject
{
    Q_OBJECT
private slots:
    static void Stuck_isToldOnce_andWhenItGoesOn();
    static void Stuck_inACheckpoint_namesTheFolder();
    static void Stuck_inAnythingElse_isNone();
    static void Stuck_afterASaveInAPause_isNone();
    static void Stuck_switchedOff_isNone();
    static void Stuck_whileTheProcessWasStopped_isNone();
    static void Disk_table_data();
    static void Disk_table();
    static void Disk_thatGetsRoom_isOver();
    static void Disk_beforeACheckpoint_isNotLookedAt();
    static void Disk_checkpointDuringALook_isLookedAtAgain();
};

void TestWatchdog::Stuck_isToldOnce_andWhenItGoesOn()
{
    WatchScene scene(0.3, 0);
    scene.watch().begin(Watchdog::Activity::Step);
    scene.watch().onStep(7, 0.001);
    QTRY_COMPARE(scene.told().size(), 1U);
    QTest::qWait(700);
    QCOMPARE(scene.told().size(), 1U);
    const AlertRecord stuck = scene.told().front();
    QVERIFY(stuck.kind == AlertKind::Stuck && !stuck.isOver);
    QCOMPARE(stuck.step, 7);
    scene.watch().onStep(8, 0.25);
    QCOMPARE(scene.told().size(), 2U); // at once
    QVERIFY(scene.told().back().isOver);
    QCOMPARE(scene.told().back().step, 8);
    // And again: another episode.
    QTRY_COMPARE(scene.told().size(), 3U);
}

void TestWatchdog::Stuck_inACheckpoint_namesTheFolder()
{
    WatchScene scene(0.05, 0);
    scene.watch().onStep(7, 0.001);
    const WatchedActivity saving(&scene.watch(), Watchdog::Activity::Save);
    QTRY_COMPARE(scene.told().size(), 1U);
    const std::string text = scene.told().front().text;
    QVERIFY2(text.find("checkpoint") != std::string::npos, text.c_str());
    QVERIFY2(text.find("/runs/a") != std::string::npos, text.c_str());
}

void TestWatchdog::Stuck_inAnythingElse_isNone()
{
    WatchScene scene(0.5, 0);
    scene.watch().onStep(7, 0.001);
    {
        const WatchedActivity evaluating(&scene.watch(), Watchdog::Activity::Other);
        QTest::qWait(1200);
    }
    scene.watch().onStep(8, 0.001);
    QCOMPARE(scene.told().size(), 0U);
}

// What is asked for in a pause, a checkpoint and in it an evaluation, does not end the pause.
void TestWatchdog::Stuck_afterASaveInAPause_isNone()
{
    WatchScene scene(0.1, 0);
    scene.watch().onStep(7, 0.001);
    scene.watch().begin(Watchdog::Activity::Other);
    {
        const WatchedActivity saving(&scene.watch(), Watchdog::Activity::Save);
        const WatchedActivity evaluating(&scene.watch(), Watchdog::Activity::Other);
    }
    QTest::qWait(600);
    QCOMPARE(scene.told().size(), 0U);
    scene.watch().begin(Watchdog::Activity::Step);
    QTRY_COMPARE(scene.told().size(), 1U); // it still watches
}

void TestWatchdog::Stuck_switchedOff_isNone()
{
    WatchScene scene(0.0, 0);
    scene.watch().onStep(7, 0.001);
    QTest::qWait(200);
    scene.end();
    QCOMPARE(scene.told().size(), 0U);
    QCOMPARE(scene.looks.load(), 0);
}

/// As by a scheduler that suspends a job. In a process of its own, which the test can go without.
void TestWatchdog::Stuck_whileTheProcessWasStopped_isNone()
{
    const pid_t stopped = fork();
    if (stopped == 0) {
        WatchScene scene(1.0, 0);
        scene.watch().begin(Watchdog::Activity::Step);
        scene.watch().onStep(0, 0.01); // before the first one it is more patient
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        std::raise(SIGSTOP);
        std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the step in flight
        scene.watch().onStep(1, 0.1);
        _exit(static_cast<int>(scene.told().size()));
    }
    int status = 0;
    QCOMPARE(waitpid(stopped, &status, WUNTRACED), stopped);
    QVERIFY(WIFSTOPPED(status));
    QTest::qWait(2000);
    QCOMPARE(kill(stopped, SIGCONT), 0);
    QCOMPARE(waitpid(stopped, &status, 0), stopped);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void TestWatchdog::Disk_table_data()
{
    QTest::addColumn<qint64>("free");
    QTest::addColumn<bool>("isLow");
    QTest::newRow("nothing") << qint64{0} << true;
    QTest::newRow("for one") << qint64{1'999'999} << true;
    QTest::newRow("for two") << qint64{2'000'000} << false;
    QTest::newRow("much") << qint64{1'000'000'000'000} << false;
    QTest::newRow("not told") << qint64{-1} << false;
}

void TestWatchdog::Disk_table()
{
    QFETCH(qint64, free);
    QFETCH(bool, isLow);
    WatchScene scene(0.0, 2);
    scene.free = free;
    scene.watch().onCheckpoint(1'000'000);
    QTRY_VERIFY(scene.looks >= 5); // again and again
    scene.end();
    QCOMPARE(scene.told().size(), isLow ? 1U : 0U);
    if (isLow) {
        const AlertRecord alert = scene.told().front();
        QVERIFY(alert.kind == AlertKind::DiskLow);
        QVERIFY2(alert.text.find("1.0 MiB") != std::string::npos, alert.text.c_str());
        QVERIFY2(alert.text.find("/runs/a") != std::string::npos, alert.text.c_str());
    }
}

void TestWatchdog::Disk_thatGetsRoom_isOver()
{
    WatchScene scene(0.0, 2);
    scene.free = 0;
    scene.watch().onCheckpoint(1'000'000);
    QTRY_COMPARE(scene.told().size(), 1U);
    scene.free = 2'500'000; // not much yet
    const int looks = scene.looks;
    QTRY_VERIFY(scene.looks >= looks + 3);
    QCOMPARE(scene.told().size(), 1U);
    scene.free = 3'000'000;
    QTRY_COMPARE(scene.told().size(), 2U);
    QVERIFY(scene.told().back().isOver);
}

void TestWatchdog::Disk_beforeACheckpoint_isNotLookedAt()
{
    WatchScene scene(0.0, 2);
    scene.free = 0;
    QTest::qWait(100);
    scene.end();
    QCOMPARE(scene.told().size(), 0U);
}

void TestWatchdog::Disk_checkpointDuringALook_isLookedAtAgain()
{
    Watchdog* watched = nullptr;
    std::atomic<int> looks = 0;
    WatchdogSettings settings;
    settings.stuckSeconds = 0.0;
    settings.lookAtDiskEvery = std::chrono::minutes(10);
    settings.freeBytes = [&](const auto& /*folder*/) -> std::optional<std::uintmax_t> {
        if (++looks == 1) {
            watched->onCheckpoint(2'000'000);
        }
        return std::nullopt;
    };
    Watchdog watch(std::move(settings), [](const AlertRecord& /*alert*/) {});
    watched = &watch;
    watch.onCheckpoint(1'000'000);
    QTRY_COMPARE(looks.load(), 2);
}

LOCKSTEP_TEST(TestWatchdog)
#include "test_watchdog.moc"
