// SPDX-License-Identifier: Apache-2.0
#include "input/batch_ring.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <limits>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep::test {
namespace {

constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

std::exception_ptr cause(const char* text)
{
    return std::make_exception_ptr(std::out_of_range(text));
}

void make(BatchRing& ring, const BatchRing::Claim& claim)
{
    claim.batch->step = claim.index;
    ring.publish(claim);
}

void makeNext(BatchRing& ring)
{
    make(ring, ring.claim().value());
}

// Long enough that a thread that can go on has gone on, on any machine that runs the tests.
bool isStillWaiting(const std::future<void>& future)
{
    return future.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout;
}

} // namespace

class TestBatchRing : public QObject
{
    Q_OBJECT
private slots:
    void Take_batchesMadeOutOfOrder_comeInOrder();
    void Take_lastBatchTaken_isEmptyEverAfter();
    void Take_noBatchReady_waitsAndSaysSo();
    void Take_share_isOfWhatCanBeReady();
    void Take_allBuffersOnLoan_isRefused();
    void Take_closed_isCancelled();
    void Take_failedBatch_throwsTheCauseAfterThoseBefore();
    void Take_severalFailed_throwsTheFirstInOrder();
    void Take_partsOutOfOrder_comesWhenTheLastIsMade();
    void Take_severalPartsFailed_throwsThatOfTheFirst();
    void Claim_queueFull_waitsForTheConsumer();
    void Claim_afterTheEndOrAFailure_sendsTheLoaderHome();
    void Claim_waitingLoaders_leaveWhenTheLastBatchIsClaimed();
    void Lease_ended_givesItsBufferBack();
    void Close_wakesLoadersAndConsumer();
    void Destructor_consumerWaiting_letsItLeaveFirst();
};

void TestBatchRing::Take_batchesMadeOutOfOrder_comeInOrder()
{
    BatchRing ring(3, kEndless);
    for (std::int64_t round = 0; round < 5; ++round) {
        const auto first = ring.claim().value();
        const auto second = ring.claim().value();
        const auto third = ring.claim().value();
        make(ring, third);
        make(ring, first);
        make(ring, second);
        for (std::int64_t i = 0; i < 3; ++i) {
            QCOMPARE(ring.take().batch->step, round * 3 + i);
        }
    }
}

void TestBatchRing::Take_lastBatchTaken_isEmptyEverAfter()
{
    BatchRing ring(4, 2);
    makeNext(ring);
    makeNext(ring);
    QVERIFY(ring.take().batch != nullptr);
    QVERIFY(ring.take().batch != nullptr);
    QVERIFY(ring.take().batch == nullptr);
    QVERIFY(ring.take().batch == nullptr);
}

void TestBatchRing::Take_noBatchReady_waitsAndSaysSo()
{
    BatchRing ring(2, kEndless);
    std::thread loader([&] {
        const auto claim = ring.claim().value();
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        make(ring, claim);
    });
    const auto waited = ring.take();
    loader.join();
    QCOMPARE(waited.queueFilled, 0.0);
    QVERIFY(waited.waitSeconds > 0.0);
    makeNext(ring);
    const auto ready = ring.take();
    QCOMPARE(ready.queueFilled, 0.5);
    QCOMPARE(ready.waitSeconds, 0.0);
}

void TestBatchRing::Take_share_isOfWhatCanBeReady()
{
    BatchRing ring(4, 5);
    for (int i = 0; i < 4; ++i) {
        makeNext(ring);
    }
    QCOMPARE(ring.take().queueFilled, 1.0);
    QCOMPARE(ring.take().queueFilled, 0.75);
    // Three batches are left, of which two are ready.
    QCOMPARE(ring.take().queueFilled, 2.0 / 3.0);
    makeNext(ring);
    QCOMPARE(ring.take().queueFilled, 1.0);
    QCOMPARE(ring.take().queueFilled, 1.0);
}

void TestBatchRing::Take_allBuffersOnLoan_isRefused()
{
    BatchRing ring(1, kEndless);
    makeNext(ring);
    const auto first = ring.take();
    makeNext(ring);
    const auto second = ring.take();
    const auto error = errorOf([&] { ring.take(); });
    QVERIFY(tells(error, ErrorCode::Internal, "on loan"));
}

void TestBatchRing::Take_closed_isCancelled()
{
    BatchRing ring(2, kEndless);
    makeNext(ring);
    ring.close();
    ring.close();
    QVERIFY(tells(errorOf([&] { ring.take(); }), ErrorCode::Cancelled, "stopped"));
}

void TestBatchRing::Take_failedBatch_throwsTheCauseAfterThoseBefore()
{
    BatchRing ring(3, kEndless);
    const auto first = ring.claim().value();
    const auto second = ring.claim().value();
    ring.abandon(second, cause("second"));
    make(ring, first);
    QCOMPARE(ring.take().batch->step, 0);
    for (int attempt = 0; attempt < 2; ++attempt) {
        try {
            ring.take();
            QFAIL("nothing was thrown");
        } catch (const std::out_of_range& error) {
            QCOMPARE(error.what(), "second");
        }
    }
}

void TestBatchRing::Take_severalFailed_throwsTheFirstInOrder()
{
    BatchRing ring(3, kEndless);
    const auto first = ring.claim().value();
    const auto second = ring.claim().value();
    ring.abandon(second, cause("second"));
    ring.abandon(first, cause("first"));
    try {
        ring.take();
        QFAIL("nothing was thrown");
    } catch (const std::out_of_range& error) {
        QCOMPARE(error.what(), "first");
    }
}

