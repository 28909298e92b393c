// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/config/run_config.h"
#include "session/rate_finder/rate_curve.h"
#include "session/rate_finder/rate_search.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockstep {

/// What is tried to find a learning rate: a range test, a few steps whose rate rises by the same
/// factor from one to the next (Smith, "Cyclical Learning Rates for Training Neural Networks",
/// 2017, arXiv:1506.01186, section 3.3), which says where to look; then short trainings at single
/// rates, which say what to take.
struct RateFinderSettings
{
    double low = 1e-5;
    double high = 10.0;
    /// Of the range test, and of each trial; of trials that leave open whether anything is learnt,
    /// or whether the rate is better than a tenth of it, twice as many the next time.
    int steps = 100;

    /// Error(BadInput) names what is out of range.
    void validate() const;
    /// Of step `step`: low (high / low)^(step / (steps - 1)).
    [[nodiscard]] double rateAt(int step) const;
};

/// What has been found, or has been so far.
struct RateFinding
{
    /// Cross-entropies of the untrained network on the batches of all that follows.
    std::vector<double> untrained = {};
    std::vector<RateStep> sweep = {};   ///< the range test, as far as it does not diverge
    std::vector<RateTrial> trials = {}; ///< equally long ones, in the order in which they were made
    int trialSteps = 0;                 ///< of each of these
    /// The rate to train with; one of the trials, as a tenth of it is. None: there is none.
    std::optional<double> rate = std::nullopt;

    /// Of a rate; nullptr: it was not tried.
    [[nodiscard]] const RateTrial* trialOf(double rate) const;
};

/// Called before the first step and after each one; false: no more.
using OnRateFinding = std::function<bool(const RateFinding& soFar)>;

/// Looks for a rate on a training of its own: the configuration's network, data, towers and
/// optimizer, the first of its phases, always from its initial weights and with the same batches.
/// No run is written or changed. What counts is the cross-entropy, without weight decay, of several
/// objectives each by its weight. Error(Cancelled) if `onFinding` says no.
RateFinding findRate(
    const RunConfig& config, const RateFinderSettings& settings, const OnRateFinding& onFinding);

/// Whether the same is tried of two configurations: their learning rates, lengths and later phases
/// are left out.
bool areTriedAlike(const RunConfig& a, const RunConfig& b);

/// Whether the first phase has a learning rate of its own, which then is the one that was found.
bool hasOwnRate(const RunConfig& config);
/// A run begins with this rate.
void takeRate(RunConfig& config, double rate);

} // namespace lockstep
