// SPDX-License-Identifier: Apache-2.0
#include "session/run/running_moments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace lockstep {
namespace {

constexpr double kMostInitialShare = 0.05;

/// Others are evaluated with the moments of each image, or don't move theirs.
bool followsRows(const Layer& layer)
{
    const auto* normalization = std::get_if<Normalization>(&layer.spec);
    return normalization != nullptr
           && (normalization->mode == NormalizationMode::Batch
               || normalization->mode == NormalizationMode::Synchronised);
}

} // namespace

double MomentForecast::initialShare() const
{
    return isRamped ? 0.0 : std::pow(decay, static_cast<double>(steps));
}

bool MomentForecast::isTooSlow() const
{
    return initialShare() > kMostInitialShare;
}

std::string MomentForecast::text() const
{
    if (isRamped) {
        return fmt::format(
            "running moments decay by {} at most, by less in the first steps", decay);
    }
    std::string text = fmt::format(
        "running moments decay by {}: after {} steps {:.2g} % of what they began with is left",
        decay, steps, 100.0 * initialShare());
    if (isTooSlow()) {
        text += ", and evaluations are off by as much; set model.moment_ramp = true, lower "
                "model.moment_decay, or train for longer";
    }
    return text;
}

std::optional<MomentForecast> forecastMoments(
    const NetworkSpec& network, const RunConfig& config, const InitialWeights* initial)
{
    std::optional<MomentForecast> forecast;
    if (config.initialWeights.isGiven() && initial == nullptr) {
        return forecast;
    }
    const auto updated = network.updatedParameters();
    for (std::size_t i = 0; i < updated.size(); ++i) {
        const ParameterSpec& parameter = network.parameters[i];
        const bool isTaken = initial != nullptr && initial->tensors[i].isTaken();
        if (updated[i] && !isTaken && parameter.isStatistic()
            && followsRows(network.layers[static_cast<std::size_t>(parameter.layer)])) {
            const double before = forecast ? forecast->decay : 0.0;
            forecast = {std::max(before, parameter.decay), config.momentRamp, config.steps};
        }
    }
    return forecast;
}

} // namespace lockstep