void TestBatchRing::Take_partsOutOfOrder_comesWhenTheLastIsMade()
{
    std::vector<std::int64_t> prepared;
    BatchRing ring(1, kEndless, 3, [&](std::int64_t index, Batch& batch) {
        prepared.push_back(index);
        batch.step = index;
    });
    for (std::int64_t round = 0; round < 4; ++round) {
        std::vector<BatchRing::Claim> claims;
        for (int part = 0; part < 3; ++part) {
            claims.push_back(ring.claim().value());
            QCOMPARE(claims.back().index, round);
            QCOMPARE(claims.back().part, part);
            QCOMPARE(claims.back().batch, claims.front().batch);
        }
        ring.publish(claims[2]);
        ring.publish(claims[0]);
        auto consumer =
            std::async(std::launch::async, [&] { QCOMPARE(ring.take().batch->step, round); });
        QVERIFY(isStillWaiting(consumer));
        ring.publish(claims[1]);
        consumer.get();
    }
    QCOMPARE(prepared, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

void TestBatchRing::Take_severalPartsFailed_throwsThatOfTheFirst()
{
    BatchRing ring(2, kEndless, 3);
    const auto first = ring.claim().value();
    const auto second = ring.claim().value();
    ring.abandon(second, cause("second"));
    // The rest of the batch is made all the same; of the next one nothing.
    const auto third = ring.claim().value();
    QVERIFY(!ring.claim());
    ring.abandon(third, cause("third"));
    auto consumer = std::async(std::launch::async, [&] { (void)ring.take(); });
    QVERIFY(isStillWaiting(consumer));
    ring.abandon(first, cause("first"));
    try {
        consumer.get();
        QFAIL("nothing was thrown");
    } catch (const std::out_of_range& error) {
        QCOMPARE(error.what(), "first");
    }
}

void TestBatchRing::Claim_queueFull_waitsForTheConsumer()
{
    BatchRing ring(2, kEndless);
    makeNext(ring);
    makeNext(ring);
    auto loader = std::async(std::launch::async, [&] { makeNext(ring); });
    QVERIFY(isStillWaiting(loader));
    const auto lease = ring.take();
    loader.get();
    QCOMPARE(ring.take().batch->step, 1);
    QCOMPARE(ring.take().batch->step, 2);
}

void TestBatchRing::Claim_afterTheEndOrAFailure_sendsTheLoaderHome()
{
    BatchRing ended(4, 1);
    makeNext(ended);
    QVERIFY(!ended.claim());
    BatchRing failed(4, kEndless);
    failed.abandon(failed.claim().value(), cause("failed"));
    QVERIFY(!failed.claim());
    BatchRing none(4, 0);
    QVERIFY(!none.claim());
    QVERIFY(none.take().batch == nullptr);
}

void TestBatchRing::Claim_waitingLoaders_leaveWhenTheLastBatchIsClaimed()
{
    BatchRing ring(1, 3);
    std::vector<std::future<void>> loaders;
    for (int i = 0; i < 16; ++i) {
        loaders.push_back(std::async(std::launch::async, [&] {
            while (const auto claim = ring.claim()) {
                make(ring, *claim);
            }
        }));
    }
    QVERIFY(isStillWaiting(loaders.front()));
    for (std::int64_t i = 0; i < 3; ++i) {
        QCOMPARE(ring.take().batch->step, i);
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    const bool haveAllLeft = std::all_of(loaders.begin(), loaders.end(), [&](const auto& loader) {
        return loader.wait_until(deadline) == std::future_status::ready;
    });
    ring.close();
    QVERIFY(haveAllLeft);
}

void TestBatchRing::Lease_ended_givesItsBufferBack()
{
    BatchRing ring(2, kEndless);
    std::set<const Batch*> buffers;
    for (std::int64_t i = 0; i < 20; ++i) {
        makeNext(ring);
        auto lease = ring.take();
        buffers.insert(lease.batch.get());
        // A lease that is handed on ends with its last holder.
        const BatchLease moved = std::move(lease);
        QCOMPARE(moved.batch->step, i);
    }
    QCOMPARE(buffers.size(), std::size_t{3});
}

void TestBatchRing::Close_wakesLoadersAndConsumer()
{
    BatchRing full(1, kEndless);
    makeNext(full);
    auto loader = std::async(std::launch::async, [&] { (void)full.claim(); });
    BatchRing empty(1, kEndless);
    auto consumer = std::async(std::launch::async, [&] { (void)empty.take(); });
    QVERIFY(isStillWaiting(loader));
    QVERIFY(isStillWaiting(consumer));
    full.close();
    empty.close();
    loader.get();
    const auto error = errorOf([&] { consumer.get(); });
    QVERIFY(tells(error, ErrorCode::Cancelled, "stopped"));
}

void TestBatchRing::Destructor_consumerWaiting_letsItLeaveFirst()
{
    auto ring = std::make_unique<BatchRing>(1, kEndless);
    BatchRing* const shared = ring.get();
    auto consumer = std::async(std::launch::async, [shared] { (void)shared->take(); });
    QVERIFY(isStillWaiting(consumer));
    ring.reset();
    QVERIFY(tells(errorOf([&] { consumer.get(); }), ErrorCode::Cancelled, "stopped"));
}

} // namespace lockstep::test

LOCKSTEP_TEST(lockstep::test::TestBatchRing)
#include "test_batch_ring.moc"
