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

BatchRing::BatchRing(std::int64_t prefetch, std::int64_t batches, int parts, Prepare prepare)
    : m_slots(static_cast<std::size_t>(prefetch + 1)), m_prefetch(prefetch), m_batches(batches),
      m_parts(parts), m_prepare(std::move(prepare)), m_claimLimit(batches)
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
    const bool hasRoom = m_claimed - m_taken < m_prefetch && slotOf(m_claimed).state == State::Free;
    return m_claimed < m_claimLimit && (m_claimedParts > 0 || hasRoom);
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
    const Claim claim{m_claimed, &slot.batch, m_claimedParts};
    if (claim.part == 0) {
        slot.state = State::Claimed;
        slot.partsLeft = m_parts;
        if (m_prepare) {
            m_prepare(claim.index, slot.batch);
        }
    }
    if (++m_claimedParts == m_parts) {
        m_claimedParts = 0;
        ++m_claimed;
    }
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
    finish(claim);
}

void BatchRing::abandon(const Claim& claim, std::exception_ptr cause)
{
    const std::scoped_lock lock(m_mutex);
    // Those before it are claimed already and still reach the consumer; none after it ever will. A
    // batch that was begun is ended, or it could be this one and its first failure still to come.
    m_claimLimit = m_claimed + (m_claimedParts > 0 ? 1 : 0);
    Slot& slot = slotOf(claim.index);
    if (!slot.failure || claim.part < slot.failedPart) {
        slot.failure = std::move(cause);
        slot.failedPart = claim.part;
    }
    finish(claim);
    m_roomOrClosed.notify_all();
}

void BatchRing::finish(const Claim& claim)
{
    Slot& slot = slotOf(claim.index);
    if (--slot.partsLeft > 0) {
        return;
    }
    slot.state = slot.failure ? State::Failed : State::Ready;
    m_ready += slot.failure ? 0 : 1;
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

} // namespace lockstep
