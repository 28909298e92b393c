// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// What a tower's backward pass makes for one parameter.
enum class GradientForm {
    Dense,     ///< a value for every element
    RowSparse, ///< some rows only (embedding look-ups)
    Absent,    ///< nothing: no objective of the tower reaches the parameter
};

struct GradientDescription
{
    GradientForm form = GradientForm::Dense;
    std::vector<std::int64_t> shape;
};

/// What one tower brings to the average.
struct TowerContribution
{
    std::int64_t examples = 0;                  ///< how much it counts
    std::vector<GradientDescription> gradients; ///< by number of the parameter
};

/// What to do with a parameter whose gradient only some of the towers have.
enum class MissingGradient {
    Error, ///< refuse to train
    Zeros, ///< count the missing ones as zeros
};

/// "error", "zeros"; Error(BadInput) for anything else.
MissingGradient missingGradientByName(const std::string& name);
std::string toString(MissingGradient policy);

/// How the moments that the towers' normalisations found become one: all are to follow one set of
/// moving moments.
enum class MomentMerge {
    Mean,  ///< as gradients
    Last,  ///< the last tower's: what a graph with one update for each tower leaves, in turn
    First, ///< the first tower's
};

/// "mean", "last", "first"; Error(BadInput) for anything else.
MomentMerge momentMergeByName(const std::string& name);

/// How the towers' gradients become one.
struct AveragingPlan
{
    std::vector<float> towerWeights;  ///< examples of the tower / examples of all
    std::vector<float> momentWeights; ///< how much each tower's moments count
    std::vector<bool> isAveraged;     ///< by parameter; false: absent everywhere, not updated
    std::vector<bool> isStatistic;    ///< by parameter
    std::vector<std::vector<bool>> isPresent; ///< by tower, by parameter

    [[nodiscard]] float weightOf(std::size_t tower, std::size_t parameter) const
    {
        return isStatistic[parameter] ? momentWeights[tower] : towerWeights[tower];
    }
};

/// Checks that the towers' gradients can be averaged and says how:
/// g = sum over towers of examples_i * g_i / sum of examples_i, in the order of the towers.
/// Absent on all towers: the parameter is not updated. Absent on some: as `missing` says.
/// Statistics, in whose place towers leave the negative of a moment, are summed as `moments` says.
/// Error(BadInput) names parameter and tower where shapes differ, refuses row-sparse gradients, and
/// objectives that can't be trained together.
AveragingPlan planAveraging(
    const NetworkSpec& network, const std::vector<TowerContribution>& towers,
    MissingGradient missing, MomentMerge moments = MomentMerge::Mean);

} // namespace lockstep
