// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "input/pipeline_runs.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace lockstep::test {
namespace {

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

class TestPipelineThreads : public QObject
{
    Q_OBJECT
private slots:
    void Pipeline_failureInALoader_reachesTheCallerAsItself();
    void Pipeline_wrongImageSize_namesTheExample();
    void Pipeline_destroyedWhileLoadersWait_ends();
    void Pipeline_destroyedWhileTheConsumerWaits_ends();
    void Pipeline_stopped_wakesTheConsumer();
    void Pipeline_loaders_areNamed();
    void Pipeline_oneBatchAhead_allLoadersWorkOnIt();
    void Pipeline_slowLoader_isSeenInTheLeases();
    void Pipeline_loaderKeepsAhead_queueIsNeverEmpty();
    void Settings_unusable_areRefused_data();
    void Settings_unusable_areRefused();
};

void TestPipelineThreads::Pipeline_failureInALoader_reachesTheCallerAsItself()
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

void TestPipelineThreads::Pipeline_wrongImageSize_namesTheExample()
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
    const auto error = errorOf([&] { pipeline.next(); });
    QVERIFY(tells(error, ErrorCode::Data, "example 3 of fake (train) has 215 bytes"));
}

void TestPipelineThreads::Pipeline_destroyedWhileLoadersWait_ends()
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

void TestPipelineThreads::Pipeline_destroyedWhileTheConsumerWaits_ends()
{
    Door door;
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { door.pass(); });
    auto pipeline = std::make_unique<InputPipeline>(dataset, smallSettings(4, 2));
    InputPipeline* const shared = pipeline.get();
    auto consumer = std::async(std::launch::async, [shared] { (void)shared->next(); });
    QCOMPARE(consumer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    auto destroyer = std::async(std::launch::async, [&] { pipeline.reset(); });
    // The consumer is let go before the loaders are done.
    const auto error = errorOf([&] { consumer.get(); });
    QVERIFY(tells(error, ErrorCode::Cancelled, "stopped"));
    door.open();
    destroyer.get();
}

void TestPipelineThreads::Pipeline_stopped_wakesTheConsumer()
{
    Door door;
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { door.pass(); });
    InputPipeline pipeline(dataset, smallSettings(4));
    auto consumer = std::async(std::launch::async, [&] { (void)pipeline.next(); });
    QCOMPARE(consumer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    pipeline.stop();
    const auto error = errorOf([&] { consumer.get(); });
    QVERIFY(tells(error, ErrorCode::Cancelled, "stopped"));
    QVERIFY(errorOf([&] { (void)pipeline.next(); }).has_value());
    door.open();
}

void TestPipelineThreads::Pipeline_loaders_areNamed()
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

void TestPipelineThreads::Pipeline_oneBatchAhead_allLoadersWorkOnIt()
{
    constexpr int kLoaders = 4;
    std::atomic<int> inside{0};
    Door door;
    const FakeDataset dataset(50, kSmall, PixelOrder::Planar, [&](std::int64_t) {
        ++inside;
        door.pass();
    });
    auto settings = smallSettings(10, kLoaders);
    settings.prefetchBatches = 1;
    InputPipeline pipeline(dataset, settings);
    QTRY_COMPARE(inside.load(), kLoaders);
    door.open();
    const FakeDataset same(50, kSmall);
    const auto expected = take(same, smallSettings(10), 1);
    QVERIFY(isSame(*pipeline.next().batch, expected.front()));
}

void TestPipelineThreads::Pipeline_slowLoader_isSeenInTheLeases()
{
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [](std::int64_t) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    InputPipeline pipeline(dataset, smallSettings(5));
    double longest = 0.0;
    for (int i = 0; i < 25; ++i) {
        const Stopwatch stopwatch;
        const auto lease = pipeline.next();
        QVERIFY(lease.waitSeconds <= stopwatch.seconds());
        QCOMPARE(lease.waitSeconds > 0.0, lease.queueFilled == 0.0);
        longest = std::max(longest, lease.waitSeconds);
    }
    // A batch takes 10 ms or more; a busy machine may come back to this thread after several.
    QVERIFY(longest > 0.001);
}

void TestPipelineThreads::Pipeline_loaderKeepsAhead_queueIsNeverEmpty()
{
    std::atomic<int> examples{0};
    const FakeDataset dataset(10, kSmall, PixelOrder::Planar, [&](std::int64_t) { ++examples; });
    InputPipeline pipeline(dataset, smallSettings(4));
    for (int step = 0; step < 10; ++step) {
        // Four batches ahead are made; of the last of them the queue need not know yet.
        QTRY_COMPARE(examples.load(), (step + 4) * 4);
        const auto lease = pipeline.next();
        QVERIFY(lease.queueFilled >= 0.75);
        QCOMPARE(lease.waitSeconds, 0.0);
    }
}

void TestPipelineThreads::Settings_unusable_areRefused_data()
{
    lockstep::test::addRows<QString, qint64, QString>(
        {"field", "value", "text"},
        {{"no batch", "batch", 0, "the global batch is 0"},
         {"huge batch", "batch", (qint64{1} << 40), "from 1 to 16777216"},
         {"no threads", "threads", 0, "input.threads) is 0"},
         {"too many threads", "threads", 5000, "input.threads) is 5000"},
         {"no prefetch", "prefetch", 0, "prefetch is 0"},
         {"negative start", "start", -1, "start at example -1"},
         {"crop too large", "crop", 10, "10 × 6"},
         {"no examples", "examples", 0, "fake (train) has no examples"}});
}

void TestPipelineThreads::Settings_unusable_areRefused()
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
    const auto error = errorOf([&] { const InputPipeline pipeline(dataset, settings); });
    QVERIFY(tells(error, code, text.toStdString()));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestPipelineThreads)
#include "test_pipeline_threads.moc"
