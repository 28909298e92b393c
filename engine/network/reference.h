// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mixed_label.h"
#include "network/dropout.h"
#include "network/network_spec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Parameters of a network in float64, by number of the parameter, each in PyTorch's layout.
using ReferenceParameters = std::vector<std::vector<double>>;

/// What one pass of the reference found.
struct ReferencePass
{
    std::vector<std::vector<double>>
        activations;               ///< by layer: examples x height x width x channels
    ReferenceParameters gradients; ///< of lossScale * sum of the rows' losses, by parameter
    double lossSum = 0.0;          ///< sum over rows and objectives of weight * loss
    std::int64_t correct = 0;      ///< rows that the first objective's logits answer correctly
};

/// Rows of a pass: images are rows x height x width x channels, masks rows x
/// NetworkSpec::maskShape.
struct ReferenceRows
{
    std::span<const float> images;
    std::span<const std::int32_t> labels;
    std::span<const float> masks = {};
    DropoutDraw draw = {};
    std::span<const MixedLabel> mixed = {}; ///< by row; none: rows are not mixed
};

enum class ReferenceKind {
    Training,        ///< forward and backward
    TrainingForward, ///< the forward half of it
    Evaluation,      ///< forward, as a trained network is used: with moving moments
};

/// The definition of what every layer computes: plain loops in float64, forward and backward. Slow;
/// it is what `selftest` and the tests compare every device with. All rows are one tower's, and
/// those of all towers. Statistics have gradients, too; see Normalization.
ReferencePass referencePass(
    const NetworkSpec& network, const ReferenceParameters& parameters, const ReferenceRows& rows,
    double lossScale, ReferenceKind kind = ReferenceKind::Training);

/// Initial weights, exactly those that a run with this seed begins with.
ReferenceParameters referenceParameters(const NetworkSpec& network, std::uint64_t seed);

} // namespace lockstep
