// SPDX-License-Identifier: Apache-2.0
// Towers that go over their batch in several passes on emulated GPUs: the same as on the CPU, and
// as one pass.
#include "cuda/accelerator_run.h"
#include "cuda/branched_network.h"
#include "cuda/spoilt_dataset.h"
#include "support/compare.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::StepsTaken;
using test::takeSteps;

namespace {

constexpr std::int64_t kSteps = 10;
/// As of any steps on the CPU and on a GPU.
constexpr double kAllowed = 5e-4;

bool areNear(const StepsTaken& got, const StepsTaken& expected, double allowed)
{
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        if (std::abs(got.losses[i] - expected.losses[i]) > allowed * expected.losses[i]) {
            return false;
        }
    }
    return test::relativeError<float, float>(got.weights, expected.weights) < allowed
           && test::relativeError<float, float>(got.averages, expected.averages) < allowed;
}

} // namespace

class TestAcceleratorPasses : public QObject
{
    Q_OBJECT

private slots:
    void Passes_areThoseOfTheCpu_data();
    void Passes_areThoseOfTheCpu();
    void Passes_ofANormalisedNetwork_areThoseOfTheCpu_data();
    void Passes_ofANormalisedNetwork_areThoseOfTheCpu();
    void Passes_firstLoss_isThatOfOnePass();
    void Passes_replayedAndInAnyOrder_haveTheSameBits();
    void Loss_notANumber_namesTheTower();
};

void TestAcceleratorPasses::Passes_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("passes");
    QTest::addColumn<int>("devices");
    QTest::newRow("1 tower, 4 passes") << 1 << 4 << 1;
    QTest::newRow("3 towers, 2 passes") << 3 << 2 << 1;
    QTest::newRow("3 towers on 2 GPUs, 3 passes") << 3 << 3 << 2;
}

/// And N towers x A passes are one tower in one pass. A set that is too large for the device is
/// streamed.
void TestAcceleratorPasses::Passes_areThoseOfTheCpu()
{
    QFETCH(int, towers);
    QFETCH(int, passes);
    QFETCH(int, devices);
    const test::FakeDataset large(40'000, {12, 11, 3});
    AcceleratorCase settings{towers, 2 * passes};
    settings.machine.devices = devices;
    settings.optimizer.clipNorm = 1.0;
    settings.passes = passes;
    settings.gradientsEverySteps = 4;
    AcceleratorCase host = settings;
    host.isOnHost = true;
    AcceleratorCase one = settings;
    one.towers = one.machine.devices = one.passes = 1;
    one.batchPerTower *= towers;
    const StepsTaken expected = takeSteps(host, kSteps, &large);
    for (const std::size_t megabytes : {64U, 40U}) {
        settings.machine.memoryPerDevice = megabytes << 20U;
        const StepsTaken got = takeSteps(settings, kSteps, &large);
        QCOMPARE(emulation::lastFault(), std::string());
        QVERIFY(areNear(got, expected, kAllowed));
        QVERIFY(areNear(got, takeSteps(one, kSteps, &large), kAllowed));
        QCOMPARE(got.gradients.size(), expected.gradients.size());
        const auto& parameter = expected.gradients.back().parameters.front();
        for (std::size_t i = 0; i < parameter.towers.size(); ++i) {
            const auto& tower = got.gradients.back().parameters.front().towers.at(i);
            QVERIFY(std::abs(tower.squares / parameter.towers[i].squares - 1.0) < 0.01);
        }
    }
    host.passes = 1;
    host.optimizer.clipNorm = 0.0;
    QVERIFY(!areNear(takeSteps(host, kSteps, &large), expected, kAllowed)); // it was clipped
}

void TestAcceleratorPasses::Passes_ofANormalisedNetwork_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("mode");
    QTest::addColumn<int>("devices");
    QTest::newRow("batch") << static_cast<int>(NormalizationMode::Batch) << 1;
    QTest::newRow("synchronised") << static_cast<int>(NormalizationMode::Synchronised) << 1;
    QTest::newRow("on 2 GPUs") << static_cast<int>(NormalizationMode::Synchronised) << 2;
}

/// The running moments among the parameters are those of the CPU, too.
void TestAcceleratorPasses::Passes_ofANormalisedNetwork_areThoseOfTheCpu()
{
    QFETCH(int, mode);
    QFETCH(int, devices);
    AcceleratorCase settings{2, 6};
    settings.passes = 3;
    settings.machine.devices = devices;
    settings.network = test::BranchedNetwork{static_cast<NormalizationMode>(mode)}.build();
    const StepsTaken got = takeSteps(settings, 6);
    settings.isOnHost = true;
    const StepsTaken expected = takeSteps(settings, 6);
    QVERIFY(areNear(got, expected, kAllowed));
    settings.passes = 1; // whose moments are of other rows
    QVERIFY(!areNear(takeSteps(settings, 6), expected, kAllowed));
}

void TestAcceleratorPasses::Passes_firstLoss_isThatOfOnePass()
{
    AcceleratorCase settings{1, 128};
    const double expected = takeSteps(settings, 1).losses.front();
    settings.passes = 4;
    const double loss = takeSteps(settings, 1).losses.front();
    QVERIFY2(std::abs(loss / expected - 1.0) < 1e-6, qPrintable(QString::number(loss, 'g', 9)));
}

void TestAcceleratorPasses::Passes_replayedAndInAnyOrder_haveTheSameBits()
{
    AcceleratorCase settings{3, 6};
    settings.passes = 3;
    settings.machine.devices = 2;
    const StepsTaken replayed = takeSteps(settings, kSteps);
    QVERIFY(emulation::counters().graphLaunches > 0);
    settings.isCaptured = false;
    for (const std::uint64_t seed : {2U, 3U}) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed == 2 ? 0.3 : 0.0;
        QVERIFY(takeSteps(settings, kSteps) == replayed);
    }
}

void TestAcceleratorPasses::Loss_notANumber_namesTheTower()
{
    AcceleratorCase settings{3, 4};
    settings.passes = 2;
    test::SpoiltDataset dataset(37, {12, 11, 3});
    for (const std::int64_t example : {3, 20, 36}) {
        dataset.spoilt = example;
        const test::Place place = test::placeOf(example, settings, dataset.size());
        AcceleratorRun run(settings, &dataset);
        run.start();
        run.losses(0, place.step);
        const StepOutcome outcome = run.stepper->next(place.step + 1);
        QVERIFY(outcome.fault);
        QCOMPARE(outcome.fault->parameter, -1);
        QCOMPARE(outcome.fault->tower, place.tower);
    }
}

LOCKSTEP_TEST(TestAcceleratorPasses)
#include "test_accelerator_passes.moc"
