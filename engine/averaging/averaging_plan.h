// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

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

/// How the towers' gradients become one.
struct AveragingPlan
{
    std::vector<float> towerWeights; ///< examples of the tower / examples of all
    std::vector<bool> isAveraged;    ///< by parameter; false: absent everywhere, not updated
    std::vector<std::vector<bool>> isPresent; ///< by tower, by parameter
};

/// Checks that the towers' gradients can be averaged and says how:
/// g = sum over towers of examples_i * g_i / sum of examples_i, in the order of the towers.
/// Absent on all towers: the parameter is not updated. Absent on some: as `missing` says.
/// Error(BadInput) names parameter and tower where shapes differ, and refuses row-sparse gradients.
AveragingPlan planAveraging(
    const NetworkSpec& network, const std::vector<TowerContribution>& towers,
    MissingGradient missing);

} // namespace lockstep
