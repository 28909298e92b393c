// SPDX-License-Identifier: Apache-2.0
// Towers on several emulated GPUs, whose gradients are summed bucket by bucket beside the backward
// pass: the same as on one, in any order of the devices' work.
#include "averaging/gradient_buckets.h"
#include "cuda/accelerator_run.h"
#include "network/models/catalog.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "tower/placement.h"

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::StepsTaken;
using test::takeSteps;

namespace {

constexpr std::int64_t kSteps = 6;

AcceleratorCase onDevices(int devices, int towers)
{
    AcceleratorCase settings{towers, 2};
    settings.machine.devices = devices;
    settings.machine.memoryPerDevice = std::size_t{256} << 20U;
    return settings;
}

} // namespace

class TestAcceleratorSeveralDevices : public QObject
{
    Q_OBJECT

private slots:
    void Placement_spreadsTowersInOrder();
    void Buckets_coverTheArenaInBackwardOrder();
    void Steps_onSeveralGpus_areThoseOfOne_data();
    void Steps_onSeveralGpus_areThoseOfOne();
    void Steps_onSeveralGpus_replayedAndInAnyOrder_haveTheSameBits();
    void Gpus_moreThanTowers_areLeftAlone();
};

void TestAcceleratorSeveralDevices::Placement_spreadsTowersInOrder()
{
    const auto counts = [](int towers, int devices) {
        QList<int> list;
        int next = 0;
        for (const TowerRange& range : placeTowers(towers, devices)) {
            if (range.first != next) {
                return QList<int>{-1};
            }
            next += range.count;
            list.append(range.count);
        }
        return next == towers ? list : QList<int>{-1};
    };
    QCOMPARE(counts(8, 1), (QList<int>{8}));
    QCOMPARE(counts(8, 4), (QList<int>{2, 2, 2, 2}));
    QCOMPARE(counts(7, 3), (QList<int>{3, 2, 2}));
    QCOMPARE(counts(2, 4), (QList<int>{1, 1, 0, 0}));
}

void TestAcceleratorSeveralDevices::Buckets_coverTheArenaInBackwardOrder()
{
    const NetworkSpec network = cifar10Network();
    const ParameterLayout layout(network);
    const auto buckets = planBuckets(network, layout, 4);
    // The fully connected layers are ready first and are nine tenths of all.
    QCOMPARE(buckets.size(), std::size_t{2});
    QCOMPARE(buckets[0].offset, std::int64_t{0});
    QCOMPARE(buckets[1].offset, buckets[0].count);
    QCOMPARE(buckets[0].count + buckets[1].count, layout.elements);
    QVERIFY(buckets[0].count > layout.elements * 8 / 10);
    QCOMPARE(
        network.layers[static_cast<std::size_t>(buckets[0].firstLayer)].name,
        std::string("local3"));
    QCOMPARE(buckets[1].firstLayer, 0);
    const auto one = planBuckets(network, layout, 1);
    QCOMPARE(one.size(), std::size_t{1});
    QCOMPARE(one[0].count, layout.elements);
    QCOMPARE(one[0].firstLayer, 0);
}

void TestAcceleratorSeveralDevices::Steps_onSeveralGpus_areThoseOfOne_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("towers");
    for (const auto& [devices, towers] : {std::pair{2, 2}, {2, 3}, {3, 8}, {8, 8}}) {
        QTest::addRow("%d towers on %d GPUs", towers, devices) << devices << towers;
    }
}

void TestAcceleratorSeveralDevices::Steps_onSeveralGpus_areThoseOfOne()
{
    QFETCH(int, devices);
    QFETCH(int, towers);
    const StepsTaken one = takeSteps(onDevices(1, towers), kSteps);
    AcceleratorRun run(onDevices(devices, towers));
    run.start();
    const auto losses = run.losses(0, kSteps);
    QVERIFY(emulation::lastFault().empty());
    for (std::size_t i = 0; i < losses.size(); ++i) {
        QVERIFY(std::abs(losses[i] - one.losses[i]) < 1e-5 * one.losses[i]);
    }
    const double error = test::relativeError<float, float>(run.parameters(), one.weights);
    QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
    QCOMPARE(run.stepper->placeOf(0), std::string("cuda:0"));
    QCOMPARE(
        run.stepper->placeOf(towers - 1), "cuda:" + std::to_string(std::min(devices, towers) - 1));
}

void TestAcceleratorSeveralDevices::Steps_onSeveralGpus_replayedAndInAnyOrder_haveTheSameBits()
{
    AcceleratorCase settings = onDevices(3, 4);
    settings.isCaptured = false;
    const StepsTaken eager = takeSteps(settings, kSteps);
    settings.isCaptured = true;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed == 3 ? 0.3 : 0.0;
        QVERIFY(takeSteps(settings, kSteps) == eager);
    }
}

void TestAcceleratorSeveralDevices::Gpus_moreThanTowers_areLeftAlone()
{
    AcceleratorRun run(onDevices(4, 2));
    run.start();
    QCOMPARE(run.losses(0, 2).size(), std::size_t{2});
    QCOMPARE(run.stepper->placeOf(1), std::string("cuda:1"));
}

LOCKSTEP_TEST(TestAcceleratorSeveralDevices)
#include "test_accelerator_several_devices.moc"
