// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace lockstep {

/// A step of the range test: the rate is higher from one to the next, always by the same factor.
struct RateStep
{
    double rate = 0.0;
    double crossEntropy = 0.0; ///< of the step's batch, before the update with this rate
    double smoothed = 0.0;     ///< see smoothRates()
};

/// A mean and its standard error.
struct MeanWithError
{
    double mean = 0.0;
    double error = 0.0;
};

/// Of the first `count` values minus those of `others` at the same places, from `first` on. The
/// error is that of independent differences: batches that are easy or hard are so for both.
MeanWithError meanDifference(
    const std::vector<double>& values, const std::vector<double>& others, std::size_t first,
    std::size_t count);

/// Smooths the range test without lag: what each step's batch fell by, against what the untrained
/// network has on the same batch, as the straight line through the steps around it that fits best
/// (local regression, Cleveland, 1979, doi:10.1080/01621459.1979.10481038, without its robust
/// steps), below the mean of the untrained network.
void smoothRates(std::vector<RateStep>& steps, const std::vector<double>& untrained);

/// The rate at which that line falls fastest, of those up to the least smoothed cross-entropy.
/// None: it falls nowhere by more than the steps' noise.
std::optional<double> steepestRate(
    const std::vector<RateStep>& steps, const std::vector<double>& untrained);

} // namespace lockstep
