// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "session/config/run_config.h"
#include "session/run/initial_weights.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockstep {

/// What the running moments will be worth at the end of a run. They begin at 0 and 1, and what is
/// left of that an evaluation normalises with.
struct MomentForecast
{
    double decay = 0.0; ///< the largest of them
    bool isRamped = false;
    std::int64_t steps = 0;

    /// Of their first values, at the end.
    [[nodiscard]] double initialShare() const;
    /// More than 5 % is left: a decay of 0.9997 takes some 10,000 steps.
    [[nodiscard]] bool isTooSlow() const;
    /// For people; what to do about it, if it is too slow.
    [[nodiscard]] std::string text() const;
};

/// Empty where nothing that is evaluated with running moments moves them, or where all of them go
/// on from those of another training: `initial` is what a fine-tuned run takes over, null of any
/// other one. Of a fine-tuned run that goes on nobody knows that any more, so that it has none
/// either.
std::optional<MomentForecast> forecastMoments(
    const NetworkSpec& network, const RunConfig& config, const InitialWeights* initial = nullptr);

} // namespace lockstep
