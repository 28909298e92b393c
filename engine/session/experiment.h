// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// What a run does wrong on purpose: for teaching, and for tests of the instruments. Part of the
/// run's settings, and recorded with them.
struct ExperimentSettings
{
    /// One tower sleeps so long in every backward pass, and all others wait for it. Towers on the
    /// processors only.
    double delayMilliseconds = 0.0;
    int delayTower = -1; ///< which one; -1: the last

    /// The number of the tower that is delayed; -1: none is.
    [[nodiscard]] int delayedTower(int towers) const
    {
        if (delayMilliseconds <= 0.0) {
            return -1;
        }
        return delayTower < 0 ? towers - 1 : delayTower;
    }
};

} // namespace lockstep
