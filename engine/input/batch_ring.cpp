// SPDX-License-Identifier: Apache-2.0
#include "input/batch_ring.h"

#include "base/clock.h"
#include "base/error.h"

#include <algorithm>
#include <utility>

namespace lockstep {

void GiveBack::operator()(const Batch* batch) const noexcept
{
    ring->giveBack(batch);
}

BatchRing::BatchRing(std::int64_t prefetch, std::int64_t batches)
    : m_slots(static_cast<std::size_t>(prefetch + 1)), m_prefetch(prefetch), m_batches(batches),
      m_claimLimit(batches)
{
}

BatchRing::~BatchRing()
{
    close();
    std::unique_lock lock(m_mutex);
    m_consumerLeft.wait(lock, [this] { return !m_isTaking; });
}

BatchRing::Slot& BatchRing::slotOf(std::int64_t index)
{
    return m_slots[static_cast<std::size_t>(index) % m_slots.size()];
}

bool BatchRing::canClaim()
{
    return m_claimed < m_claimLimit && m_claimed - m_taken < m_prefetch
           && slotOf(m_claimed).state == State::Free;
}

std::optional<BatchRing::Claim> BatchRing::claim()
{
    std::unique_lock lock(m_mutex);
    m_roomOrClosed.wait(
        lock, [this] { return m_isClosed || m_claimed >= m_claimLimit || canClaim(); });
    if (m_isClosed || m_claimed >= m_claimLimit) {
        return std::nullopt;
    }
    Slot& slot = slotOf(m_claimed);
    slot.state = State::Claimed;
    const Claim claim{m_claimed++, &slot.batch};
    // One event may make room for several loaders, and the last claim sends all others home: each
    // loader that was woken wakes the next.
    if (m_claimed >= m_claimLimit || canClaim()) {
        m_roomOrClosed.notify_all();
    }
    return claim;
}

void BatchRing::publish(const Claim& claim)
{
    const std::scoped_lock lock(m_mutex);
    ++m_ready;
    finish(claim, State::Ready);
}

void BatchRing::abandon(const Claim& claim, std::exception_ptr cause)
{
    const std::scoped_lock lock(m_mutex);
    // Those before it are claimed already and still reach the consumer; none after it ever will.
    m_claimLimit = m_claimed;
    slotOf(claim.index).failure = std::move(cause);
    finish(claim, State::Failed);
    m_roomOrClosed.notify_all();
}

void BatchRing::finish(const Claim& claim, State state)
{
    slotOf(claim.index).state = state;
    if (claim.index == m_taken) {
        m_batchOrClosed.notify_one();
    }
}

BatchLease BatchRing::take()
{
    std::unique_lock lock(m_mutex);
    BatchLease lease;
    if (m_taken >= m_batches) {
        return lease;
    }
    Slot& slot = slotOf(m_taken);
    require(slot.state != State::Leased, "a batch is asked for while all of them are on loan");
    const bool waits = slot.state == State::Free || slot.state == State::Claimed;
    lease.queueFilled = shareReady();
    lease.waitSeconds = waits ? waitFor(slot, lock) : 0.0;
    if (slot.failure) {
        std::rethrow_exception(slot.failure);
    }
    if (m_isClosed) {
        fail(ErrorCode::Cancelled, "the input was stopped: no more batches come");
    }
    slot.state = State::Leased;
    lease.batch = {&slot.batch, GiveBack{this}};
    --m_ready;
    ++m_taken;
    count(lease, waits);
    m_roomOrClosed.notify_one();
    return lease;
}

double BatchRing::waitFor(const Slot& slot, std::unique_lock<std::mutex>& lock)
{
    const Stopwatch stopwatch;
    m_isTaking = true;
    m_batchOrClosed.wait(lock, [&] {
        return m_isClosed || slot.state == State::Ready || slot.state == State::Failed;
    });
    m_isTaking = false;
    m_consumerLeft.notify_all();
    return stopwatch.seconds();
}

double BatchRing::shareReady() const
{
    // Near the end the queue holds all that is left and is not called empty for that.
    const std::int64_t capacity = std::min(m_prefetch, m_batches - m_taken);
    return static_cast<double>(m_ready) / static_cast<double>(capacity);
}

void BatchRing::count(const BatchLease& lease, bool waited)
{
    ++m_statistics.batches;
    m_statistics.waits += waited ? 1 : 0;
    m_statistics.waitSeconds += lease.waitSeconds;
    m_statistics.queueFilledSum += lease.queueFilled;
}

void BatchRing::giveBack(const Batch* batch) noexcept
{
    const std::scoped_lock lock(m_mutex);
    for (auto& slot : m_slots) {
        if (&slot.batch == batch) {
            slot.state = State::Free;
        }
    }
    m_roomOrClosed.notify_one();
}

void BatchRing::close()
{
    const std::scoped_lock lock(m_mutex);
    m_isClosed = true;
    m_roomOrClosed.notify_all();
    m_batchOrClosed.notify_all();
}

PipelineStatistics BatchRing::statistics() const
{
    const std::scoped_lock lock(m_mutex);
    return m_statistics;
}

} // namespace lockstep
