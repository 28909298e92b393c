// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/order/sampler.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// An order in which clean and defective examples (labels 0 and 1) are equally frequent. Each class
/// has an endless stream of permutations of its own (Sampler). A global batch of G examples holds
/// G / 2 of each, at places drawn from PhiloxStream(seed, BatchOrder, high and low half of the
/// batch's position): each next row is a defective one with the probability (defective ones left) /
/// (rows left), so that every arrangement is equally likely (selection sampling: Knuth, "The Art of
/// Computer Programming", volume 2, algorithm S) and no tower always gets the same class. A batch
/// of one alternates from step to step, a clean example first, as SegDecNet's authors do.
///
/// An epoch is 2 * (defective examples): each of these once, with as many clean ones. The state of
/// the stream is (seed, position): after p examples it has handed out (p + 1) / 2 clean ones and
/// p / 2 defective ones. Thread-safe.
class BalancedOrder
{
public:
    /// Throws Error(BadInput) that names the key if the batch is odd and not 1, and if the data set
    /// hasn't two classes with an example of each.
    BalancedOrder(const Dataset& dataset, std::int64_t globalBatch, std::uint64_t seed);

    /// The visits of rows first, first + 1, … of the batch whose first row is at `position`;
    /// allocates nothing. A visit's epoch is that of its class. Needs position >= 0, and all rows
    /// within the batch.
    void visit(std::int64_t position, std::int64_t first, std::span<Visit> visits) const;

    /// Bytes that it takes, at most.
    static std::int64_t bytes(const Dataset& dataset);

private:
    /// The examples of one class, in permutation after permutation.
    class ClassStream
    {
    public:
        ClassStream(const Dataset& dataset, std::int32_t label, std::uint64_t seed);
        [[nodiscard]] Visit visit(std::int64_t position) const;

    private:
        std::vector<std::uint32_t> m_examples; ///< numbers in the data set
        Sampler m_sampler;
    };

    std::int64_t m_globalBatch;
    std::uint64_t m_seed;
    ClassStream m_clean;
    ClassStream m_defective;
};

/// Examples of an epoch of a BalancedOrder.
[[nodiscard]] std::int64_t balancedEpoch(const Dataset& dataset);

} // namespace lockstep
