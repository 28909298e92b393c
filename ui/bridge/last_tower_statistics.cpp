// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/last_tower_statistics.h"

#include <cmath>

namespace lockstep::ui {
namespace {

double variance(int count, double sum, double sumOfSquares)
{
    const double mean = sum / count;
    return sumOfSquares / count - mean * mean;
}

} // namespace

void LastTowerStatistics::append(std::int64_t step, double last, double mean)
{
    const double lastDifference = last - m_previousLast;
    const double meanDifference = mean - m_previousMean;
    m_previousLast = last;
    m_previousMean = mean;
    if (std::isfinite(lastDifference) && std::isfinite(meanDifference)) {
        addDifference(lastDifference, meanDifference);
    }
    if (std::isfinite(last) && std::isfinite(mean) && mean != 0.0) {
        addDeviation(step, last, mean);
    }
}

void LastTowerStatistics::addDifference(double last, double mean)
{
    if (m_window[m_current].count == kStepsPerStretch) {
        m_current = (m_current + 1) % kStretches;
        m_window[m_current] = {};
    }
    Sums& sums = m_window[m_current];
    ++sums.count;
    sums.last += last;
    sums.lastSquared += last * last;
    sums.mean += mean;
    sums.meanSquared += mean * mean;
}

void LastTowerStatistics::addDeviation(std::int64_t step, double last, double mean)
{
    const double deviation = (last - mean) / std::abs(mean);
    ++m_steps;
    m_sumOfDeviations += deviation;
    if (std::abs(deviation) > std::abs(m_worstDeviation)) {
        m_worstDeviation = deviation;
        m_worstStep = step;
    }
}

double LastTowerStatistics::varianceRatio() const
{
    Sums total;
    for (const Sums& sums : m_window) {
        total.count += sums.count;
        total.last += sums.last;
        total.lastSquared += sums.lastSquared;
        total.mean += sums.mean;
        total.meanSquared += sums.meanSquared;
    }
    const double ofMean =
        total.count < kFewestSteps ? 0.0 : variance(total.count, total.mean, total.meanSquared);
    if (!(ofMean > 0.0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return variance(total.count, total.last, total.lastSquared) / ofMean;
}

} // namespace lockstep::ui
