// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/loss_trend.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lockstep {

LossTrend::LossTrend(std::int64_t windowSteps)
    : m_blockSteps(std::max<std::int64_t>(1, windowSteps / static_cast<std::int64_t>(kBlocks)))
{
    require(windowSteps > 0, "the window of a trend holds at least one step");
}

void LossTrend::restart()
{
    m_blocks = 0;
    m_steps = 0;
    m_sum = 0.0;
}

bool LossTrend::add(double loss)
{
    m_sum += loss;
    if (++m_steps < m_blockSteps) {
        return false;
    }
    m_means[m_blocks % kBlocks] = m_sum / static_cast<double>(m_blockSteps);
    ++m_blocks;
    m_steps = 0;
    m_sum = 0.0;
    if (m_blocks < kBlocks) {
        return false;
    }
    fit();
    return true;
}

void LossTrend::fit()
{
    constexpr auto kCount = static_cast<double>(kBlocks);
    constexpr double kMiddle = (kCount - 1.0) / 2.0;
    constexpr double kSquares = kCount * (kCount * kCount - 1.0) / 12.0; // of the places' distances
    const auto meanAt = [this](std::size_t place) { return m_means[(m_blocks + place) % kBlocks]; };
    m_mean = std::accumulate(m_means.begin(), m_means.end(), 0.0) / kCount;
    double slope = 0.0;
    for (std::size_t i = 0; i < kBlocks; ++i) {
        slope += (static_cast<double>(i) - kMiddle) * (meanAt(i) - m_mean) / kSquares;
    }
    double leftOver = 0.0;
    for (std::size_t i = 0; i < kBlocks; ++i) {
        const double line = m_mean + slope * (static_cast<double>(i) - kMiddle);
        leftOver += (meanAt(i) - line) * (meanAt(i) - line);
    }
    const double error = std::sqrt(leftOver / (kCount - 2.0) / kSquares);
    m_change = slope * kCount;
    m_changeError = error * kCount;
    if (slope == 0.0) {
        m_tValue = 0.0;
    } else {
        m_tValue = error > 0.0 ? slope / error
                               : std::copysign(std::numeric_limits<double>::infinity(), slope);
    }
}

} // namespace lockstep
