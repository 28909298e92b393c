// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace lockstep {

/// In which order the examples of a data set are visited.
enum class ExampleOrder {
    Shuffled,   ///< a new permutation each epoch: training
    Sequential, ///< 0, 1, 2 …: evaluation
    Balanced,   ///< as many of one class as of the other: training, see BalancedOrder
};

/// One place in the stream of examples.
struct Visit
{
    std::uint32_t epoch = 0;   ///< complete passes over the data set before this visit
    std::uint32_t example = 0; ///< number of the example in its data set
    bool operator==(const Visit&) const = default;
};

/// The order of examples: one endless stream of permutations. Position p lies in epoch p / M and
/// visits example permutation_epoch[p % M], where M is the number of examples. So every example is
/// visited once per epoch, nothing is dropped, and a batch may straddle epochs.
///
/// The permutation of an epoch: start with 0 … M-1; for i = M-1 down to 1 swap places i and
/// below(i + 1), drawn from PhiloxStream(seed, Shuffle, epoch, stream) (Fisher and Yates;
/// Durstenfeld, "Algorithm 235: Random permutation", 1964). Stream 0 is that of a whole data set.
///
/// The state of a stream is (seed, position) and the caller has both: resuming needs nothing else.
/// Thread-safe. Keeps two permutations, 8 * M bytes, so that all loaders near the end of an epoch
/// share them; a permutation that is no longer kept is made anew.
class Sampler
{
public:
    /// `order` is Shuffled or Sequential. Throws Error(Data) for a data set without examples or
    /// with 2^32 and more.
    Sampler(
        std::int64_t examples, ExampleOrder order, std::uint64_t seed, std::uint32_t stream = 0);

    /// The visits at positions position, position + 1, …; allocates nothing. Needs position >= 0.
    void visit(std::int64_t position, std::span<Visit> visits) const;

    [[nodiscard]] std::int64_t examples() const noexcept { return m_examples; }
    /// Bytes that the permutations of a data set of this size take.
    static std::int64_t bytes(std::int64_t examples, ExampleOrder order);

private:
    struct Permutation
    {
        std::int64_t epoch = -1;
        std::vector<std::uint32_t> examples;
    };

    void visitEpoch(std::uint32_t epoch, std::int64_t first, std::span<Visit> visits) const;
    const std::vector<std::uint32_t>& permutation(std::uint32_t epoch) const;

    std::int64_t m_examples;
    ExampleOrder m_order;
    std::uint64_t m_seed;
    std::uint32_t m_stream;
    mutable std::mutex m_mutex;
    // Epoch e lives at e % 2: neighbours, which a straddling batch needs, never displace each
    // other.
    mutable std::array<Permutation, 2> m_permutations;
};

} // namespace lockstep
