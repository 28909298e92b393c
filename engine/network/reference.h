// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    std::int64_t correct = 0;      ///< rows that the first objective's logits classify correctly
};

/// The definition of what every layer computes: plain loops in float64, forward and backward. Slow;
/// it is what `selftest` and the tests compare every device with. `images` are rows x height x
/// width x channels. Without `withGradients` only the forward half is done.
ReferencePass referencePass(
    const NetworkSpec& network, const ReferenceParameters& parameters,
    std::span<const float> images, std::span<const std::int32_t> labels, double lossScale,
    bool withGradients = true);

/// Initial weights, exactly those that a run with this seed begins with.
ReferenceParameters referenceParameters(const NetworkSpec& network, std::uint64_t seed);

} // namespace lockstep
