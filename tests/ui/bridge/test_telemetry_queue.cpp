// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/telemetry_pump.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

/// A step whose every part follows from its number, so that a torn or mixed record shows.
StepRecord wholeRecord(std::int64_t step)
{
    const auto number = static_cast<double>(step);
    StepRecord record;
    record.step = step;
    record.lossMean = 0.5 * number;
    record.towers = {{number, step % 7, 8}, {-number, 0, 8}};
    return record;
}

bool isWhole(const StepRecord& record, std::int64_t step)
{
    const StepRecord expected = wholeRecord(step);
    return record.step == step && record.lossMean == expected.lossMean && record.towers.size() == 2
           && record.towers[0].loss == expected.towers[0].loss
           && record.towers[0].correct == expected.towers[0].correct
           && record.towers[1].loss == expected.towers[1].loss;
}

/// Takes all that is there; counts what is not the expected next record.
struct Taker
{
    void take(TelemetryQueue& queue)
    {
        while (const StepRecord* record = queue.front()) {
            wrong += isWhole(*record, next) ? 0 : 1;
            ++next;
            queue.pop();
        }
    }

    std::int64_t next = 0;
    int wrong = 0;
};

/// Pushes this many steps, again where the queue is full.
std::thread producerOf(TelemetryQueue& queue, std::int64_t steps)
{
    return std::thread([&queue, steps] {
        for (std::int64_t step = 0; step < steps; ++step) {
            while (!queue.push(wholeRecord(step))) {
                std::this_thread::yield();
            }
        }
    });
}

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr bool kIsFastBuild = true;
#else
constexpr bool kIsFastBuild = false;
#endif

} // namespace

class TestTelemetryQueue : public QObject
{
    Q_OBJECT

private slots:
    void Queue_betweenThreads_keepsOrderAndContent()
    {
        constexpr std::int64_t kSteps = 20'000;
        TelemetryQueue queue(16, [] {});
        std::thread producer = producerOf(queue, kSteps);
        Taker taker;
        while (taker.next < kSteps) {
            taker.take(queue);
            std::this_thread::yield();
        }
        producer.join();
        QCOMPARE(taker.wrong, 0);
        QVERIFY(queue.front() == nullptr);
    }

    void Queue_full_refusesAndKeepsWhatItHas()
    {
        TelemetryQueue queue(3, [] {});
        for (std::int64_t step = 0; step < 3; ++step) {
            QVERIFY(queue.push(wholeRecord(step)));
        }
        QVERIFY(!queue.push(wholeRecord(3)));
        queue.pop();
        QVERIFY(queue.push(wholeRecord(4)));
        std::vector<std::int64_t> steps;
        while (const StepRecord* record = queue.front()) {
            steps.push_back(record->step);
            queue.pop();
        }
        QCOMPARE(steps, (std::vector<std::int64_t>{1, 2, 4}));
    }

    void Queue_wakes_onceUntilListen()
    {
        int wakes = 0;
        TelemetryQueue queue(8, [&] { ++wakes; });
        queue.push(wholeRecord(0));
        queue.push(wholeRecord(1));
        QCOMPARE(wakes, 1);
        queue.listen();
        QCOMPARE(wakes, 1);
        queue.push(wholeRecord(2));
        queue.push(wholeRecord(3));
        QCOMPARE(wakes, 2);
    }

    void Queue_sleepingTaker_isAlwaysWoken()
    {
        constexpr std::int64_t kSteps = 3'000;
        std::counting_semaphore<> woken(0);
        TelemetryQueue queue(64, [&] { woken.release(); });
        std::thread producer = producerOf(queue, kSteps);
        Taker taker;
        bool isWoken = true;
        while (taker.next < kSteps && isWoken) {
            isWoken = woken.try_acquire_for(std::chrono::seconds(20));
            queue.listen();
            taker.take(queue);
        }
        // Lets the producer end where a wake was missed.
        while (taker.next < kSteps) {
            taker.take(queue);
        }
        producer.join();
        QVERIFY2(isWoken, "records lay in the queue and nobody was woken");
        QCOMPARE(taker.wrong, 0);
    }

    void Push_costs_lessThanTwoMicroseconds()
    {
        constexpr std::size_t kBlocks = 300;
        constexpr std::size_t kPerBlock = 100;
        QObject receiver;
        TelemetryQueue queue(1024, [&] {
            QMetaObject::invokeMethod(
                &receiver, [] {}, Qt::QueuedConnection);
        });
        StepRecord record = wholeRecord(0);
        std::vector<double> nanoseconds;
        for (std::size_t block = 0; block < kBlocks; ++block) {
            const auto start = std::chrono::steady_clock::now();
            for (std::size_t i = 0; i < kPerBlock; ++i) {
                ++record.step;
                queue.push(record);
            }
            const std::chrono::duration<double, std::nano> taken =
                std::chrono::steady_clock::now() - start;
            nanoseconds.push_back(taken.count() / kPerBlock);
            // As after a frame, so that each block wakes once.
            queue.listen();
            while (queue.front() != nullptr) {
                queue.pop();
            }
            QCoreApplication::processEvents();
        }
        std::sort(nanoseconds.begin(), nanoseconds.end());
        const double median = nanoseconds[kBlocks / 2];
        qInfo(
            "a push costs the engine thread %.0f ns (median), %.0f ns (95th percentile)", median,
            nanoseconds[kBlocks * 95 / 100]);
        if (kIsFastBuild) {
            QVERIFY2(median < 2000.0, "a push costs more than 2 microseconds");
        }
    }
};
LOCKSTEP_TEST(TestTelemetryQueue)
#include "test_telemetry_queue.moc"
