// SPDX-License-Identifier: Apache-2.0
#include "averaging/rank_all_reduce.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_team.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockstep {
namespace {

/// Naps, each twice as long as the one before: what the ranks exchange may come within microseconds
/// or after milliseconds, and a tower may need the processor on which this thread looks for it.
class Naps
{
public:
    void rest()
    {
        std::this_thread::sleep_for(m_next);
        m_next = std::min(2 * m_next, kLongest);
    }
    void restart() { m_next = kFirst; }

private:
    static constexpr std::chrono::microseconds kFirst{10};
    static constexpr std::chrono::microseconds kLongest{320};
    std::chrono::microseconds m_next = kFirst;
};

} // namespace

RankAllReduce::RankAllReduce(
    Ranks& ranks, const HostDevice& device, const ParameterLayout& layout,
    const AveragingPlan& plan, const std::vector<LaneGradient>& lanes,
    const std::vector<GradientBucket>& buckets, float* gradient)
    : m_ranks(ranks),
      m_sums(std::make_shared<std::vector<float>>(static_cast<std::size_t>(layout.elements))),
      m_own(device, layout, plan, lanes, isFirst() ? nullptr : m_sums->data())
{
    planPieces(buckets, gradient);
    for (auto* transfers : {&m_sumsIn, &m_sumsOut, &m_meansIn, &m_meansOut}) {
        transfers->resize(m_pieces.size());
    }
    m_thread = std::thread([this] { work(); });
    pthread_setname_np(m_thread.native_handle(), "averaging");
}

RankAllReduce::~RankAllReduce()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isWanted = false;
    }
    m_changed.notify_all();
    m_thread.join();
    if (m_isBrokenOff) {
        m_ranks.keepUntilEnd(m_sums);
    }
}

void RankAllReduce::planPieces(const std::vector<GradientBucket>& buckets, float* gradient)
{
    const auto& chunks = m_own.chunks();
    std::size_t first = 0;
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
        const std::int64_t end = buckets[bucket].offset + buckets[bucket].count;
        const std::int64_t most = pieceValues(buckets[bucket].count, m_ranks.size());
        while (first < chunks.size() && chunks[first].offset < end) {
            const std::int64_t offset = chunks[first].offset;
            std::size_t next = first;
            std::int64_t valuesEnd = offset;
            while (next < chunks.size() && chunks[next].offset < end
                   && chunks[next].offset + chunks[next].count - offset <= most) {
                valuesEnd = chunks[next].offset + chunks[next].count;
                ++next;
            }
            require(next > first, "a chunk is larger than a piece");
            m_pieces.push_back(
                {first, next, bucket,
                 std::span(*m_sums).subspan(
                     static_cast<std::size_t>(offset),
                     static_cast<std::size_t>(valuesEnd - offset)),
                 gradient + offset});
            first = next;
        }
    }
    require(first == chunks.size(), "a gradient is in no bucket");
}

void RankAllReduce::begin()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ready = 0;
        m_isBegun = true;
    }
    m_changed.notify_all();
}

void RankAllReduce::ready(std::size_t bucket)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ready = bucket + 1;
    }
    m_changed.notify_all();
}

int RankAllReduce::finish()
{
    const Stopwatch watch;
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return !m_isBegun; });
    m_seconds.exposed = watch.seconds();
    if (m_failure) {
        std::rethrow_exception(std::exchange(m_failure, nullptr));
    }
    return m_badParameter;
}

void RankAllReduce::work()
{
    const SignalStack stack;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return !m_isWanted || (m_isBegun && m_ready > 0); });
        if (!m_isWanted) {
            return;
        }
        lock.unlock();
        std::exception_ptr failure;
        try {
            exchange();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        m_failure = failure;
        m_isBegun = false;
        m_changed.notify_all();
    }
}

/// Looks again and again: MPI moves nothing while nobody asks.
void RankAllReduce::exchange()
{
    prctl(PR_SET_TIMERSLACK, 1UL); // ns; else each nap takes 50 us more
    const Stopwatch watch;
    double idle = 0.0;
    m_badParameter = -1;
    m_isBrokenOff = true; // until the end
    Progress progress;
    Naps naps;
    while (progress.passed < m_pieces.size()) {
        if (advance(progress)) {
            naps.restart();
        } else {
            const bool isIdle = m_pieces[progress.passed].bucket >= readyBuckets();
            const Stopwatch nap;
            naps.rest();
            idle += isIdle ? nap.seconds() : 0.0;
        }
        if (!isWanted()) {
            return;
        }
    }
    m_isBrokenOff = false;
    m_seconds.underWay = watch.seconds() - idle;
}

bool RankAllReduce::advance(Progress& progress)
{
    bool hasMoved = false;
    while (!isFirst() && progress.awaited < m_pieces.size()) {
        m_sumsIn[progress.awaited] =
            m_ranks.startReceive(m_ranks.rank() - 1, m_pieces[progress.awaited].bytes());
        ++progress.awaited;
    }
    hasMoved |= addNext(progress);
    // The mean comes into the place of the sum, once that has left.
    if (!isLast() && progress.sent < progress.added && m_ranks.isDone(m_sumsOut[progress.sent])) {
        m_meansIn[progress.sent] =
            m_ranks.startReceive(m_ranks.rank() + 1, m_pieces[progress.sent].bytes());
        ++progress.sent;
        hasMoved = true;
    }
    hasMoved |= takeMean(progress);
    if (progress.passed < progress.meant
        && (isFirst() || m_ranks.isDone(m_meansOut[progress.passed]))) {
        ++progress.passed;
        hasMoved = true;
    }
    return hasMoved;
}

bool RankAllReduce::addNext(Progress& progress)
{
    if (progress.added == m_pieces.size()) {
        return false;
    }
    const Piece& piece = m_pieces[progress.added];
    if (piece.bucket >= readyBuckets()
        || (!isFirst() && !m_ranks.isDone(m_sumsIn[progress.added]))) {
        return false;
    }
    for (std::size_t chunk = piece.firstChunk; chunk < piece.endChunk; ++chunk) {
        const bool isFinite = m_own.averageChunk(chunk, m_sums->data());
        if (isLast() && !isFinite && m_badParameter < 0) {
            m_badParameter = m_own.chunks()[chunk].parameter;
        }
    }
    if (!isLast()) {
        m_sumsOut[progress.added] = m_ranks.startSend(m_ranks.rank() + 1, piece.bytes());
    }
    ++progress.added;
    return true;
}

bool RankAllReduce::takeMean(Progress& progress)
{
    const bool isThere =
        isLast() ? progress.meant < progress.added
                 : progress.meant < progress.sent && m_ranks.isDone(m_meansIn[progress.meant]);
    if (!isThere) {
        return false;
    }
    std::ranges::copy(m_pieces[progress.meant].values, m_pieces[progress.meant].mean);
    if (!isFirst()) {
        m_meansOut[progress.meant] =
            m_ranks.startSend(m_ranks.rank() - 1, m_pieces[progress.meant].bytes());
    }
    ++progress.meant;
    return true;
}

std::size_t RankAllReduce::readyBuckets()
{
    const std::scoped_lock lock(m_mutex);
    return m_ready;
}

bool RankAllReduce::isWanted()
{
    const std::scoped_lock lock(m_mutex);
    return m_isWanted;
}

} // namespace lockstep
