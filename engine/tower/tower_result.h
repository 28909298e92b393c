// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/op.h"
#include "network/network_spec.h"
#include "network/objective_limit.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// The phases of a tower in a step, one right after the other, from the moment the batch was there.
/// At a sync point (synchronised normalisation), the wait for the others
/// is a part of it. Negative: the device does not tell.
struct TowerSeconds
{
    double start = -1.0; ///< until it began: its turn, where towers share processors
    double copy = -1.0;  ///< its rows to the device; 0: they are read where they are
    double forward = -1.0;
    double backward = -1.0;

    [[nodiscard]] double arrival() const { return start + copy + forward + backward; }
};

/// What a tower made of its batch.
struct TowerResult
{
    double lossSum = 0.0; ///< over the tower's rows, each objective by its weight, no weight decay
    std::int64_t correct = 0;
    std::int64_t examples = 0;
    TowerSeconds seconds;                             ///< of the lane that arrived last
    std::array<double, kMostObjectives> objectives{}; ///< by objective: its sum over the rows

    /// Mean over the tower's rows, with the loss of the weight decay, which all towers share.
    [[nodiscard]] double loss(double weightDecayLoss) const
    {
        return lossSum / static_cast<double>(examples) + weightDecayLoss;
    }
};

/// Makes the loss of a tower out of what a network's objectives found in its rows.
class LossSum
{
public:
    explicit LossSum(const NetworkSpec& network);

    /// Adds further rows of a tower; `found` has one result for each objective.
    void add(std::span<const ObjectiveResult> found, std::int64_t rows, TowerResult& tower) const;
    [[nodiscard]] std::size_t objectives() const { return m_weights.size(); }

private:
    std::vector<double> m_weights; ///< by objective
    std::size_t m_judge;           ///< the objective that says what is correct
};

} // namespace lockstep
