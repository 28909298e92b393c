// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <span>

namespace lockstep {

/// What the losses of the towers of one step say together. Not-a-number in any tower makes the mean
/// not-a-number too: a fault is never averaged away.
struct LossStatistics
{
    double mean = 0.0; ///< summed in double in tower order: the same bits on every run
    double last = 0.0; ///< of the last tower: what the classic scripts print
};

/// In tower order; at least one. Error(Internal) if there is none. Thread-safe.
LossStatistics lossStatistics(std::span<const TowerRecord> towers);

} // namespace lockstep
