// SPDX-License-Identifier: Apache-2.0
#include "dataset/thrown_error.h"
#include "input/batch_builder.h"
#include "input/input_pipeline.h"
#include "support/distortion_reference.h"
#include "support/fake_dataset.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace lockstep::test {
namespace {

constexpr Shape kSmall{8, 9, 3};

PipelineSettings smallSettings(std::int64_t globalBatch, int threads = 1)
{
    PipelineSettings settings;
    settings.globalBatch = globalBatch;
    settings.threads = threads;
    settings.seed = 17;
    settings.distortion.cropHeight = 5;
    settings.distortion.cropWidth = 6;
    return settings;
}

std::vector<Batch> take(const Dataset& dataset, const PipelineSettings& settings, int count)
{
    InputPipeline pipeline(dataset, settings);
    std::vector<Batch> batches;
    for (int i = 0; i < count; ++i) {
        const auto lease = pipeline.next();
        if (!lease.batch) {
            break;
        }
        batches.push_back(*lease.batch);
    }
    return batches;
}

bool isSame(const Batch& a, const Batch& b)
{
    return a.step == b.step && a.position == b.position && a.examples == b.examples
           && a.shape == b.shape && a.images == b.images && a.labels == b.labels && a.ids == b.ids;
}

bool isSame(const std::vector<Batch>& a, const std::vector<Batch>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Batch& x, const Batch& y) {
        return isSame(x, y);
    });
}

// A door that loaders wait at, inside the data set.
class Door
{
public:
    void open()
    {
        const std::scoped_lock lock(m_mutex);
        m_isOpen = true;
        m_opened.notify_all();
    }
    void pass()
    {
        std::unique_lock lock(m_mutex);
        m_opened.wait(lock, [this] { return m_isOpen; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_opened;
    bool m_isOpen = false;
};

std::set<std::string> threadNames()
{
    std::set<std::string> names;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(task.path() / "comm"), name);
        names.insert(name);
    }
    return names;
}

} // namespace

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
    void Pipeline_failureInALoader_reachesTheCallerAsItself();
    void Pipeline_wrongImageSize_namesTheExample();
    void Pipeline_destroyedWhileLoadersWait_ends();
    void Pipeline_destroyedWhileTheConsumerWaits_ends();
    void Pipeline_stopped_wakesTheConsumer();
    void Pipeline_loaders_areNamed();
    void Pipeline_slowLoader_isSeenInTheStatistics();
    void Settings_unusable_areRefused_data();
    void Settings_unusable_areRefused();
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
    QTest::addColumn<int>("examples");
    QTest::addColumn<int>("batches");
    QTest::addColumn<int>("lastRows");
    QTest::addRow("short last batch") << 50 << 4 << 2;
    QTest::addRow("whole last batch") << 48 << 3 << 16;
    QTest::addRow("less than a batch") << 5 << 1 << 5;
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

void TestInputPipeline::Pipeline_failureInALoader_reachesTheCallerAsItself()
{
    // In sequence, four a batch: example 21 fails in batch 5, 23 in the same one after it, 30 in
    // batch 7, which another loader works on at the same time.
    const FakeDataset dataset(100, kSmall, PixelOrder::Planar, [](std::int64_t index) {
        if (index == 21 || index == 23 || index == 30) {
            throw std::out_of_range("example " + std::to_string(index));
        }
    });
    auto settings = smallSettings(4, 8);
    settings.order = ExampleOrder::Sequential;
    InputPipeline pipeline(dataset, settings);
    for (std::int64_t step = 0; step < 5; ++step) {
        QCOMPARE(pipeline.next().batch->step, step);
    }
    for (int attempt = 0; attempt < 2; ++attempt) {
        try {
            pipeline.next();
            QFAIL("nothing was thrown");
        } catch (const std::out_of_range& error) {
            QCOMPARE(error.what(), "example 21");
        }
    }
}

void TestInputPipeline::Pipeline_wrongImageSize_namesTheExample()
{
    class Truncated : public FakeDataset
    {
    public:
        using FakeDataset::FakeDataset;
        [[nodiscard]] ExampleView example(std::int64_t index) const override
        {
            auto view = FakeDataset::example(index);
            view.pixels = view.pixels.first(view.pixels.size() - (index == 3 ? 1 : 0));
            return view;
        }
    };
    const Truncated dataset(10, kSmall);
    InputPipeline pipeline(dataset, smallSettings(10));
    const auto error = thrownError([&] { pipeline.next(); });
    QVERIFY(isErrorSaying(error, ErrorCode::Data, "example 3 of fake (train) has 215 bytes"));
}

