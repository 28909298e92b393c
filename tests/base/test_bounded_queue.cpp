// SPDX-License-Identifier: Apache-2.0
#include "base/bounded_queue.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace lockstep {
namespace {

// Long enough that a call which does not wait would have returned.
constexpr std::chrono::milliseconds kWhile{30};

// Runs `call` on a thread of its own and reports whether it is still waiting after a while;
// `release` then has to let it go.
template<class Call, class Release>
bool waitsUntil(Call call, Release release)
{
    std::atomic<bool> returned{false};
    std::thread caller([&] {
        call();
        returned = true;
    });
    std::this_thread::sleep_for(kWhile);
    const bool waited = !returned;
    release();
    caller.join();
    return waited;
}

} // namespace

class TestBoundedQueue : public QObject
{
    Q_OBJECT

private slots:
    void Queue_values_comeOutInTheirOrder();
    void Queue_noRoomAtAll_isRefused();
    void Queue_moveOnlyValues_passThrough();
    void TryPush_fullQueue_isRefusedAndChangesNothing();
    void TryPop_emptyQueue_isEmpty();
    void Push_fullQueue_waitsForRoom();
    void Pop_emptyQueue_waitsForAValue();
    void Close_waitingProducer_isLetGoWithFalse();
    void Close_waitingConsumers_areAllLetGoEmpty();
    void Close_whatIsLeft_canStillBeTaken();
    void Queue_manyProducersAndConsumers_losesNothingAndKeepsEachProducersOrder_data();
    void Queue_manyProducersAndConsumers_losesNothingAndKeepsEachProducersOrder();
};

void TestBoundedQueue::Queue_values_comeOutInTheirOrder()
{
    BoundedQueue<int> queue(3);
    QCOMPARE(queue.capacity(), std::size_t{3});
    QVERIFY(queue.push(1) && queue.push(2) && queue.tryPush(3));
    QCOMPARE(queue.size(), std::size_t{3});
    QCOMPARE(queue.pop(), std::optional(1));
    QCOMPARE(queue.tryPop(), std::optional(2));
    QCOMPARE(queue.pop(), std::optional(3));
    QCOMPARE(queue.size(), std::size_t{0});
}

void TestBoundedQueue::Queue_noRoomAtAll_isRefused()
{
    QVERIFY_THROWS_EXCEPTION(Error, BoundedQueue<int>(0));
}

void TestBoundedQueue::Queue_moveOnlyValues_passThrough()
{
    BoundedQueue<std::unique_ptr<int>> queue(1);
    QVERIFY(queue.push(std::make_unique<int>(7)));
    const auto value = queue.pop();
    QVERIFY(value.has_value());
    QCOMPARE(**value, 7);
}

void TestBoundedQueue::TryPush_fullQueue_isRefusedAndChangesNothing()
{
    BoundedQueue<int> queue(1);
    QVERIFY(queue.tryPush(1));
    QVERIFY(!queue.tryPush(2));
    QCOMPARE(queue.size(), std::size_t{1});
    QCOMPARE(queue.tryPop(), std::optional(1));
}

void TestBoundedQueue::TryPop_emptyQueue_isEmpty()
{
    BoundedQueue<int> queue(1);
    QVERIFY(!queue.tryPop().has_value());
}

void TestBoundedQueue::Push_fullQueue_waitsForRoom()
{
    BoundedQueue<int> queue(1);
    queue.push(1);
    bool accepted = false;
    QVERIFY(waitsUntil([&] { accepted = queue.push(2); }, [&] { queue.pop(); }));
    QVERIFY(accepted);
    QCOMPARE(queue.tryPop(), std::optional(2));
}

void TestBoundedQueue::Pop_emptyQueue_waitsForAValue()
{
    BoundedQueue<int> queue(1);
    std::optional<int> value;
    QVERIFY(waitsUntil([&] { value = queue.pop(); }, [&] { queue.push(5); }));
    QCOMPARE(value, std::optional(5));
}

