// SPDX-License-Identifier: Apache-2.0
#include "metrics/tower_deviation.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

TowerComparison::TowerComparison(std::size_t towers, std::int64_t windowSteps)
    : m_windowSteps(windowSteps), m_sums(towers), m_deviations(towers)
{
    require(towers > 1 && windowSteps > 1, "a comparison needs two towers and two steps");
}

bool TowerComparison::add(std::span<const double> values)
{
    require(values.size() == m_sums.size(), "a comparison of other towers");
    const double total = std::accumulate(values.begin(), values.end(), 0.0);
    ++m_steps;
    for (std::size_t i = 0; i < values.size(); ++i) {
        Sum& sum = m_sums[i];
        const double others = (total - values[i]) / static_cast<double>(values.size() - 1);
        const double deviation = values[i] - others;
        const double change = deviation - sum.mean;
        sum.mean += change / static_cast<double>(m_steps);
        sum.squares += change * (deviation - sum.mean);
        sum.others += others;
    }
    if (m_steps < m_windowSteps) {
        return false;
    }
    conclude();
    return true;
}

void TowerComparison::conclude()
{
    const auto steps = static_cast<double>(m_steps);
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        const Sum& sum = m_sums[i];
        m_deviations[i] = {
            sum.mean, std::sqrt(sum.squares / (steps - 1.0) / steps), sum.others / steps};
    }
    std::ranges::fill(m_sums, Sum{});
    m_steps = 0;
}

} // namespace lockstep
