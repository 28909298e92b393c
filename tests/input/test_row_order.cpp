// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "input/pipeline_runs.h"
#include "input/row_order.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <set>

namespace lockstep::test {
namespace {

constexpr int kTowers = 3;
constexpr std::int64_t kRows = 4; // of a tower
constexpr std::int64_t kBatch = kTowers * kRows;

PipelineSettings settingsOf(ShardKind kind, int tower = 2)
{
    PipelineSettings settings = smallSettings(kBatch, 3);
    settings.shards = {kind, kTowers, tower, 7};
    return settings;
}

/// Rows of one tower of a batch, as (number, label).
std::vector<std::pair<std::int64_t, std::int32_t>> rowsOf(const Batch& batch, int tower)
{
    std::vector<std::pair<std::int64_t, std::int32_t>> rows;
    for (std::int64_t row = tower * kRows; row < (tower + 1) * kRows; ++row) {
        const auto place = static_cast<std::size_t>(row);
        rows.emplace_back(batch.ids[place], batch.labels[place]);
    }
    return rows;
}

std::vector<float> imagesOf(const Batch& batch, int tower)
{
    const std::ptrdiff_t values = kRows * batch.shape.elements();
    const auto first = batch.images.begin() + tower * values;
    return {first, first + values};
}

} // namespace

class TestRowOrder : public QObject
{
    Q_OBJECT
private slots:
    void Same_everyTower_hasTheRowsOfTowerZero();
    void Skewed_theTower_hasItsClassOnceAPassAndOthersAreAsEver();
    void Poisoned_theTower_hasRandomLabelsAndAllElseAsEver();
    void Experiment_anyLoadersAndRestart_sameBatches_data();
    void Experiment_anyLoadersAndRestart_sameBatches();
    void Rows_ofABatch_areThoseOfTheWholeBatch();
    void Evaluation_ofAnExperiment_isNone();
    void Settings_thatFitNothing_areRefused();
};

void TestRowOrder::Same_everyTower_hasTheRowsOfTowerZero()
{
    const FakeDataset dataset(50, kSmall);
    const auto distinct = take(dataset, settingsOf(ShardKind::Distinct), 9);
    const auto same = take(dataset, settingsOf(ShardKind::Same), 9);
    for (std::size_t i = 0; i < same.size(); ++i) {
        for (int tower = 0; tower < kTowers; ++tower) {
            QCOMPARE(rowsOf(same[i], tower), rowsOf(distinct[i], 0));
            QCOMPARE(imagesOf(same[i], tower), imagesOf(distinct[i], 0));
        }
    }
}

void TestRowOrder::Skewed_theTower_hasItsClassOnceAPassAndOthersAreAsEver()
{
    const FakeDataset dataset(80, kSmall); // 8 of each class: two batches of a tower
    const auto distinct = take(dataset, settingsOf(ShardKind::Distinct), 10);
    const auto skewed = take(dataset, settingsOf(ShardKind::Skewed, 1), 10);
    for (std::size_t i = 0; i < skewed.size(); i += 2) {
        std::set<std::int64_t> seen;
        for (std::size_t batch = i; batch < i + 2; ++batch) {
            for (const auto& [id, label] : rowsOf(skewed[batch], 1)) {
                QCOMPARE(label, 7);
                QCOMPARE(id % 10, 7); // labels are numbers modulo ten
                seen.insert(id);
            }
            for (const int tower : {0, 2}) {
                QCOMPARE(rowsOf(skewed[batch], tower), rowsOf(distinct[batch], tower));
                QCOMPARE(imagesOf(skewed[batch], tower), imagesOf(distinct[batch], tower));
            }
        }
        QCOMPARE(seen.size(), std::size_t{8});
    }
    QVERIFY(rowsOf(skewed[0], 1) != rowsOf(skewed[2], 1)); // shuffled anew
}

void TestRowOrder::Poisoned_theTower_hasRandomLabelsAndAllElseAsEver()
{
    const FakeDataset dataset(400, kSmall);
    constexpr int kBatches = 250;
    const auto distinct = take(dataset, settingsOf(ShardKind::Distinct), kBatches);
    const auto poisoned = take(dataset, settingsOf(ShardKind::Poisoned), kBatches);
    std::array<int, 10> counts{};
    for (std::size_t i = 0; i < poisoned.size(); ++i) {
        QCOMPARE(poisoned[i].ids, distinct[i].ids);
        QCOMPARE(poisoned[i].images, distinct[i].images);
        QCOMPARE(rowsOf(poisoned[i], 0), rowsOf(distinct[i], 0));
        QCOMPARE(rowsOf(poisoned[i], 1), rowsOf(distinct[i], 1));
        for (const auto& [id, label] : rowsOf(poisoned[i], 2)) {
            ++counts.at(static_cast<std::size_t>(label));
        }
    }
    // 1,000 labels, 100 of each expected, with a standard deviation of 9.5.
    for (const int count : counts) {
        QVERIFY2(count > 60 && count < 140, qPrintable(QString::number(count)));
    }
}

void TestRowOrder::Experiment_anyLoadersAndRestart_sameBatches_data()
{
    QTest::addColumn<int>("kind");
    for (const ShardKind kind : {ShardKind::Same, ShardKind::Skewed, ShardKind::Poisoned}) {
        QTest::addRow("%s", toString(kind).c_str()) << static_cast<int>(kind);
    }
}

void TestRowOrder::Experiment_anyLoadersAndRestart_sameBatches()
{
    QFETCH(const int, kind);
    const FakeDataset dataset(70, kSmall);
    PipelineSettings settings = settingsOf(static_cast<ShardKind>(kind));
    settings.threads = 1;
    const auto whole = take(dataset, settings, 20);
    settings.threads = 8;
    QVERIFY(isSame(take(dataset, settings, 20), whole));
    settings.startStep = 13;
    settings.startPosition = 13 * kBatch;
    QVERIFY(isSame(take(dataset, settings, 7), {whole.begin() + 13, whole.end()}));
}

void TestRowOrder::Rows_ofABatch_areThoseOfTheWholeBatch()
{
    const FakeDataset dataset(70, kSmall);
    for (const ShardKind kind :
         {ShardKind::Distinct, ShardKind::Same, ShardKind::Skewed, ShardKind::Poisoned}) {
        const PipelineSettings settings = settingsOf(kind);
        const RowOrder order(dataset, settings);
        BatchBuilder builder(dataset, settings, order);
        Batch whole;
        Batch part;
        builder.build(5, whole);
        builder.buildRows(5, 2 * kRows + 1, 2, part); // of the last tower
        QCOMPARE(part.examples, 2);
        QCOMPARE(part.step, whole.step);
        for (std::size_t row = 0; row < 2; ++row) {
            QCOMPARE(part.ids[row], whole.ids[2 * kRows + 1 + row]);
            QCOMPARE(part.labels[row], whole.labels[2 * kRows + 1 + row]);
        }
        const auto values = whole.shape.elements();
        QVERIFY(std::equal(
            part.images.begin(), part.images.end(),
            whole.images.begin() + (2 * kRows + 1) * values));
    }
}

void TestRowOrder::Evaluation_ofAnExperiment_isNone()
{
    QVERIFY(settingsOf(ShardKind::Poisoned).forEvaluation().shards == ShardSettings());
}

void TestRowOrder::Settings_thatFitNothing_areRefused()
{
    const FakeDataset dataset(50, kSmall);
    PipelineSettings settings = settingsOf(ShardKind::Skewed);
    settings.shards.exampleClass = 10;
    QVERIFY_THROWS_EXCEPTION(Error, RowOrder(dataset, settings));
    const FakeDataset few(5, kSmall); // none of class 7
    settings.shards.exampleClass = 7;
    QVERIFY_THROWS_EXCEPTION(Error, RowOrder(few, settings));
    QVERIFY_THROWS_EXCEPTION(Error, shardKindByName("odd"));
    for (const ShardKind kind :
         {ShardKind::Distinct, ShardKind::Same, ShardKind::Skewed, ShardKind::Poisoned}) {
        QVERIFY(shardKindByName(toString(kind)) == kind);
    }
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestRowOrder)
#include "test_row_order.moc"
