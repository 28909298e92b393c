// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/last_tower_statistics.h"

#include <cmath>

namespace lockstep::ui {
namespace {

/// Rounding may make towers differ that compute the same.
constexpr double kSameShare = 1e-9;
/// Further off than so many standard errors chance does not take a ratio, however often one looks.
constexpr double kClearErrors = 4.0;

/// Relative, of Var(last) / Var(mean) of independent towers: both variances have one of
/// sqrt(2 / n), and a correlation of 1 / N.
double standardErrorOfRatio(double expectedRatio, int steps)
{
    return std::sqrt(4.0 / steps * (1.0 - 1.0 / expectedRatio));
}

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
    const double error = expectedRatio * standardErrorOfRatio(expectedRatio, now.steps);
    if (ratio < expectedRatio - kClearErrors * error) {
        return TowerVariation::Together;
    }
    return ratio > expectedRatio + kClearErrors * error ? TowerVariation::LastVaries
                                                        : TowerVariation::Independent;
}

} // namespace lockstep::ui
