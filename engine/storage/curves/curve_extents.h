// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/curves/curve_block.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Minimum, maximum and mean of the finite values of a series over each node of a block; not a
/// number where a node has none.
struct SeriesExtents
{
    std::vector<float> minimum;
    std::vector<float> maximum;
    std::vector<float> mean;
    std::vector<std::uint32_t> notFinite; ///< values left out
};

/// The min-max pyramid over a block: a node for every 64 steps, between multiples of that, then one
/// for the whole block.
struct CurveExtents
{
    static constexpr std::int64_t kNodeSteps = 64;

    std::vector<std::int64_t> wallNanoseconds; ///< at the end of each node
    std::vector<std::int64_t> examples;        ///< at the end of each node
    SeriesExtents lossMean;
    SeriesExtents examplesPerSecond;
    std::vector<SeriesExtents> towerLoss;
    SeriesExtents crossEntropyMean; ///< see crossEntropy()

    /// End of the node that a step lies in.
    static std::int64_t nodeEnd(std::int64_t step) { return (step / kNodeSteps + 1) * kNodeSteps; }
    /// Nodes of a block, the one for the whole of it included.
    static std::size_t nodes(const CurveBlockKey& key);
};

CurveExtents extentsOf(const CurveBlock& block, const LineageSegment& branch);

/// The column `extents`, as README.md has it.
std::vector<std::byte> curveExtents(const CurveExtents& extents, const CurveBlockKey& key);

/// Takes the column apart; none if it is damaged. Takes memory only for what is there.
std::optional<CurveExtents> curveExtentsOf(
    std::span<const std::byte> bytes, const CurveBlockKey& key);

} // namespace lockstep