void TestBoundedQueue::Close_waitingProducer_isLetGoWithFalse()
{
    BoundedQueue<int> queue(1);
    queue.push(1);
    bool accepted = true;
    QVERIFY(waitsUntil([&] { accepted = queue.push(2); }, [&] { queue.close(); }));
    QVERIFY(!accepted);
    QCOMPARE(queue.size(), std::size_t{1});
}

void TestBoundedQueue::Close_waitingConsumers_areAllLetGoEmpty()
{
    BoundedQueue<int> queue(1);
    std::array<std::optional<int>, 3> values{1, 1, 1};
    std::vector<std::thread> consumers;
    consumers.reserve(values.size());
    for (auto& value : values) {
        consumers.emplace_back([&queue, &value] { value = queue.pop(); });
    }
    std::this_thread::sleep_for(kWhile);
    queue.close();
    for (auto& consumer : consumers) {
        consumer.join();
    }
    QCOMPARE(values, (std::array<std::optional<int>, 3>{}));
}

void TestBoundedQueue::Close_whatIsLeft_canStillBeTaken()
{
    BoundedQueue<int> queue(3);
    queue.push(1);
    queue.push(2);
    queue.close();
    QVERIFY(!queue.push(3));
    QVERIFY(!queue.tryPush(3));
    QCOMPARE(queue.pop(), std::optional(1));
    QCOMPARE(queue.pop(), std::optional(2));
    QVERIFY(!queue.pop().has_value());
}

void TestBoundedQueue::Queue_manyProducersAndConsumers_losesNothingAndKeepsEachProducersOrder_data()
{
    lockstep::test::addRows<int, int, int>(
        {"producers", "consumers", "capacity"}, {{"one to one, one place", 1, 1, 1},
                                                 {"four to one", 4, 1, 3},
                                                 {"one to four", 1, 4, 3},
                                                 {"four to four, one place", 4, 4, 1},
                                                 {"four to four, many places", 4, 4, 64}});
}

void TestBoundedQueue::Queue_manyProducersAndConsumers_losesNothingAndKeepsEachProducersOrder()
{
    QFETCH(const int, producers);
    QFETCH(const int, consumers);
    QFETCH(const int, capacity);
    constexpr int kEach = 2000;
    BoundedQueue<int> queue(static_cast<std::size_t>(capacity));
    std::atomic<bool> isOverfull{false};
    std::vector<std::vector<int>> taken(static_cast<std::size_t>(consumers));
    std::vector<std::thread> takers;
    takers.reserve(taken.size());
    for (auto& mine : taken) {
        takers.emplace_back([&] {
            while (const auto value = queue.pop()) {
                mine.push_back(*value);
                isOverfull = isOverfull || queue.size() > queue.capacity();
            }
        });
    }
    std::vector<std::thread> givers;
    givers.reserve(static_cast<std::size_t>(producers));
    for (int producer = 0; producer < producers; ++producer) {
        givers.emplace_back([&queue, producer] {
            for (int i = 0; i < kEach; ++i) {
                queue.push(producer * kEach + i);
            }
        });
    }
    std::for_each(givers.begin(), givers.end(), [](auto& thread) { thread.join(); });
    queue.close();
    std::for_each(takers.begin(), takers.end(), [](auto& thread) { thread.join(); });

    QVERIFY(!isOverfull);
    std::vector<int> all;
    for (const auto& mine : taken) {
        std::vector<int> last(static_cast<std::size_t>(producers), -1);
        for (const int value : mine) {
            int& before = last[static_cast<std::size_t>(value / kEach)];
            QVERIFY(before < value);
            before = value;
        }
        all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<int> expected(static_cast<std::size_t>(producers) * kEach);
    std::iota(expected.begin(), expected.end(), 0);
    QCOMPARE(all, expected);
}

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestBoundedQueue)
#include "test_bounded_queue.moc"
