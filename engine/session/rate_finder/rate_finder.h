// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/config/run_config.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockstep {

/// The learning-rate range test: a few steps whose rate rises by the same factor from one to the
/// next, so that it shows which rates still train (Smith, "Cyclical Learning Rates for Training
/// Neural Networks", 2017, arXiv:1506.01186, section 3.3).
struct RateFinderSettings
{
    double low = 1e-5;
    double high = 10.0;
    int steps = 100;
    /// Share of the mean loss before in a smoothed loss, whose mean began at 0: divided by
    /// 1 - smoothing^n after n steps.
    double smoothing = 0.9;
    /// The test ends early where the smoothed loss is so many times the least one.
    double divergence = 4.0;

    /// Error(BadInput) names what is out of range.
    void validate() const;
    /// Of step `step`: low (high / low)^(step / (steps - 1)).
    [[nodiscard]] double rateAt(int step) const;
};

/// A step of the test.
struct RateTrial
{
    double rate = 0.0;
    double loss = 0.0;     ///< mean of the towers, before the update with this rate
    double smoothed = 0.0; ///< see RateFinderSettings
};

/// Called after each step, and before the first one with none; false: no more.
using OnRateTrials = std::function<bool(const std::vector<RateTrial>& trials)>;

/// Makes the test on a training of its own: the configuration's network, data, towers and
/// optimizer, from its initial weights. No run is written or changed. Ends early where the loss
/// diverges or is no number.
std::vector<RateTrial> tryRates(
    const RunConfig& config, const RateFinderSettings& settings, const OnRateTrials& onTrials);

/// The rate at which the smoothed loss falls the most for the same factor of the rate: the slope
/// over the logarithm of the rate, a tenth of the trials wide. None: it falls nowhere, or there are
/// fewer than ten trials.
std::optional<double> steepestRate(const std::vector<RateTrial>& trials);

} // namespace lockstep
