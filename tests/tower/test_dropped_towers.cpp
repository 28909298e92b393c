// SPDX-License-Identifier: Apache-2.0
// What is dropped is a function of seed, step and the row's place in the batch of all towers: N
// towers of B rows equal one tower of N * B, whatever the threads, and a step after a resume is the
// step without one.
#include "network/dropout.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"

using namespace lockstep;

namespace {

constexpr std::int64_t kDroppedBatch = 12;
constexpr std::uint64_t kDropSeed = 21;

/// Dropout of images and of a vector, between what an Inception network has beside it.
NetworkSpec droppingNetwork()
{
    return test::chain(
        {9, 9, 3},
        {test::convolution(17, {3, 3}, {1, 1}, Padding::Same, Activation::Relu),
         AveragePool{{3, 3}, {1, 1}}, Dropout{0.7}, test::convolution(16, {3, 3}),
         AveragePool{{9, 9}, {1, 1}, Padding::Valid}, Dropout{0.5}},
        5, true);
}

Batch batchOf(const NetworkSpec& network, std::int64_t step)
{
    Batch batch = test::randomBatch(network, kDroppedBatch, 3);
    batch.step = step;
    return batch;
}

/// An output of all rows, in the order of the global batch.
std::vector<float> rowsOf(test::TowerRun& run, const std::string& output)
{
    std::vector<float> rows;
    for (std::size_t lane = 0; lane < run.team().lanes().size(); ++lane) {
        const auto values = run.team().replica(static_cast<int>(lane)).output(output);
        rows.insert(rows.end(), values.begin(), values.end());
    }
    return rows;
}

/// Where an output is 0.
std::vector<bool> zerosOf(const std::vector<float>& values)
{
    std::vector<bool> zeros;
    for (const float value : values) {
        zeros.push_back(value == 0.0F);
    }
    return zeros;
}

} // namespace

class TestDroppedTowers : public QObject
{
    Q_OBJECT

private slots:
    void Towers_thatDrop_equalOneTower_data()
    {
        QTest::addColumn<int>("towers");
        QTest::addColumn<int>("threads");
        for (const int towers : {1, 2, 3, 4}) {
            for (const int threads : {1, 2, 3}) {
                QTest::addRow("%d towers, %d threads each", towers, threads) << towers << threads;
            }
        }
    }

    void Towers_thatDrop_equalOneTower()
    {
        QFETCH(int, towers);
        QFETCH(int, threads);
        const NetworkSpec network = droppingNetwork();
        const Batch batch = batchOf(network, 41);
        test::TowerRun one(network, {1, 1, kDroppedBatch}, kDropSeed);
        test::TowerRun many(network, {towers, threads, kDroppedBatch / towers}, kDropSeed);
        QCOMPARE(one.step(batch), -1);
        QCOMPARE(many.step(batch), -1);
        for (const char* layer : {"3-dropout", "6-dropout"}) {
            QCOMPARE(zerosOf(rowsOf(many, layer)), zerosOf(rowsOf(one, layer)));
        }
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            const double error = test::relativeError(many.average(i), one.average(i));
            QVERIFY2(error < test::tolerance::kTowers, qPrintable(QString::number(error)));
        }
        QVERIFY(std::abs(many.lossSum() / one.lossSum() - 1.0) < 1e-6);
    }

    /// The rows of a later pass have the streams of their place in the batch.
    void Passes_thatDrop_equalOnePass()
    {
        const NetworkSpec network = droppingNetwork();
        const Batch batch = batchOf(network, 41);
        test::TowerRun one(network, {1, 1, kDroppedBatch}, kDropSeed);
        test::TowerRun many(network, {2, 2, kDroppedBatch / 2, 3}, kDropSeed);
        QCOMPARE(one.step(batch), -1);
        QCOMPARE(many.step(batch), -1);
        for (std::size_t i = 0; i < network.parameters.size(); ++i) {
            const double error = test::relativeError(many.average(i), one.average(i));
            QVERIFY2(error < test::tolerance::kTowers, qPrintable(QString::number(error)));
        }
        QVERIFY(std::abs(many.lossSum() / one.lossSum() - 1.0) < 1e-6);
    }

    void Mask_ofEachRow_isThatOfItsStream()
    {
        const NetworkSpec network = droppingNetwork();
        test::TowerRun run(network, {3, 2, kDroppedBatch / 3}, kDropSeed);
        run.step(batchOf(network, 41));
        constexpr int kLayer = 6;
        const auto values = rowsOf(run, "6-dropout");
        const std::size_t channels = values.size() / kDroppedBatch;
        for (std::size_t row = 0; row < kDroppedBatch; ++row) {
            PhiloxStream stream =
                dropoutStream({kDropSeed, 41, 0}, kLayer, static_cast<std::int64_t>(row));
            for (std::size_t c = 0; c < channels; ++c) {
                QCOMPARE(values[row * channels + c] == 0.0F, stream.uniform() >= 0.5F);
            }
        }
    }

    void Step_afterAResume_isTheStepWithoutOne()
    {
        const NetworkSpec network = droppingNetwork();
        test::TowerRun run(network, {2, 2, kDroppedBatch / 2}, kDropSeed);
        for (std::int64_t step = 0; step < 3; ++step) {
            run.step(batchOf(network, step));
        }
        const auto third = run.average();
        test::TowerRun resumed(network, {2, 2, kDroppedBatch / 2}, kDropSeed);
        resumed.step(batchOf(network, 2));
        QCOMPARE(resumed.average(), third);
        resumed.step(batchOf(network, 3));
        QVERIFY(resumed.average() != third);
    }
};

LOCKSTEP_TEST(TestDroppedTowers)
#include "test_dropped_towers.moc"
