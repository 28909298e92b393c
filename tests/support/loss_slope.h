// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_team.h"
#include "support/replica_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <numeric>
#include <span>
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

/// The loss in float64 at the weights of an arena that are moved by so much.
inline double movedLoss(
    const ParameterArena& arena, const NetworkSpec& network, const Examples& examples,
    const std::vector<float>& direction, double step)
{
    const ParameterLayout& layout = arena.layout();
    ReferenceParameters parameters;
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        std::vector<double>& values = parameters.emplace_back(layout.counts[i]);
        for (std::size_t at = 0; at < values.size(); ++at) {
            const std::size_t element = layout.offsets[i] + at;
            values[at] = double{arena.weights()[element]} + step * double{direction[element]};
        }
    }
    const ReferencePass pass = referencePass(
        network, parameters, {examples.images, examples.labels, examples.masks}, 1.0,
        ReferenceKind::TrainingForward);
    return pass.lossSum / static_cast<double>(examples.rows());
}

/// How far what the gradient on the CPU says of the loss's slope along itself is from the central
/// difference of float64's losses, relative to that: of the gradient by sums, and of that by the
/// algorithms that a training has.
struct SlopeErrors
{
    double bySums = 0.0;
    double asTrained = 0.0;

    /// For the message of a test.
    [[nodiscard]] std::string text() const
    {
        return fmt::format("by sums {}, as trained {}", bySums, asTrained);
    }
};

inline SlopeErrors slopeErrors(const NetworkSpec& network, const Examples& examples)
{
    const auto parameters = referenceParameters(network, 5);
    const CpuPass sums(
        network, parameters, examples,
        {.threads = ThreadTeam::processors(), .algorithms = directConvolutions()});
    const CpuPass trained(network, parameters, examples, {.threads = ThreadTeam::processors()});
    const auto direction = lossGradient(sums, network);
    // Far below, float64 rounds; far above, ReLUs and maxima have their kinks.
    constexpr double kShare = 1e-10;
    const double step =
        kShare * norm<float>({sums.arena().weights(), direction.size()}) / norm<float>(direction);
    auto ahead = std::async(std::launch::async, [&] {
        return movedLoss(sums.arena(), network, examples, direction, step);
    });
    const double behind = movedLoss(sums.arena(), network, examples, direction, -step);
    const double slope = (ahead.get() - behind) / (2.0 * step);
    const auto errorOf = [&](const std::vector<float>& gradient) {
        return std::abs(
            std::inner_product(direction.begin(), direction.end(), gradient.begin(), 0.0) / slope
            - 1.0);
    };
    return {errorOf(direction), errorOf(lossGradient(trained, network))};
}

} // namespace lockstep::test
