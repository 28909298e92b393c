// SPDX-License-Identifier: Apache-2.0
// What normalisation does to the law of towers: N towers of B rows equal one tower of N * B where
// rows are normalised alone or over all towers, and only there. And what a phase leaves alone.
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "support/mask_network.h"
#include "support/precisions.h"
#include "support/tower_run.h"
#include "update/optimizer.h"

using namespace lockstep;
using Mode = NormalizationMode;

namespace {

constexpr std::uint64_t kNormalisedSeed = 9;

NetworkSpec networkFor(Mode mode, const std::string& objectives = "joint")
{
    const NetworkSpec whole = test::maskNetwork(mode);
    return whole.withObjectives(objectivesNamed(whole, objectives), {});
}

Batch maskedBatch(const NetworkSpec& network, std::int64_t rows)
{
    test::Random random(11);
    test::Examples examples = test::randomExamples(network, rows, random);
    // Images that differ much, so that whose moments are taken matters.
    const std::size_t elements = examples.images.size() / static_cast<std::size_t>(rows);
    for (std::size_t i = 0; i < examples.images.size(); ++i) {
        const std::size_t number = i / elements;
        const auto row = static_cast<float>(number);
        examples.images[i] = examples.images[i] * (1.0F + row) + 0.5F * row;
    }
    Batch batch;
    batch.examples = rows;
    batch.shape = network.inputShape();
    batch.images = std::move(examples.images);
    batch.labels = std::move(examples.labels);
    batch.maskShape = network.maskShape;
    batch.masks = std::move(examples.masks);
    return batch;
}

/// Mean over the towers of the sum of their lanes, by parameter.
std::vector<std::vector<float>> averageOf(
    const NetworkSpec& network, const TowerShape& shape, const Batch& batch,
    Precision precision = Precision::Float32)
{
    const cpu::CpuDevice device;
    const ParameterArena arena(device, network, precision);
    arena.initialize(network, kNormalisedSeed);
    TowerTeam team(device, network, arena.layout(), shape, {.precision = precision});
    team.forwardBackward(batch, arena.weightsView());
    std::vector<std::vector<float>> means;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        auto& mean =
            means.emplace_back(static_cast<std::size_t>(network.parameters[i].elements()), 0.0F);
        for (const LaneGradient& lane : team.gradients()) {
            const float* values = lane.values + arena.layout().offsets[i];
            for (std::size_t k = 0; k < mean.size(); ++k) {
                mean[k] += values[k] / static_cast<float>(shape.towers);
            }
        }
    }
    return means;
}

/// The largest relative error of a tensor that training changes. One that is all rounding (what a
/// normalisation takes out again) is measured against the largest.
double largestError(
    const NetworkSpec& network, const std::vector<std::vector<float>>& got,
    const std::vector<std::vector<float>>& expected)
{
    double largest = 0.0;
    for (const auto& values : expected) {
        largest = std::max(largest, test::norm<float>(values));
    }
    double error = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (network.updatedParameters()[i]) {
            error = std::max(
                error, test::relativeError<float, float>(got[i], expected[i], 1e-4 * largest));
        }
    }
    return error;
}

} // namespace

class TestNormalisedTowers : public QObject
{
    Q_OBJECT

private slots:
    void Towers_ofNormalisedRows_equalOneTower_whereTheMomentsAreTheSame_data()
    {
        QTest::addColumn<Mode>("mode");
        QTest::addColumn<bool>("isEqual");
        QTest::newRow("per image") << Mode::PerImage << true;
        QTest::newRow("batch") << Mode::Batch << false;
        QTest::newRow("synchronised") << Mode::Synchronised << true;
        QTest::newRow("moving") << Mode::Moving << true;
    }

    void Towers_ofNormalisedRows_equalOneTower_whereTheMomentsAreTheSame()
    {
        QFETCH(Mode, mode);
        QFETCH(bool, isEqual);
        const NetworkSpec network = networkFor(mode);
        for (const auto& [towers, rows, threads] :
             std::vector<std::tuple<int, std::int64_t, int>>{{2, 2, 1}, {2, 2, 2}, {4, 8, 1}}) {
            const Batch batch = maskedBatch(network, rows);
            const auto one = averageOf(network, {1, 1, rows}, batch);
            const auto many = averageOf(network, {towers, threads, rows / towers}, batch);
            const double error = largestError(network, many, one);
            QVERIFY2(isEqual ? error < 1e-4 : error > 1e-2, qPrintable(QString::number(error)));
        }
    }

