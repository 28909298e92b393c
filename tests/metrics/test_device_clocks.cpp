// SPDX-License-Identifier: Apache-2.0
#include "metrics/device_clocks.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>

using namespace lockstep;

/// Clocks that are known beforehand: seconds ahead, drifting, and a sum that ends a little earlier
/// on one device than on the other, but never before the last one's part was there.
class TestDeviceClocks : public QObject
{
    Q_OBJECT

private slots:
    void Clocks_knownOffsetAndDrift_areFound_data();
    void Clocks_knownOffsetAndDrift_areFound();
    void Clocks_ofOneDevice_areItsOwn();
};

void TestDeviceClocks::Clocks_knownOffsetAndDrift_areFound_data()
{
    QTest::addColumn<double>("drift");
    QTest::addColumn<double>("late"); // nanoseconds by which device 1 always comes last
    QTest::addColumn<int>("pause");   // after which block; -1: none
    QTest::newRow("alike") << 0.0 << 0.0 << -1;
    QTest::newRow("fast") << 50e-6 << 0.0 << -1;
    QTest::newRow("slow, and the last one") << -50e-6 << 20e6 << -1;
    QTest::newRow("a minute's pause") << 50e-6 << 20e6 << 8;
}

void TestDeviceClocks::Clocks_knownOffsetAndDrift_areFound()
{
    QFETCH(double, drift);
    QFETCH(double, late);
    QFETCH(int, pause);
    constexpr double kLength = 20'000.0; // of a sum
    const auto clockOf = [&](std::size_t device, double now) {
        const std::int64_t begin = 1'700'000'000'000'000'000;
        return device == 1 ? begin + std::llround(now)
                           : begin - 3'000'000'000 + 7 * static_cast<std::int64_t>(device)
                                 + std::llround(now * (1.0 + drift));
    };
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> share(0.0, 1.0);
    DeviceClocks clocks(3, 1);
    double now = 0.0;
    for (int block = 0; block < 20; ++block) {
        for (int i = 0; i < 30; ++i) {
            const double lastPart = now + late;
            std::vector<DeviceClocks::Sum> sums;
            for (std::size_t device = 0; device < 3; ++device) {
                const double part = device == 1 ? lastPart : now + 5e3 * share(random);
                const double end = lastPart + 5e3 + kLength * (0.5 + 0.5 * share(random));
                sums.push_back({clockOf(device, part), clockOf(device, end)});
            }
            clocks.add(sums);
            now += 270e3 + late;
        }
        clocks.update();
        const double allowed = 1e9 * clocks.uncertaintySeconds();
        QVERIFY(allowed > 0.0 && allowed <= kLength + 5e3);
        for (const std::size_t device : {0U, 1U, 2U}) {
            const double moment = now - 1e6 * share(random);
            const auto got = clocks.toReference(device, clockOf(device, moment));
            QVERIFY(std::abs(static_cast<double>(got - clockOf(1, moment))) <= allowed + 2.0);
        }
        now += block == pause ? 60e9 : 0.0;
    }
    QVERIFY(clocks.uncertaintySeconds() < 12e-6); // no sum takes less than 15 us
}

void TestDeviceClocks::Clocks_ofOneDevice_areItsOwn()
{
    DeviceClocks clocks(1);
    clocks.add(std::vector<DeviceClocks::Sum>{{5, 9}});
    clocks.update();
    QCOMPARE(clocks.toReference(0, 12345), std::int64_t{12345});
    QCOMPARE(clocks.uncertaintySeconds(), 0.0);
}

LOCKSTEP_TEST(TestDeviceClocks)
#include "test_device_clocks.moc"
