// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/last_tower_statistics.h"

#include <cmath>

namespace lockstep::ui {
namespace {

/// An interval that reaches further than to so many times what is expected tells nothing.
constexpr double kWidest = 2.0;

/// Of the towers that have a loss; no variance within for one alone.
StepScatter scatterOf(std::span<const double> losses, double meanOfAll)
{
    StepScatter scatter{losses.back(), meanOfAll, 0.0, 0};
    double sum = 0.0;
    for (const double loss : losses) {
        if (std::isfinite(loss)) {
            ++scatter.towers;
            sum += loss;
        }
    }
    const double mean = sum / scatter.towers;
    double squares = 0.0;
    for (const double loss : losses) {
        if (std::isfinite(loss)) {
            squares += (loss - mean) * (loss - mean);
        }
    }
    scatter.within = scatter.towers < 2 ? 0.0 : squares / (scatter.towers - 1);
    return scatter;
}

} // namespace

void LastTowerStatistics::append(std::int64_t step, std::span<const double> losses, double mean)
{
    const double last = losses.back();
    m_patienceWithLast.append(step, last);
    m_patienceWithMean.append(step, mean);
    if (!std::isfinite(last) || !std::isfinite(mean)) {
        return;
    }
    m_variances.append(step, scatterOf(losses, mean));
    m_bias.append(last - mean);
    if (mean == 0.0) {
        return;
    }
    const double deviation = (last - mean) / std::abs(mean);
    m_deviation.append(deviation);
    if (std::abs(deviation) > std::abs(m_worstDeviation)) {
        m_worstDeviation = deviation;
        m_worstStep = step;
    }
}

TowerVariation LastTowerStatistics::variation(double expectedRatio) const
{
    const LossVariances& now = variances();
    const double ratio = now.ratio();
    if (std::isnan(ratio)) {
        return TowerVariation::Unknown;
    }
    if (now.isSame()) {
        return TowerVariation::Same;
    }
    const RatioInterval interval = ratioInterval(expectedRatio, now);
    if (ratio > interval.high) {
        return TowerVariation::LastVaries;
    }
    if (now.isMovingTogether()) {
        return TowerVariation::Together;
    }
    if (ratio < interval.low) {
        return TowerVariation::LastVariesLess;
    }
    return interval.high > kWidest * expectedRatio ? TowerVariation::Unknown
                                                   : TowerVariation::Independent;
}

} // namespace lockstep::ui
