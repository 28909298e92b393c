// SPDX-License-Identifier: Apache-2.0
// Counts what the pipeline really asks the system for: this program replaces operator new.
#include "dataset/formats/synthetic_defects.h"
#include "input/input_pipeline.h"
#include "support/failure_of.h"
#include "support/fake_dataset.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> takenBytes{0};
std::atomic<std::int64_t> requestCount{0};
std::atomic<std::int64_t> largestBytes{INT64_MAX};

} // namespace

void* operator new(std::size_t size)
{
    if (static_cast<std::int64_t>(size) > largestBytes) {
        throw std::bad_alloc();
    }
    takenBytes += static_cast<std::int64_t>(size);
    ++requestCount;
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}

namespace lockstep::test {

class TestInputMemory : public QObject
{
    Q_OBJECT
private slots:
    void Pipeline_statedBytes_areWhatItTakes_data();
    void Pipeline_statedBytes_areWhatItTakes();
    void Pipeline_steadyState_allocatesNothing();
    void Pipeline_ofMasks_takesWhatItStatesAndAllocatesNothing();
    void Pipeline_memoryRefused_saysHowMuchAndWhatToDo();
};

void TestInputMemory::Pipeline_statedBytes_areWhatItTakes_data()
{
    lockstep::test::addRows<int, int, int, bool>(
        {"globalBatch", "threads", "prefetch", "isShuffled"}, {{"large batches", 1000, 1, 4, true},
                                                               {"many buffers", 64, 2, 100, true},
                                                               {"evaluation", 500, 2, 1, false}});
}

void TestInputMemory::Pipeline_statedBytes_areWhatItTakes()
{
    QFETCH(int, globalBatch);
    QFETCH(int, threads);
    QFETCH(int, prefetch);
    QFETCH(bool, isShuffled);
    const FakeDataset dataset(5000);
    PipelineSettings settings;
    settings.globalBatch = globalBatch;
    settings.threads = threads;
    settings.prefetchBatches = prefetch;
    settings.order = isShuffled ? ExampleOrder::Shuffled : ExampleOrder::Sequential;
    const auto stated = InputPipeline::bytes(dataset, settings);
    const auto before = takenBytes.load();
    {
        const InputPipeline pipeline(dataset, settings);
        const auto taken = takenBytes - before;
        // Left out are what keeps the books: threads, the ring's slots, copies of the settings.
        QVERIFY2(taken >= stated, qPrintable(QString("%1 of %2").arg(taken).arg(stated)));
        QVERIFY2(
            taken < stated + stated / 50, qPrintable(QString("%1 of %2").arg(taken).arg(stated)));
    }
}

void TestInputMemory::Pipeline_steadyState_allocatesNothing()
{
    const FakeDataset dataset(50);
    PipelineSettings settings;
    settings.globalBatch = 16;
    settings.threads = 3;
    InputPipeline pipeline(dataset, settings);
    for (int i = 0; i < 20; ++i) {
        QVERIFY(pipeline.next().batch != nullptr);
    }
    const auto before = requestCount.load();
    for (int i = 0; i < 200; ++i) {
        const auto lease = pipeline.next();
    }
    QCOMPARE(requestCount.load(), before);
}

void TestInputMemory::Pipeline_ofMasks_takesWhatItStatesAndAllocatesNothing()
{
    const auto dataset = openSyntheticDefects(Split::Train, {1, 40, 5});
    PipelineSettings settings;
    settings.globalBatch = 4;
    settings.order = ExampleOrder::Balanced;
    settings.distortion = {256, 128, false, false, false, false, false};
    settings.distortion.masked.emplace();
    const auto stated = InputPipeline::bytes(*dataset, settings);
    const auto before = takenBytes.load();
    InputPipeline pipeline(*dataset, settings);
    const auto taken = takenBytes - before;
    QVERIFY2(
        taken >= stated && taken < stated + stated / 50,
        qPrintable(QString("%1 of %2").arg(taken).arg(stated)));
    for (int i = 0; i < 20; ++i) {
        QVERIFY(pipeline.next().batch != nullptr);
    }
    const auto requests = requestCount.load();
    for (int i = 0; i < 100; ++i) {
        const auto lease = pipeline.next();
    }
    QCOMPARE(requestCount.load(), requests);
}

void TestInputMemory::Pipeline_memoryRefused_saysHowMuchAndWhatToDo()
{
    const FakeDataset dataset(50);
    PipelineSettings settings;
    settings.globalBatch = 1024;
    settings.prefetchBatches = 3;
    // Four batches of 1,024 x (1,728 x 4 + 12) bytes.
    largestBytes = 1000000;
    const auto error = errorOf([&] { const InputPipeline pipeline(dataset, settings); });
    largestBytes = INT64_MAX;
    QVERIFY(tells(error, ErrorCode::OutOfMemory, "27 MiB for 4 batches of 1024 examples"));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestInputMemory)
#include "test_input_memory.moc"
