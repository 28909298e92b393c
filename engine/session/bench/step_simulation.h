// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/bench/network_link.h"

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {

/// Gradients that the ranks exchange together.
struct SimulatedBucket
{
    double bytes = 0.0;
    double ready = 0.0; ///< seconds of backward pass that make them
    int syncPoints = 0; ///< of synchronised normalisation, in that part of the pass
};

/// One step of one tower that is alone, in seconds.
struct TowerStep
{
    double input = 0.0; ///< waiting for the batch
    double forward = 0.0;
    double backward = 0.0;
    double update = 0.0; ///< and checks, and records
    /// Of a tower's gradients, as they are added to those of other towers.
    double addedBytesPerSecond = std::numeric_limits<double>::infinity();
    int forwardSyncPoints = 0;            ///< of synchronised normalisation
    std::vector<SimulatedBucket> buckets; ///< in the order in which they get ready

    [[nodiscard]] double gradientBytes() const;
};

/// How the ranks make one gradient of theirs.
enum class ExchangeMethod {
    /// Piece by piece a sum goes from the first rank to the last one, each adds its towers, and the
    /// mean goes back: the order of one process, hence its bits.
    Chain,
    /// NCCL's ring all-reduce (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for
    /// clusters of workstations", 2009): 2 (R - 1) rounds with 1 / R of the bytes.
    Ring,
};

/// "chain" or "ring", and back: Error(BadInput) names what there is.
std::string_view toString(ExchangeMethod method);
ExchangeMethod exchangeMethodByName(std::string_view name);

/// Machines, each a rank with so many towers, that work side by side as fast as one alone.
struct SimulatedCluster
{
    int towersPerRank = 1;
    NetworkLink link;
    ExchangeMethod method = ExchangeMethod::Chain;
    std::optional<double> pieceBytes = {}; ///< of the chain; empty: as a training has them

    /// That train so many towers; the last one may have fewer than the others.
    [[nodiscard]] int ranksFor(int towers) const
    {
        return (towers + towersPerRank - 1) / towersPerRank;
    }
};

/// From when to when, in seconds of the step.
struct SimulatedSpan
{
    double begin = 0.0;
    double end = 0.0;
};

struct SimulatedStep
{
    double seconds = 0.0;
    double backwardEnd = 0.0;
    std::vector<SimulatedSpan> exchanges; ///< by bucket; none: there is one rank

    /// In which at least one bucket was exchanged.
    [[nodiscard]] double exchangeSeconds() const;
    /// Part of them that lies behind the backward pass.
    [[nodiscard]] double exposedSeconds() const;
};

/// Plays one step through, piece by piece and rank by rank. Buckets are exchanged beside the
/// backward pass; where two ranks or more are, also the losses are gathered, twice, and at each
/// sync point a few sums: a gathering takes ceil(log2 R) latencies. What a machine sends leaves in
/// the order in which it comes up. Adding, and in the chain sending and receiving, takes its time
/// from the backward pass, as where towers use all processors. A single rank adds its towers up
/// after that.
///
/// Left out: towers that differ in speed, and ones that slow each other down on a machine, which
/// measureScaling() measures; a network that can't carry the links of all machines at once.
SimulatedStep simulateStep(const TowerStep& step, const SimulatedCluster& cluster, int towers);

} // namespace lockstep
