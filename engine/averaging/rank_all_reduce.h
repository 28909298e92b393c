// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/exchange_seconds.h"
#include "averaging/gradient_buckets.h"
#include "averaging/ordered_all_reduce.h"
#include "ranks/ranks.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace lockstep {

/// Averages the gradients of the towers of all ranks, on a thread of its own beside the backward
/// pass: every piece of a bucket goes from rank to rank as a sum, to which each adds its towers in
/// their order, and the mean comes back the same way. So the bits are those of one process with all
/// towers, whatever towers the ranks have. Each rank sends and receives each gradient twice at
/// most, whatever the number of ranks and lanes, and the two directions of a link work at once:
/// pieces follow each other as in a pipeline. One caller.
class RankAllReduce
{
public:
    /// `lanes` are those of this rank's towers; `gradient`, an arena part, becomes the mean. All
    /// must outlive this object.
    RankAllReduce(
        Ranks& ranks, const HostDevice& device, const ParameterLayout& layout,
        const AveragingPlan& plan, const std::vector<LaneGradient>& lanes,
        const std::vector<GradientBucket>& buckets, float* gradient);
    /// Leaves a step that was begun as it is.
    ~RankAllReduce();
    RankAllReduce(const RankAllReduce&) = delete;
    RankAllReduce& operator=(const RankAllReduce&) = delete;

    /// A step: its buckets get ready, in their order.
    void begin();
    /// The own towers' gradients of this bucket are there.
    void ready(std::size_t bucket);
    /// Waits for the mean. On the last rank: the number of the first parameter, in the order of the
    /// arena, whose mean is not finite; elsewhere, and if all are: -1. Throws what Ranks throws.
    int finish();

    /// Of the last step that was finished.
    [[nodiscard]] const ExchangeSeconds& seconds() const { return m_seconds; }

private:
    /// Chunks that travel together.
    struct Piece
    {
        std::size_t firstChunk = 0;
        std::size_t endChunk = 0;
        std::size_t bucket = 0;
        std::span<float> values; ///< of m_sums
        float* mean = nullptr;   ///< where they go in the end

        [[nodiscard]] std::span<std::byte> bytes() const { return std::as_writable_bytes(values); }
    };
    /// How far the pieces of a step are, in their order.
    struct Progress
    {
        std::size_t awaited = 0; ///< whose sum is received, or will be
        std::size_t added = 0;   ///< to which the own towers are added
        std::size_t sent = 0;    ///< whose sum has left
        std::size_t meant = 0;   ///< whose mean is there
        std::size_t passed = 0;  ///< whose mean has left
    };

    void planPieces(const std::vector<GradientBucket>& buckets, float* gradient);
    void work();
    void exchange();
    bool advance(Progress& progress);
    bool addNext(Progress& progress);
    bool takeMean(Progress& progress);
    [[nodiscard]] std::size_t readyBuckets();
    [[nodiscard]] bool isWanted();
    [[nodiscard]] bool isFirst() const { return m_ranks.rank() == 0; }
    [[nodiscard]] bool isLast() const { return m_ranks.rank() + 1 == m_ranks.size(); }

    Ranks& m_ranks;
    /// Laid out like the arena: what travels, sum first and then mean.
    std::shared_ptr<std::vector<float>> m_sums;
    OrderedAllReduce m_own;
    std::vector<Piece> m_pieces;
    // Transfers of the pieces: of sums from the rank before and to the next one, of means back.
    std::vector<Ranks::Transfer> m_sumsIn;
    std::vector<Ranks::Transfer> m_sumsOut;
    std::vector<Ranks::Transfer> m_meansIn;
    std::vector<Ranks::Transfer> m_meansOut;
    bool m_isBrokenOff = false; ///< with transfers under way
    int m_badParameter = -1;
    ExchangeSeconds m_seconds;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::size_t m_ready = 0; ///< buckets of the step
    bool m_isBegun = false;  ///< until its mean is there
    bool m_isWanted = true;
    std::exception_ptr m_failure;
    std::thread m_thread; ///< last: works with all others
};

} // namespace lockstep
