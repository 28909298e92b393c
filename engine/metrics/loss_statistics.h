// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <optional>
#include <span>

namespace lockstep {

/// What the losses of the towers of one step say together. Not-a-number in any tower makes mean,
/// minimum, maximum and variance not-a-number too: a fault is never averaged away.
struct LossStatistics
{
    double mean = 0.0; ///< summed in double in tower order: the same bits on every run
    double last = 0.0; ///< of the last tower: what the classic scripts print
    double minimum = 0.0;
    double maximum = 0.0;
    /// Unbiased estimate of the variance of one tower's loss from this step alone,
    /// sum((loss - mean)^2) / (towers - 1): free of the trend of the loss. variance / towers
    /// predicts the variance of the mean. Unknown for a single tower.
    std::optional<double> variance;
};

/// Losses in tower order; at least one. Error(Internal) if there is none. Thread-safe.
LossStatistics lossStatistics(std::span<const double> losses);
LossStatistics lossStatistics(std::span<const TowerRecord> towers);

} // namespace lockstep
