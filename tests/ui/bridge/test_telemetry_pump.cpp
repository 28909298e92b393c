// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/telemetry_pump.h"
#include "engine/storage.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// A step of a line: two lines differ in every loss and every time.
StepRecord recordOf(std::int64_t step, double line = 1.0)
{
    StepRecord record;
    record.step = step;
    record.lossMean = line + static_cast<double>(step);
    record.wallSeconds = line * 0.01 * static_cast<double>(step + 1);
    record.towers = {{record.lossMean, 1, 8, 0.0, 0.0, 0.125, 0.125}};
    return record;
}

/// The branch that such steps belong to.
RunBranch branchFrom(std::int64_t step)
{
    return {step, std::nullopt, 1, 8, 1000};
}

} // namespace

/// A pump and what came out of it.
struct Outlet
{
    explicit Outlet(std::size_t capacity) : pump(nullptr, capacity)
    {
        QObject::connect(&pump, &TelemetryPump::stepsArrived, [this](const auto& block) {
            records.insert(records.end(), block.begin(), block.end());
        });
        QObject::connect(&pump, &TelemetryPump::drained, [this] { ++drained; });
        QObject::connect(&pump, &TelemetryPump::stepsLost, [this](qint64 first, qint64 end) {
            lost.emplace_back(first, end);
        });
    }

    /// Whether steps [first, end) came, each at its number, and are those of one line.
    [[nodiscard]] bool isLine(std::int64_t first, std::int64_t end, double line = 1.0) const
    {
        bool isOne = static_cast<std::int64_t>(records.size()) >= end;
        for (std::int64_t step = first; isOne && step < end; ++step) {
            const StepRecord& record = records[static_cast<std::size_t>(step)];
            isOne = record.step == step && record.lossMean == recordOf(step, line).lossMean
                    && record.towers.size() == 1;
        }
        return isOne;
    }

    TelemetryPump pump;
    std::vector<StepRecord> records;
    std::vector<std::pair<qint64, qint64>> lost;
    int drained = 0;
};

class TestTelemetryPump : public QObject
{
    Q_OBJECT

private slots:
    void Steps_arrive_inBlocksAtDisplayRate()
    {
        Outlet outlet(1024);
        const QSignalSpy blocks(&outlet.pump, &TelemetryPump::stepsArrived);
        outlet.pump.begin("no store", 0, 0);
        for (std::int64_t step = 0; step < 100; ++step) {
            outlet.pump.push(recordOf(step));
        }
        QTRY_COMPARE(outlet.records.size(), std::size_t{100});
        QVERIFY(outlet.isLine(0, 100));
        QCOMPARE(blocks.size(), 1);
        outlet.pump.push(recordOf(100));
        QTRY_COMPARE(outlet.records.size(), std::size_t{101});
        QCOMPARE(blocks.size(), 2);
    }