    /// A pass normalises as a tower does, and the moments of a tower are the mean over its passes.
    void Passes_ofNormalisedRows_equalTowers()
    {
        for (const Mode mode : {Mode::PerImage, Mode::Batch, Mode::Moving}) {
            const NetworkSpec network = networkFor(mode);
            const Batch batch = maskedBatch(network, 8);
            const auto towers = averageOf(network, {4, 1, 2}, batch);
            const auto passes = averageOf(network, {1, 1, 8, 4}, batch);
            const auto both = averageOf(network, {2, 1, 4, 2}, batch);
            for (const auto& got : {passes, both}) {
                const double error = largestError(network, got, towers);
                QVERIFY2(error < 1e-5, qPrintable(QString::number(error)));
            }
        }
    }

    void SynchronisedTowers_whoseProcessorsAreFewer_takeTurns()
    {
        // Many more than any machine has processors for: nobody may wait in the middle of an op.
        const NetworkSpec network = networkFor(Mode::Synchronised);
        const int towers = 2 * ThreadTeam::processors() + 1;
        const Batch batch = maskedBatch(network, towers);
        const auto one = averageOf(network, {1, 1, towers}, batch);
        const auto many = averageOf(network, {towers, 1, 1}, batch);
        const double error = largestError(network, many, one);
        QVERIFY2(error < 1e-4, qPrintable(QString::number(error)));
    }

    void SynchronisedTowers_twice_giveTheSameBits()
    {
        const NetworkSpec network = networkFor(Mode::Synchronised);
        const Batch batch = maskedBatch(network, 6);
        const auto first = averageOf(network, {3, 1, 2}, batch);
        for (int repeat = 0; repeat < 5; ++repeat) {
            QCOMPARE(averageOf(network, {3, 1, 2}, batch), first);
        }
    }

    void SynchronisedTowers_inBfloat16_equalOneTower()
    {
        const NetworkSpec network = networkFor(Mode::Synchronised);
        const Batch batch = maskedBatch(network, 4);
        const auto one = averageOf(network, {1, 1, 4}, batch, Precision::Bfloat16);
        const auto many = averageOf(network, {4, 1, 1}, batch, Precision::Bfloat16);
        const double error = largestError(network, many, one);
        QVERIFY2(error < 0.05, qPrintable(QString::number(error)));
    }

    void Statistics_ofTowers_areTheMomentsTheyNormalisedWith()
    {
        // The gradient in a statistic's place is minus the moment, as PerImage: mean over the rows.
        const NetworkSpec network = networkFor(Mode::PerImage);
        const Batch batch = maskedBatch(network, 4);
        const auto got = averageOf(network, {2, 1, 2}, batch);
        const auto pass = referencePass(
            network, referenceParameters(network, kNormalisedSeed),
            {batch.images, batch.labels, batch.masks}, 0.25);
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (network.parameters[i].isStatistic()) {
                const double error =
                    test::relativeError<float, double>(got[i], pass.gradients[i], 1e-3);
                QVERIFY2(error < 1e-3, network.parameters[i].name.c_str());
            }
        }
    }

    void FrozenGroup_afterSteps_isBitForBitWhatItWas_data()
    {
        QTest::addColumn<QString>("objective");
        QTest::newRow("segmentation") << "segmentation";
        QTest::newRow("decision") << "decision";
    }

    void FrozenGroup_afterSteps_isBitForBitWhatItWas()
    {
        QFETCH(QString, objective);
        const std::string trainedGroup = objective.toStdString();
        const NetworkSpec network = networkFor(Mode::PerImage, trainedGroup);
        const Batch batch = maskedBatch(network, 4);
        const cpu::CpuDevice device;
        const ParameterArena arena(device, network);
        arena.initialize(network, kNormalisedSeed);
        TowerTeam team(device, network, arena.layout(), {2, 1, 2}, {});
        const auto updated = network.updatedParameters();
        Optimizer optimizer(device, network, arena, chunkParameters(arena.layout(), updated));
        const auto all = [&](const float* part) {
            return std::vector<float>(part, part + arena.layout().elements);
        };
        const auto before = all(arena.weights());
        for (int step = 0; step < 3; ++step) {
            team.forwardBackward(batch, arena.weightsView());
            for (std::int64_t i = 0; i < arena.layout().elements; ++i) {
                arena.gradient()[i] = 0.0F;
                for (const LaneGradient& lane : team.gradients()) {
                    arena.gradient()[i] += 0.5F * lane.values[i];
                }
            }
            optimizer.apply(team.threads(), {0.1, 0.9});
        }
        const auto after = all(arena.weights());
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            const auto first = arena.layout().offsets[i];
            const bool isSame = std::equal(
                before.begin() + first, before.begin() + first + arena.layout().counts[i],
                after.begin() + first);
            const bool isTrained = network.parameters[i].group == trainedGroup;
            QVERIFY2(isSame != isTrained, network.parameters[i].name.c_str());
        }
    }
};

LOCKSTEP_TEST(TestNormalisedTowers)
#include "test_normalised_towers.moc"
