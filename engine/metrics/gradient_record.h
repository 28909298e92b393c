// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Of one tower's gradient of a parameter, weight decay not included: sums over its values.
struct TowerGradientRecord
{
    double squares = 0.0; ///< squared norm
    double dotMean = 0.0; ///< dot product with the averaged gradient
};

/// What one step did to a parameter: sums over its values, in double.
struct ParameterGradientRecord
{
    std::string name;             ///< "conv1.weight"
    double gradientSquares = 0.0; ///< squared norm of the averaged gradient, without weight decay
    double weightSquares = 0.0;   ///< of the weights before the update
    double updateSquares = 0.0;   ///< of what the update added, whatever the optimizer
    std::vector<TowerGradientRecord> towers;
};

/// The gradients of a step, measured between averaging and update. Kept apart from StepRecord,
/// which every step has and which must stay small. What it means: gradient_agreement.h. A plain
/// value.
struct GradientRecord
{
    std::int64_t step = 0;
    std::int64_t batchPerTower = 0;                  ///< examples
    std::vector<ParameterGradientRecord> parameters; ///< those that are trained, in network order
};

} // namespace lockstep
