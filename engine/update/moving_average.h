// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace lockstep {

/// Decay of the weights' moving average at the update that follows `step` updates:
/// min(decay, (1 + step) / (10 + step)), as tf.train.ExponentialMovingAverage has it with
/// num_updates.
inline double movingAverageDecay(double decay, std::int64_t step)
{
    return std::min(decay, (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step)));
}

} // namespace lockstep
