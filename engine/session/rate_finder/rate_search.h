// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace lockstep {

/// A short training at one rate.
struct RateTrial
{
    double rate = 0.0;
    std::vector<double> crossEntropies = {}; ///< by step, each before its update
    bool isDiverged = false;                 ///< ended early for that

    /// Of the last third of the steps, which all trials are judged by; infinite if it diverged.
    [[nodiscard]] double crossEntropy() const;
};

/// Whether a trial is clearly better than another one, see searchRate().
bool isClearlyBetter(const RateTrial& trial, const RateTrial& other);

/// Where rates are looked for.
struct SearchedRates
{
    double first = 0.0; ///< about the one that is tried first
    double low = 0.0;
    double high = 0.0;
};

/// Whether there is a rate between that searchRate() tries.
bool hasRateToTry(double low, double high);

/// Makes the trial of a rate: from the same weights and with the same batches for every rate.
using TryRate = std::function<RateTrial(double rate)>;

/// Compares trials at 1, 3, 10, 30 and so on, or 0.3, 0.1, downwards from the first one until one
/// is clearly worse, or upwards as long as they get better: by their cross-entropies on the same
/// batches, clearly being more than two standard errors of the difference. Takes the best, or the
/// next lower one where that is not clearly worse: noise tells late what a higher rate costs. The
/// trial of a tenth of it is made, too, and taken if it is clearly better. None: even the best is
/// not clearly below `untrained`, what the untrained network has on these batches. The range needs
/// a rate to try, see hasRateToTry().
std::optional<RateTrial> searchRate(
    const SearchedRates& range, const std::vector<double>& untrained, const TryRate& tryRate);

} // namespace lockstep
