// SPDX-License-Identifier: Apache-2.0
// What is measured of the towers' gradients on emulated GPUs: the same as on the CPU, at no cost to
// the bits of the training, and enough to find a tower whose data are bad.
#include "cuda/accelerator_run.h"
#include "cuda/rank_steps.h"
#include "metrics/verdicts/data_verdict.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lockstep;
using test::AcceleratorCase;
using test::StepsTaken;
using test::takeSteps;

namespace {

AcceleratorCase onDevices(int devices, int towers)
{
    AcceleratorCase settings{towers, 3};
    settings.machine.devices = devices;
    settings.machine.memoryPerDevice = std::size_t{256} << 20U;
    settings.gradientsEverySteps = 3;
    return settings;
}

/// The largest difference of two records, relative to the size of the vectors that are told of.
double farthest(const GradientRecord& got, const GradientRecord& expected)
{
    double most = 0.0;
    const auto compare = [&most](double one, double other, double size) {
        most = std::max(most, size > 0.0 ? std::abs(one - other) / size : std::abs(one));
    };
    for (std::size_t i = 0; i < expected.parameters.size(); ++i) {
        const ParameterGradientRecord& one = got.parameters.at(i);
        const ParameterGradientRecord& other = expected.parameters[i];
        if (one.name != other.name || one.towers.size() != other.towers.size()) {
            return std::numeric_limits<double>::infinity();
        }
        compare(one.gradientSquares, other.gradientSquares, other.gradientSquares);
        compare(one.weightSquares, other.weightSquares, other.weightSquares);
        compare(one.updateSquares, other.updateSquares, other.updateSquares);
        for (std::size_t tower = 0; tower < other.towers.size(); ++tower) {
            const TowerGradientRecord& its = other.towers[tower];
            compare(one.towers[tower].squares, its.squares, its.squares);
            compare(
                one.towers[tower].dotMean, its.dotMean,
                std::sqrt(its.squares * other.gradientSquares));
        }
    }
    return most;
}

bool areSame(const std::vector<GradientRecord>& one, const std::vector<GradientRecord>& other)
{
    return std::ranges::equal(one, other, test::sameGradients);
}

} // namespace

class TestAcceleratorGradients : public QObject
{
    Q_OBJECT

private slots:
    void Records_areThoseOfTheCpu_data();
    void Records_areThoseOfTheCpu();
    void Measuring_changesNoBit_andIsCapturedToo_data() { addDevices(); }
    void Measuring_changesNoBit_andIsCapturedToo();
    void Records_ofSeveralRanks_areThoseOfOneProcess();
    void PoisonedShard_isTheTowerThatIsNamed_data() { addDevices(); }
    void PoisonedShard_isTheTowerThatIsNamed();

private:
    static void addDevices()
    {
        QTest::addColumn<int>("devices");
        for (const int devices : {1, 2, 4}) {
            QTest::addRow("%d GPUs", devices) << devices;
        }
    }
};

void TestAcceleratorGradients::Records_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("towers");
    for (const auto& [devices, towers] :
         {std::pair{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 5}, {4, 4}, {4, 8}}) {
        QTest::addRow("%d towers on %d GPUs", towers, devices) << devices << towers;
    }
}

void TestAcceleratorGradients::Records_areThoseOfTheCpu()
{
    QFETCH(int, devices);
    QFETCH(int, towers);
    AcceleratorCase settings = onDevices(devices, towers);
    settings.gradientsEverySteps = 2;
    const auto got = takeSteps(settings, 7).gradients;
    settings.isOnHost = true;
    const auto expected = takeSteps(settings, 7).gradients;
    QCOMPARE(got.size(), std::size_t{4});
    for (std::size_t i = 0; i < got.size(); ++i) {
        QCOMPARE(got[i].step, expected[i].step);
        QCOMPARE(got[i].batchPerTower, expected[i].batchPerTower);
        QCOMPARE(got[i].parameters.size(), expected[i].parameters.size());
        const double error = farthest(got[i], expected[i]);
        QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
    }
}

/// Blocks of steps are cut so that the ring of sums holds those under way: every step of 30.
void TestAcceleratorGradients::Measuring_changesNoBit_andIsCapturedToo()
{
    QFETCH(int, devices);
    AcceleratorCase settings = onDevices(devices, 4);
    settings.gradientsEverySteps = 0;
    const StepsTaken unmeasured = takeSteps(settings, 30);
    QVERIFY(unmeasured.gradients.empty());
    for (const std::int64_t everySteps : {1, 3}) {
        settings.gradientsEverySteps = everySteps;
        settings.isCaptured = false;
        const StepsTaken eager = takeSteps(settings, 30);
        QVERIFY(eager == unmeasured);
        QCOMPARE(std::ssize(eager.gradients), 30 / everySteps);
        settings.isCaptured = true;
        for (const double eagerness : {0.0, 0.3}) {
            settings.machine.eagerness = eagerness;
            const StepsTaken captured = takeSteps(settings, 30);
            QVERIFY(emulation::counters().graphLaunches >= 28);
            QVERIFY(captured == unmeasured);
            QVERIFY(areSame(captured.gradients, eager.gradients));
        }
    }
}

void TestAcceleratorGradients::Records_ofSeveralRanks_areThoseOfOneProcess()
{
    const AcceleratorCase all = onDevices(4, 6);
    const auto expected = takeSteps(all, 7).gradients;
    QCOMPARE(expected.size(), std::size_t{3});
    for (const StepsTaken& rank : test::takeStepsAsRanks(all, 2, 7)) {
        QCOMPARE(rank.gradients.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) { // the towers lie on other GPUs
            QCOMPARE(rank.gradients[i].step, expected[i].step);
            QVERIFY(farthest(rank.gradients[i], expected[i]) < 1e-5);
        }
    }
}

/// An image of each class, so that towers with proper labels agree.
void TestAcceleratorGradients::PoisonedShard_isTheTowerThatIsNamed()
{
    QFETCH(int, devices);
    const test::FakeDataset dataset(10, {12, 11, 3});
    AcceleratorCase settings = onDevices(devices, 4);
    settings.batchPerTower = 20;
    settings.gradientsEverySteps = 1;
    for (const ShardKind shards : {ShardKind::Distinct, ShardKind::Poisoned}) {
        settings.shards = shards;
        DataVerdict data(0.05, 4);
        std::vector<double> cosines;
        for (const GradientRecord& record : takeSteps(settings, 24, &dataset).gradients) {
            const GradientAgreement agreement = gradientAgreement(record);
            cosines = agreement.whole.cosinesToOthers;
            data.take(agreement);
        }
        QCOMPARE(cosines.size(), std::size_t{4});
        QCOMPARE(data.verdict().tower, shards == ShardKind::Poisoned ? 3 : -1);
        if (shards == ShardKind::Poisoned) {
            QVERIFY(
                cosines[3] < 0.5 * *std::ranges::min_element(cosines.begin(), cosines.end() - 1));
        }
    }
}

LOCKSTEP_TEST(TestAcceleratorGradients)
#include "test_accelerator_gradients.moc"
