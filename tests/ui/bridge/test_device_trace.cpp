// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/readers/device_history.h"
#include "ui/session_witness.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

DeviceReadingRecord reading(double time, double load, double watts = -1.0)
{
    DeviceReadingRecord record;
    record.time = time;
    record.device = "cuda:0";
    record.load = load;
    record.powerWatts = watts;
    return record;
}

/// Between breaks: how many points each part has.
std::vector<int> partsOf(const std::vector<QPointF>& points)
{
    std::vector<int> parts{0};
    for (const QPointF& point : points) {
        std::isnan(point.y()) ? parts.push_back(0) : void(++parts.back());
    }
    return parts;
}

std::vector<QPointF> pointsOf(const DeviceTraces& traces, DeviceTrace::Quantity quantity)
{
    return traces.devices().front().lines[quantity].points();
}

} // namespace

/// What devices told of themselves over time.
class TestDeviceTrace : public QObject
{
    Q_OBJECT

private slots:
    static void Line_long_keepsEveryExtreme()
    {
        ThinnedLine line;
        constexpr int kValues = 1'000'000;
        for (int i = 0; i < kValues; ++i) {
            const bool isSpike = i == 123'456 || i == 777'777;
            line.append(i, isSpike ? (i == 123'456 ? 9.0 : -9.0) : std::sin(i * 0.001));
        }
        const std::vector<QPointF> points = line.points();
        QVERIFY(points.size() <= 2 * ThinnedLine::kMostNodes);
        QVERIFY(points.size() >= ThinnedLine::kMostNodes);
        const auto [least, most] = std::ranges::minmax_element(points, {}, &QPointF::y);
        QCOMPARE(most->y(), 9.0);
        QCOMPARE(least->y(), -9.0);
        // A node begins at its first value and holds 512 or 1,024 of them.
        QVERIFY(std::abs(most->x() - 123'456) <= 1024 && std::abs(least->x() - 777'777) <= 1024);
        QVERIFY(std::ranges::is_sorted(points, {}, &QPointF::x));
        for (const QPointF& point : points) {
            if (std::abs(point.y()) < 8.0) { // is near what the line was there
                QVERIFY(std::abs(point.y() - std::sin(point.x() * 0.001)) < 1.1);
            }
        }
    }

    static void Line_long_keepsItsBreaks()
    {
        ThinnedLine line;
        for (int i = 0; i < 10'000; ++i) {
            if (i == 4'000 || i == 9'000) {
                line.breakAt(i);
                line.breakAt(i); // twice is once
            }
            line.append(i, 1.0);
        }
        QCOMPARE(partsOf(line.points()).size(), std::size_t{3});
        QVERIFY(line.points().size() <= ThinnedLine::kMostNodes + 2);
    }

    static void Traces_areOverTheTimeOfTraining()
    {
        DeviceTraces traces;
        for (const double time : {1000.0, 1001.0, 1002.5, 90'000.0, 90'001.0, 500.0, 501.0}) {
            traces.append(reading(time, 0.5));
        }
        // Days between the second and the third part, and a clock that was set back.
        QCOMPARE(traces.seconds(), 2.5 + 1.0 + 1.0 + 1.0 + 1.0);
        QCOMPARE(partsOf(pointsOf(traces, DeviceTrace::Load)), (std::vector<int>{3, 2, 2}));
        QVERIFY(traces.devices().front().lines[DeviceTrace::Temperature].isEmpty());
    }

    static void Energy_isThePowerOverTheTime()
    {
        DeviceTraces traces;
        // 100 W growing by 1 W a second, for 360 s: a mean of 280 W, 28 Wh.
        for (int i = 0; i <= 360; ++i) {
            traces.append(reading(1000.0 + i, 1.0, 100.0 + i));
        }
        QVERIFY(std::abs(*traces.devices().front().wattHours - 28.0) < 1e-6);
        traces.append(reading(50'000.0, 1.0, 700.0)); // what it took in between nobody knows
        QVERIFY(std::abs(*traces.devices().front().wattHours - 28.0) < 1e-6);
        traces.append(reading(50'001.0, 1.0, 700.0));
        QVERIFY(std::abs(*traces.devices().front().wattHours - 28.0 - 700.0 / 3600.0) < 1e-6);
    }

    static void Energy_unknownPower_isUnknown()
    {
        DeviceTraces traces;
        traces.append(reading(1.0, 0.5));
        traces.append(reading(2.0, 0.5));
        QVERIFY(!traces.devices().front().wattHours);
        QVERIFY(traces.devices().front().lines[DeviceTrace::Power].isEmpty());
    }

    static void Throttling_isMarkedWhereItBegins()
    {
        DeviceTraces traces;
        for (int i = 0; i < 10; ++i) {
            DeviceReadingRecord record = reading(100.0 + i, 1.0);
            record.throttleReason = i >= 3 && i < 6    ? "power limit"
                                    : i == 6 || i == 8 ? "heat"
                                                       : "";
            traces.append(record);
        }
        std::vector<double> seconds;
        QStringList reasons;
        for (const DeviceTrace::Throttling& each : traces.devices().front().throttlings) {
            seconds.push_back(each.seconds);
            reasons.append(each.reason);
        }
        QCOMPARE(seconds, (std::vector<double>{3.0, 6.0, 8.0}));
        QCOMPARE(reasons.join('|'), "power limit|heat|heat");
    }

    // A window that watched, and one that opens the run afterwards, know the same.
    static void History_readAndLive_isThatOfTheStore()
    {
        const test::TemporaryFolder folder;
        DeviceTraces live;
        {
            SessionWitness witness;
            LiveRun run(witness.controller);
            const DeviceHistory history(run);
            witness.controller.start({smallConfig(kEndless), folder / "run"});
            QTRY_VERIFY(witness.readings.size() >= 3);
            witness.controller.send(command::Stop{});
            QTRY_VERIFY(witness.controller.canStart());
            live = history.traces();
        }
        DeviceTraces stored;
        const auto records =
            RunStoreReader(RunFolder::storeFileOf(folder / "run")).deviceReadings();
        for (const DeviceReadingRecord& record : records) {
            stored.append(record);
        }
        SessionWitness witness;
        LiveRun run(witness.controller);
        const DeviceHistory history(run);
        witness.controller.open(folder / "run");
        QTRY_COMPARE(history.traces().devices().size(), std::size_t{1});
        QCOMPARE(history.problem(), QString());
        QTRY_COMPARE(history.traces().seconds(), stored.seconds());
        QCOMPARE(live.seconds(), stored.seconds());
        QCOMPARE(live.devices().front().device, "cpu");
        for (const auto quantity :
             {DeviceTrace::Load, DeviceTrace::Memory, DeviceTrace::ProcessMemory}) {
            QVERIFY(!pointsOf(stored, quantity).empty());
            QCOMPARE(pointsOf(history.traces(), quantity), pointsOf(stored, quantity));
            QCOMPARE(pointsOf(live, quantity), pointsOf(stored, quantity));
        }
        QVERIFY(live.devices().front().newest.processMemoryBytes > std::int64_t{10} << 20);
    }

    static void History_ofAGpuRun_isRead()
    {
        const test::TemporaryFolder folder;
        {
            SessionWitness witness;
            witness.controller.start({smallConfig(3), folder / "run"});
            QTRY_COMPARE(witness.controller.state(), SessionController::State::Finished);
        }
        tellOfTwoGpus(folder / "run", 2);
        SessionWitness witness;
        LiveRun run(witness.controller);
        const DeviceHistory history(run);
        witness.controller.open(folder / "run");
        const auto found = [&](const char* device) { return history.traces().find(device); };
        QTRY_VERIFY(found("cuda:1") != nullptr && found("cuda:0") != nullptr);
        QCOMPARE(found("cuda:0")->lines[DeviceTrace::Temperature].points().size(), std::size_t{2});
        QVERIFY(std::abs(*found("cuda:0")->wattHours - (120.0 + 655.0) / 2.0 / 3600.0) < 1e-9);
        QVERIFY(!found("cuda:1")->wattHours); // one reading
        QCOMPARE(found("cuda:1")->throttlings.size(), std::size_t{1});
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestDeviceTrace)
#include "test_device_trace.moc"
