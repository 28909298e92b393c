// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/replica_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::test {

/// A gradient of the whole arena; 0 for statistics, which follow the rows and not the loss.
inline std::vector<float> lossGradient(const CpuPass& pass, const NetworkSpec& network)
{
    const ParameterLayout& layout = pass.arena().layout();
    std::vector<float> gradient(
        pass.replica().gradients(), pass.replica().gradients() + layout.elements);
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        if (network.parameters[i].isStatistic()) {
            std::fill_n(gradient.begin() + layout.offsets[i], layout.counts[i], 0.0F);
        }
    }
    return gradient;
}

/// |loss at weights + step * direction - loss at weights - step * direction|, relative to what the
/// gradient says of it: of the weights as float32 has them, as most move by little.
inline double slopeError(
    CpuPass& pass, const NetworkSpec& network, const Examples& examples, double change)
{
    const auto gradient = lossGradient(pass, network);
    float* moved = pass.arena().weights();
    const std::vector<float> weights(moved, moved + gradient.size());
    const double slope = std::pow(norm<float>(gradient), 2);
    double said = 0.0;
    double difference = 0.0;
    for (const double sign : {1.0, -1.0}) {
        const double step = sign * change / (2.0 * slope);
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            moved[i] = static_cast<float>(double{weights[i]} + step * double{gradient[i]});
            said += sign * double{gradient[i]} * double{moved[i]};
        }
        pass.replica().forward(
            pass.arena().weightsView(), {examples.images, examples.labels, examples.masks});
        difference += sign * pass.lossSum(network) / static_cast<double>(examples.rows());
    }
    std::ranges::copy(weights, moved);
    return std::abs(difference / said - 1.0);
}

/// The least of the errors of some changes of the loss, up to the first that is below 1e-3. Along
/// the gradient the slope is largest beside rounding. A large step crosses many kinks of ReLUs and
/// maxima, a small one drowns in float32's rounding: one between them fits.
inline double leastSlopeError(CpuPass& pass, const NetworkSpec& network, const Examples& examples)
{
    double least = 1.0;
    for (const double change : {3e-3, 1e-3, 3e-4, 1e-4}) {
        least = std::min(least, slopeError(pass, network, examples, change));
        if (least < 1e-3) {
            break;
        }
    }
    return least;
}

} // namespace lockstep::test
