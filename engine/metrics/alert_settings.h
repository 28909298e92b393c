// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// From where on a person is alerted; 0 switches an alert off.
struct AlertSettings
{
    std::int64_t plateauSteps = 5000; ///< over which the loss should fall
    double stuckSeconds = 30.0;       ///< without a step, and 20 times as long as steps take
    double inputShare = 0.1;          ///< of the time of 100 steps that is spent waiting for data
    int diskCheckpoints = 2;          ///< fewer than these have room
    double towerLoss = 0.05; ///< by this share a tower's loss is above or below the others'
    double towerWait = 0.05; ///< share of the time by which a tower makes all others wait
};

} // namespace lockstep