    // Three seconds of a fast run, while the GUI thread stands still for a third of the time.
    void Steps_fiveThousandASecond_areAllTaken_andNoPushWaits()
    {
        using Clock = std::chrono::steady_clock;
        constexpr std::int64_t kSteps = 15'000;
        Outlet outlet(TelemetryPump::kCapacity);
        const QSignalSpy blocks(&outlet.pump, &TelemetryPump::stepsArrived);
        outlet.pump.begin("no store", 0, 0); // nothing could be read back
        Clock::duration pushing{0};
        std::thread engine([&] {
            const auto begin = Clock::now();
            for (std::int64_t step = 0; step < kSteps; ++step) {
                std::this_thread::sleep_until(begin + step * std::chrono::microseconds(200));
                const StepRecord record = recordOf(step);
                const auto before = Clock::now();
                outlet.pump.push(record);
                pushing += Clock::now() - before;
            }
        });
        while (static_cast<std::int64_t>(outlet.records.size()) < kSteps && outlet.lost.empty()) {
            QTest::qWait(200);
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        engine.join();
        QVERIFY(outlet.lost.empty());
        QVERIFY(outlet.isLine(0, kSteps));
        // Three seconds of steps; a push is a copy.
        QVERIFY(pushing < std::chrono::milliseconds(300));
        QVERIFY2(blocks.size() < 60, qPrintable(QString::number(blocks.size())));
    }

    void Overflow_whileRunning_isReadBackFromTheStore()
    {
        const test::TemporaryFolder folder;
        RunStore store(folder / "run.db", {std::chrono::milliseconds(200), ""});
        store.startBranch(branchFrom(0));
        Outlet outlet(8);
        outlet.pump.begin(folder / "run.db", 0, 0);
        // The GUI thread is busy: of the first 500 steps the queue keeps eight.
        for (std::int64_t step = 0; step < 500; ++step) {
            store.append(recordOf(step));
            outlet.pump.push(recordOf(step));
        }
        QTRY_COMPARE(outlet.records.size(), std::size_t{8});
        for (std::int64_t step = 500; step < 504; ++step) {
            store.append(recordOf(step));
            outlet.pump.push(recordOf(step));
        }
        QTRY_COMPARE(outlet.records.size(), std::size_t{504});
        QVERIFY(outlet.isLine(0, 504));
        QVERIFY(outlet.lost.empty());
    }

    void Overflow_afterGoingBack_takesTheNewLine()
    {
        const test::TemporaryFolder folder;
        RunStore store(folder / "run.db", {std::chrono::milliseconds(400), ""});
        store.startBranch(branchFrom(0));
        for (std::int64_t step = 0; step < 200; ++step) {
            store.append(recordOf(step, 1.0));
        }
        store.flush();
        store.startBranch(branchFrom(50));
        Outlet outlet(8);
        outlet.pump.begin(folder / "run.db", 0, 50);
        QTRY_COMPARE(outlet.records.size(), std::size_t{50});
        // The store may still show the old line when the gap is seen.
        for (std::int64_t step = 50; step < 100; ++step) {
            store.append(recordOf(step, 3.0));
            outlet.pump.push(recordOf(step, 3.0));
        }
        QTRY_COMPARE(outlet.records.size(), std::size_t{58});
        store.append(recordOf(100, 3.0));
        outlet.pump.push(recordOf(100, 3.0));
        QTRY_COMPARE(outlet.records.size(), std::size_t{101});
        QVERIFY(outlet.isLine(0, 50, 1.0));
        QVERIFY(outlet.isLine(50, 101, 3.0));
    }

    void Overflow_atTheEnd_isReadBackBeforeDrained()
    {
        const test::TemporaryFolder folder;
        Outlet outlet(8);
        outlet.pump.begin(folder / "run.db", 0, 0);
        {
            RunStore store(folder / "run.db");
            store.startBranch(branchFrom(0));
            for (std::int64_t step = 0; step < 40; ++step) {
                store.append(recordOf(step));
                outlet.pump.push(recordOf(step));
            }
        }
        outlet.pump.finish(40);
        QCOMPARE(outlet.drained, 0);
        QTRY_COMPARE(outlet.drained, 1);
        QCOMPARE(outlet.records.size(), std::size_t{40});
        QVERIFY(outlet.isLine(0, 40));
    }

    void History_comesFirst_asFarAsItIsThere()
    {
        const test::TemporaryFolder folder;
        {
            // A run that began with the checkpoint of another, at step 30.
            RunStore store(folder / "run.db");
            store.startBranch(branchFrom(30));
            for (std::int64_t step = 30; step < 9000; ++step) {
                store.append(recordOf(step));
            }
        }
        Outlet outlet(64);
        outlet.pump.push(recordOf(9000)); // may come before begin()
        outlet.pump.begin(folder / "run.db", 0, 9000);
        QTRY_COMPARE(outlet.records.size(), std::size_t{8971});
        for (std::size_t i = 0; i < outlet.records.size(); ++i) {
            QCOMPARE(outlet.records[i].step, static_cast<std::int64_t>(i) + 30);
        }
        QVERIFY(outlet.lost.empty());
    }

    void Store_thatCantBeRead_isReportedAndPassedOver()
    {
        const test::TemporaryFolder folder;
        Outlet outlet(8);
        outlet.pump.begin(folder / "nothing.db", 0, 0);
        for (std::int64_t step = 0; step < 20; ++step) {
            outlet.pump.push(recordOf(step));
        }
        QTRY_COMPARE(outlet.records.size(), std::size_t{8});
        outlet.pump.push(recordOf(20));
        QTRY_COMPARE(outlet.records.size(), std::size_t{9});
        QCOMPARE(outlet.records.back().step, 20);
        QCOMPARE(outlet.lost, (std::vector<std::pair<qint64, qint64>>{{8, 20}}));
        outlet.pump.finish(21);
        QTRY_COMPARE(outlet.drained, 1);
    }

    void Pump_withNothingToDo_doesNothing()
    {
        Outlet outlet(64);
        outlet.pump.begin("no store", 0, 0);
        outlet.pump.push(recordOf(0));
        QTRY_COMPARE(outlet.records.size(), std::size_t{1});
        QTest::qWait(400); // it looks once more, in vain
        QAbstractEventDispatcher* dispatcher = QAbstractEventDispatcher::instance();
        while (dispatcher->processEvents(QEventLoop::AllEvents)) {
        }
        // A timer that went on would fire in this time.
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        QVERIFY(!dispatcher->processEvents(QEventLoop::AllEvents));
    }

    void Pump_destroyedWhileItWaitsForTheStore_ends()
    {
        const test::TemporaryFolder folder;
        RunStore store(folder / "run.db", {std::chrono::hours(1), ""});
        Outlet outlet(8);
        outlet.pump.begin(folder / "run.db", 0, 0);
        // Step 20 will not be in the store for an hour.
        outlet.pump.push(recordOf(0));
        outlet.pump.push(recordOf(20));
        QTRY_COMPARE(outlet.records.size(), std::size_t{1});
        QTest::qWait(100);
        QCOMPARE(outlet.records.size(), std::size_t{1});
    }

    void Pump_destroyedWhileItReads_ends()
    {
        const test::TemporaryFolder folder;
        {
            RunStore store(folder / "run.db");
            store.startBranch(branchFrom(0));
            for (std::int64_t step = 0; step < 60'000; ++step) {
                store.append(recordOf(step));
            }
        }
        // More blocks than are kept ready: the reader waits for the pump when that goes.
        Outlet outlet(8);
        outlet.pump.begin(folder / "run.db", 0, 60'000);
        // No QTRY_VERIFY, which waits long enough between two looks for all of it to come.
        const QDeadlineTimer deadline(5000);
        while (outlet.records.empty() && !deadline.hasExpired()) {
            QCoreApplication::processEvents();
        }
        QVERIFY(!outlet.records.empty());
        QVERIFY(outlet.records.size() < 60'000);
    }
};
LOCKSTEP_TEST(TestTelemetryPump)
#include "test_telemetry_pump.moc"
