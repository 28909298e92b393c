// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/batch.h"

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace lockstep {

class BatchRing;

/// Gives a batch's buffer back to its ring.
struct GiveBack
{
    BatchRing* ring = nullptr;
    void operator()(const Batch* batch) const noexcept;
};

/// A batch on loan. Its buffer returns to the loaders when this is destroyed or `batch` is reset,
/// which must be before the pipeline is destroyed.
struct BatchLease
{
    std::unique_ptr<const Batch, GiveBack> batch; ///< empty: there are no more batches
    double queueFilled = 0.0; ///< share of the queue that was ready when the batch was asked for
    double waitSeconds = 0.0; ///< how long the caller waited for it
};

/// A bounded ring of reusable batches between loaders, who make their parts in any order, and one
/// consumer, who gets them strictly in order of their index 0, 1, 2 …. Thread-safe; one thread at a
/// time may take(). The destructor waits until nobody is inside take() any more; loaders must have
/// left.
class BatchRing
{
public:
    /// A part of a batch that a loader is to make, in the ring's own buffer.
    struct Claim
    {
        std::int64_t index = 0;
        Batch* batch = nullptr;
        int part = 0;
    };
    /// Readies a buffer for batch `index`, before its first part is made.
    using Prepare = std::function<void(std::int64_t index, Batch& batch)>;

    /// At most `prefetch` batches are made ahead of the one that the consumer holds (so there are
    /// prefetch + 1 buffers); `batches` is how many there are in all; `parts` of each are made by
    /// as many loaders.
    BatchRing(
        std::int64_t prefetch, std::int64_t batches, int parts = 1, Prepare prepare = nullptr);
    ~BatchRing();
    BatchRing(const BatchRing&) = delete;
    BatchRing& operator=(const BatchRing&) = delete;

    /// Loader: waits for room and claims the next part. Empty when the loader is to leave: all are
    /// claimed, one failed, or the ring is closed.
    std::optional<Claim> claim();
    /// Loader: the claimed part is made.
    void publish(const Claim& claim);
    /// Loader: the claimed part can't be made; take() throws `cause` in its turn, of several parts
    /// of a batch that of the first.
    void abandon(const Claim& claim, std::exception_ptr cause);

    /// Consumer: waits for the next batch. Empty after the last. Throws the cause if making this
    /// batch failed (and again at every further call), Error(Cancelled) if the ring is closed.
    BatchLease take();
    void giveBack(const Batch* batch) noexcept;

    /// Wakes all who wait, for good. Any thread, any number of times.
    void close();

    /// The buffers, to be given their room before the first claim().
    template<class Function>
    void forEachBatch(Function function)
    {
        for (auto& slot : m_slots) {
            function(slot.batch);
        }
    }

private:
    enum class State { Free, Claimed, Ready, Failed, Leased };
    struct Slot
    {
        Batch batch;
        State state = State::Free;
        int partsLeft = 0; ///< of a claimed one, still to be made
        int failedPart = 0;
        std::exception_ptr failure;
    };

    Slot& slotOf(std::int64_t index);
    bool canClaim();
    void finish(const Claim& claim);
    [[nodiscard]] double shareReady() const;
    double waitFor(const Slot& slot, std::unique_lock<std::mutex>& lock);

    std::mutex m_mutex;
    std::condition_variable m_roomOrClosed;
    std::condition_variable m_batchOrClosed;
    std::condition_variable m_consumerLeft;
    std::vector<Slot> m_slots;
    std::int64_t m_prefetch;
    std::int64_t m_batches;
    int m_parts;
    Prepare m_prepare;
    std::int64_t
        m_claimLimit; // no batch from this one on is claimed: the end, or a failure before it
    std::int64_t m_claimed = 0; // batches of which all parts are
    int m_claimedParts = 0;     // of the batch after them
    std::int64_t m_taken = 0;
    std::int64_t m_ready = 0;
    bool m_isClosed = false;
    bool m_isTaking = false;
};

} // namespace lockstep
