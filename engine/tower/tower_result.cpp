// SPDX-License-Identifier: Apache-2.0
#include "tower/tower_result.h"

#include "network/primary_objective.h"

namespace lockstep {

LossSum::LossSum(const NetworkSpec& network) : m_judge(primaryObjective(network))
{
    for (const Objective& objective : network.objectives) {
        m_weights.push_back(objective.weight);
    }
}

void LossSum::add(
    std::span<const ObjectiveResult> found, std::int64_t rows, TowerResult& tower) const
{
    double lossSum = 0.0;
    for (std::size_t i = 0; i < m_weights.size(); ++i) {
        tower.objectives[i] += found[i].lossSum;
        // What is only reported has no part in it, even where it is not a number.
        lossSum += m_weights[i] == 0.0 ? 0.0 : m_weights[i] * found[i].lossSum;
    }
    tower.lossSum += lossSum;
    tower.correct += found[m_judge].correct;
    tower.examples += rows;
}

} // namespace lockstep