void TestInputPipeline::Pipeline_destroyedWhileLoadersWait_ends()
{
    std::atomic<int> examples{0};
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { ++examples; });
    for (int round = 0; round < 20; ++round) {
        examples = 0;
        auto settings = smallSettings(4, 6);
        settings.prefetchBatches = 2;
        const InputPipeline pipeline(dataset, settings);
        // Two batches of four are ready: from here on every loader waits for room.
        QTRY_COMPARE(examples.load(), 8);
    }
}

void TestInputPipeline::Pipeline_destroyedWhileTheConsumerWaits_ends()
{
    Door door;
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { door.pass(); });
    auto pipeline = std::make_unique<InputPipeline>(dataset, smallSettings(4, 2));
    InputPipeline* const shared = pipeline.get();
    auto consumer = std::async(std::launch::async, [shared] { (void)shared->next(); });
    QCOMPARE(consumer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    auto destroyer = std::async(std::launch::async, [&] { pipeline.reset(); });
    // The consumer is let go before the loaders are done.
    const auto error = thrownError([&] { consumer.get(); });
    QVERIFY(isErrorSaying(error, ErrorCode::Cancelled, "stopped"));
    door.open();
    destroyer.get();
}

void TestInputPipeline::Pipeline_stopped_wakesTheConsumer()
{
    Door door;
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { door.pass(); });
    InputPipeline pipeline(dataset, smallSettings(4));
    auto consumer = std::async(std::launch::async, [&] { (void)pipeline.next(); });
    QCOMPARE(consumer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    pipeline.stop();
    const auto error = thrownError([&] { consumer.get(); });
    QVERIFY(isErrorSaying(error, ErrorCode::Cancelled, "stopped"));
    QVERIFY(thrownError([&] { (void)pipeline.next(); }).has_value());
    door.open();
}

void TestInputPipeline::Pipeline_loaders_areNamed()
{
    const FakeDataset dataset(10, kSmall);
    {
        const InputPipeline pipeline(dataset, smallSettings(4, 3));
        const auto names = threadNames();
        QVERIFY(
            names.contains("loader-0") && names.contains("loader-1") && names.contains("loader-2"));
        QVERIFY(!names.contains("loader-3"));
    }
    QVERIFY(!threadNames().contains("loader-0"));
}

void TestInputPipeline::Pipeline_slowLoader_isSeenInTheStatistics()
{
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [](std::int64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    InputPipeline pipeline(dataset, smallSettings(5));
    double waited = 0.0;
    for (int i = 0; i < 5; ++i) {
        const auto lease = pipeline.next();
        QCOMPARE(lease.queueFilled, 0.0);
        waited += lease.waitSeconds;
    }
    const auto statistics = pipeline.statistics();
    QCOMPARE(statistics.batches, 5);
    QCOMPARE(statistics.waits, 5);
    QCOMPARE(statistics.waitSeconds, waited);
    QCOMPARE(statistics.meanQueueFilled(), 0.0);
    // Every batch takes 10 ms or more; of the first one a part may be over before it is asked for.
    QVERIFY(waited > 0.030);
}

void TestInputPipeline::Settings_unusable_areRefused_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("text");
    QTest::addRow("no batch") << "batch" << qint64{0} << "the global batch is 0";
    QTest::addRow("huge batch") << "batch" << (qint64{1} << 40) << "from 1 to 16777216";
    QTest::addRow("no threads") << "threads" << qint64{0} << "input.threads) is 0";
    QTest::addRow("too many threads") << "threads" << qint64{5000} << "input.threads) is 5000";
    QTest::addRow("no prefetch") << "prefetch" << qint64{0} << "prefetch is 0";
    QTest::addRow("negative start") << "start" << qint64{-1} << "start at example -1";
    QTest::addRow("crop too large") << "crop" << qint64{10} << "10 x 6";
    QTest::addRow("no examples") << "examples" << qint64{0} << "fake (train) has no examples";
}

void TestInputPipeline::Settings_unusable_areRefused()
{
    QFETCH(QString, field);
    QFETCH(qint64, value);
    QFETCH(QString, text);
    auto settings = smallSettings(field == "batch" ? value : 4);
    settings.threads = field == "threads" ? static_cast<int>(value) : 1;
    settings.prefetchBatches = field == "prefetch" ? value : 2;
    settings.startPosition = field == "start" ? value : 0;
    settings.distortion.cropHeight = field == "crop" ? value : 5;
    const FakeDataset dataset(field == "examples" ? value : 10, kSmall);
    const auto code = field == "examples" ? ErrorCode::Data : ErrorCode::BadInput;
    const auto error = thrownError([&] { const InputPipeline pipeline(dataset, settings); });
    QVERIFY(isErrorSaying(error, code, text.toStdString()));
}

} // namespace lockstep::test

QTEST_GUILESS_MAIN(lockstep::test::TestInputPipeline)
#include "test_input_pipeline.moc"
