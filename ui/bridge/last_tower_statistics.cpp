// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/last_tower_statistics.h"

#include <cmath>

namespace lockstep::ui {
namespace {

/// Rounding may make towers differ that compute the same.
constexpr double kSameShare = 1e-9;
/// The ratio of independent batches lies within these shares of what is expected: its standard
/// error over 1,024 steps is 6 %.
constexpr double kLeastShare = 0.75;
constexpr double kMostShare = 1.5;

/// Of the towers that have a loss; 0 for one alone.
double varianceWithin(std::span<const double> losses)
{
    int count = 0;
    double sum = 0.0;
    for (const double loss : losses) {
        if (std::isfinite(loss)) {
            ++count;
            sum += loss;
        }
    }
    double squares = 0.0;
    for (const double loss : losses) {
        if (std::isfinite(loss)) {
            squares += (loss - sum / count) * (loss - sum / count);
        }
    }
    return count < 2 ? 0.0 : squares / (count - 1);
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
    m_variances.append(step, last, mean, varianceWithin(losses));
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
    if (now.within <= kSameShare * now.mean) {
        return TowerVariation::Same;
    }
    if (ratio < kLeastShare * expectedRatio) {
        return TowerVariation::Together;
    }
    return ratio > kMostShare * expectedRatio ? TowerVariation::LastVaries
                                              : TowerVariation::Independent;
}

} // namespace lockstep::ui
