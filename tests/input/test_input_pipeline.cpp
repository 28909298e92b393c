// SPDX-License-Identifier: Apache-2.0
#include "input/batch_builder.h"
#include "input/pipeline_runs.h"
#include "support/distortion_reference.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>
#include <set>
#include <vector>

namespace lockstep::test {

class TestInputPipeline : public QObject
{
    Q_OBJECT
private slots:
    void Pipeline_batches_holdTheStreamDistortedAsDefined();
    void Pipeline_anyNumberOfLoaders_makesTheSameBatches_data();
    void Pipeline_anyNumberOfLoaders_makesTheSameBatches();
    void Pipeline_restartedAnywhere_goesOnTheSame_data();
    void Pipeline_restartedAnywhere_goesOnTheSame();
    void Pipeline_anotherBatchSize_distortsEachExampleTheSame();
    void Pipeline_everyEpoch_hasEveryExampleOnce_data();
    void Pipeline_everyEpoch_hasEveryExampleOnce();
    void Pipeline_anotherSeed_isAnotherStream();
    void Pipeline_evaluation_hasEveryExampleOnceThenEnds_data();
    void Pipeline_evaluation_hasEveryExampleOnceThenEnds();
    void Pipeline_evaluationOfNothingLeft_endsAtOnce();
    void Pipeline_onePlainFunction_makesTheSameBatch();
};

void TestInputPipeline::Pipeline_batches_holdTheStreamDistortedAsDefined()
{
    const FakeDataset dataset(10, kSmall);
    const auto settings = smallSettings(7, 3);
    const DistortionReference reference(settings.distortion, kSmall, PixelOrder::Planar);
    std::vector<Visit> visits(7 * 6);
    Sampler(10, ExampleOrder::Shuffled, 17).visit(0, visits);
    const auto batches = take(dataset, settings, 6);
    QCOMPARE(batches.size(), std::size_t{6});
    for (std::size_t i = 0; i < visits.size(); ++i) {
        const Batch& batch = batches[i / 7];
        const std::size_t row = i % 7;
        const auto [epoch, number] = visits[i];
        const ExampleView example = dataset.example(number);
        QCOMPARE(batch.ids[row], std::int64_t{number});
        QCOMPARE(batch.labels[row], example.label);
        const auto expected = reference.distort(example.pixels, 17, epoch, number);
        for (std::size_t value = 0; value < 90; ++value) {
            QVERIFY(std::abs(batch.images[row * 90 + value] - expected[value]) < 1e-5);
        }
    }
}

void TestInputPipeline::Pipeline_anyNumberOfLoaders_makesTheSameBatches_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("prefetch");
    for (const int threads : {2, 8, 16}) {
        for (const int prefetch : {1, 4, 24}) {
            QTest::addRow("%d loaders, %d batches ahead", threads, prefetch) << threads << prefetch;
        }
    }
}

void TestInputPipeline::Pipeline_anyNumberOfLoaders_makesTheSameBatches()
{
    QFETCH(int, threads);
    QFETCH(int, prefetch);
    const FakeDataset dataset(50, kSmall);
    auto settings = smallSettings(16, threads);
    settings.prefetchBatches = prefetch;
    QVERIFY(isSame(take(dataset, settings, 100), take(dataset, smallSettings(16, 1), 100)));
}

void TestInputPipeline::Pipeline_restartedAnywhere_goesOnTheSame_data()
{
    QTest::addColumn<int>("steps");
    for (const int steps : {1, 3, 7, 20, 39}) {
        QTest::addRow("after %d steps", steps) << steps;
    }
}

void TestInputPipeline::Pipeline_restartedAnywhere_goesOnTheSame()
{
    QFETCH(int, steps);
    const FakeDataset dataset(50, kSmall);
    const auto settings = smallSettings(16, 2);
    const auto whole = take(dataset, settings, 40);
    const Batch& last = whole[static_cast<std::size_t>(steps - 1)];
    auto resumed = settings;
    resumed.startStep = last.step + 1;
    resumed.startPosition = last.position + last.examples;
    const std::vector<Batch> rest(whole.begin() + steps, whole.end());
    QVERIFY(isSame(take(dataset, resumed, 40 - steps), rest));
}

void TestInputPipeline::Pipeline_anotherBatchSize_distortsEachExampleTheSame()
{
    const FakeDataset dataset(50, kSmall);
    std::vector<std::vector<float>> streams;
    for (const std::int64_t globalBatch : {4, 10, 120}) {
        auto& images = streams.emplace_back();
        for (const auto& batch :
             take(dataset, smallSettings(globalBatch), static_cast<int>(480 / globalBatch))) {
            images.insert(images.end(), batch.images.begin(), batch.images.end());
        }
    }
    QCOMPARE(streams[0].size(), std::size_t{480 * 90});
    QVERIFY(streams[1] == streams[0]);
    QVERIFY(streams[2] == streams[0]);
}

