// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/order/shards.h"
#include "metrics/alert_record.h"

#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// The alert that tells of shards that are wrong, and its tower: of two nobody can say which one.
std::pair<AlertKind, int> symptomOf(const ShardSettings& shards);

/// What a run does wrong on purpose: for teaching, and for tests of the instruments, which can be
/// seen to show it. Part of the run's settings, and recorded with them. Nothing is on unless asked
/// for.
struct ExperimentSettings
{
    /// One tower sleeps so long in every backward pass, and all others wait for it. Towers on the
    /// processors only.
    double delayMilliseconds = 0.0;
    int delayTower = -1;             ///< which one; -1: the last
    std::string shards = "distinct"; ///< toString of a ShardKind
    int tower = -1;                  ///< the one that is skewed or poisoned; -1: the last
    int exampleClass = 0;            ///< of the skewed tower's examples

    /// The number of the tower that is delayed; -1: none is.
    [[nodiscard]] int delayedTower(int towers) const
    {
        if (delayMilliseconds <= 0.0) {
            return -1;
        }
        return delayTower < 0 ? towers - 1 : delayTower;
    }

    /// Of what the towers get: Error(BadInput) names the key.
    void validate(int towers) const;
    /// Needs validate().
    [[nodiscard]] ShardSettings shardSettings(int towers) const;
    /// What is wrong, a sentence each; empty for a run as it should be.
    [[nodiscard]] std::vector<std::string> describe(int towers) const;
};

} // namespace lockstep