void TestInputPipeline::Pipeline_everyEpoch_hasEveryExampleOnce_data()
{
    QTest::addColumn<int>("examples");
    QTest::addColumn<int>("globalBatch");
    QTest::addRow("batches end with the epoch") << 40 << 10;
    QTest::addRow("batches straddle epochs") << 50 << 16;
    QTest::addRow("batch as large as the set") << 30 << 30;
    QTest::addRow("batch larger than the set") << 7 << 24;
    QTest::addRow("one example") << 1 << 5;
}

void TestInputPipeline::Pipeline_everyEpoch_hasEveryExampleOnce()
{
    QFETCH(int, examples);
    QFETCH(int, globalBatch);
    const FakeDataset dataset(examples, kSmall);
    std::vector<std::int64_t> ids;
    for (const auto& batch : take(dataset, smallSettings(globalBatch, 4), 30)) {
        QCOMPARE(batch.examples, globalBatch);
        ids.insert(ids.end(), batch.ids.begin(), batch.ids.end());
    }
    QCOMPARE(ids.size(), static_cast<std::size_t>(30 * globalBatch));
    for (std::size_t epoch = 0; (epoch + 1) * static_cast<std::size_t>(examples) <= ids.size();
         ++epoch) {
        const auto first = ids.begin() + static_cast<std::ptrdiff_t>(epoch) * examples;
        const std::set<std::int64_t> distinct(first, first + examples);
        QCOMPARE(distinct.size(), static_cast<std::size_t>(examples));
        QCOMPARE(*distinct.begin(), 0);
        QCOMPARE(*distinct.rbegin(), std::int64_t{examples - 1});
    }
}

void TestInputPipeline::Pipeline_anotherSeed_isAnotherStream()
{
    const FakeDataset dataset(50, kSmall);
    auto settings = smallSettings(50);
    const auto batch = makeBatch(dataset, settings, 0);
    settings.seed = 18;
    const auto other = makeBatch(dataset, settings, 0);
    QVERIFY(batch.ids != other.ids);
    settings.order = ExampleOrder::Sequential;
    const auto sameOrder = makeBatch(dataset, settings, 0);
    settings.seed = 17;
    QVERIFY(makeBatch(dataset, settings, 0).images != sameOrder.images);
}

void TestInputPipeline::Pipeline_evaluation_hasEveryExampleOnceThenEnds_data()
{
    lockstep::test::addRows<int, int, int>(
        {"examples", "batches", "lastRows"}, {{"short last batch", 50, 4, 2},
                                              {"whole last batch", 48, 3, 16},
                                              {"less than a batch", 5, 1, 5}});
}

void TestInputPipeline::Pipeline_evaluation_hasEveryExampleOnceThenEnds()
{
    QFETCH(int, examples);
    QFETCH(int, batches);
    QFETCH(int, lastRows);
    const FakeDataset dataset(examples, kSmall);
    auto settings = smallSettings(16, 3);
    settings.startStep = settings.startPosition = 1000;
    settings = settings.forEvaluation();
    const DistortionReference reference(settings.distortion, kSmall, PixelOrder::Planar);
    const auto all = take(dataset, settings, 1000);
    QCOMPARE(all.size(), static_cast<std::size_t>(batches));
    std::int64_t next = 0;
    for (const auto& batch : all) {
        QCOMPARE(batch.step, &batch - all.data());
        QCOMPARE(batch.examples, &batch == &all.back() ? lastRows : 16);
        QCOMPARE(batch.images.size(), static_cast<std::size_t>(batch.examples * 90));
        QCOMPARE(batch.labels.size(), static_cast<std::size_t>(batch.examples));
        for (std::size_t row = 0; row < batch.ids.size(); ++row, ++next) {
            QCOMPARE(batch.ids[row], next);
            const auto expected = reference.distort(dataset.example(next).pixels, 0, 0, 0);
            for (std::size_t value = 0; value < 90; ++value) {
                QVERIFY(std::abs(batch.images[row * 90 + value] - expected[value]) < 1e-5);
            }
        }
    }
    QCOMPARE(next, std::int64_t{examples});
}

void TestInputPipeline::Pipeline_evaluationOfNothingLeft_endsAtOnce()
{
    const FakeDataset dataset(5, kSmall);
    auto settings = smallSettings(2).forEvaluation();
    settings.startPosition = 5;
    InputPipeline pipeline(dataset, settings);
    QVERIFY(pipeline.next().batch == nullptr);
    QVERIFY(pipeline.next().batch == nullptr);
}

void TestInputPipeline::Pipeline_onePlainFunction_makesTheSameBatch()
{
    const FakeDataset dataset(50, kSmall, PixelOrder::Interleaved);
    const auto settings = smallSettings(16, 2);
    const auto batches = take(dataset, settings, 10);
    for (std::int64_t index : {9, 0, 4}) {
        QVERIFY(
            isSame(makeBatch(dataset, settings, index), batches[static_cast<std::size_t>(index)]));
    }
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestInputPipeline)
#include "test_input_pipeline.moc"
