// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/patience.h"
#include "bridge/series/rolling_variances.h"
#include "bridge/series/running_mean.h"

#include <cstdint>
#include <span>

namespace lockstep::ui {

/// How the towers' losses vary, by the variances of the latest steps.
enum class TowerVariation {
    Unknown,        ///< too few steps
    Independent,    ///< as those of independent batches
    Together,       ///< the loss moves for all at once, beside what differs between the towers
    Same,           ///< all towers have the same loss, step by step: the same data
    LastVaries,     ///< the last tower's far more than the others'
    LastVariesLess, ///< far less
};

/// How the last tower's loss, which the classic scripts print, differs from the mean of all N
/// towers, over the steps of a run. Steps with a loss that is not finite are left out, as are the
/// losses of towers that an earlier part of the run did not have. Not thread-safe.
class LastTowerStatistics
{
public:
    /// Losses in tower order, and their mean.
    void append(std::int64_t step, std::span<const double> losses, double mean);

    /// Var(last) / Var(mean) of the latest 1,024 steps, as LossVariances::ratio(); of N towers with
    /// distinct examples expectedVarianceRatio(), with the same examples 1.
    [[nodiscard]] double varianceRatio() const { return m_variances.variances().ratio(); }
    [[nodiscard]] const LossVariances& variances() const { return m_variances.variances(); }
    /// What these say, given the ratio that is expected.
    [[nodiscard]] TowerVariation variation(double expectedRatio) const;

    /// last - mean, over all steps.
    [[nodiscard]] const RunningMean& bias() const noexcept { return m_bias; }
    /// Mean over all steps of (last - mean) / |mean|.
    [[nodiscard]] double meanDeviation() const noexcept { return m_deviation.mean(); }
    /// The largest (last - mean) / |mean| by size.
    [[nodiscard]] double worstDeviation() const noexcept { return m_worstDeviation; }
    [[nodiscard]] std::int64_t worstStep() const noexcept { return m_worstStep; }
    /// Steps counted.
    [[nodiscard]] std::int64_t steps() const noexcept { return m_bias.count(); }

    /// Early stopping by the last tower's loss, and by the mean.
    [[nodiscard]] const Patience& patienceWithLast() const noexcept { return m_patienceWithLast; }
    [[nodiscard]] const Patience& patienceWithMean() const noexcept { return m_patienceWithMean; }

private:
    RollingVariances m_variances;
    RunningMean m_bias;
    RunningMean m_deviation;
    double m_worstDeviation = 0.0;
    std::int64_t m_worstStep = 0;
    Patience m_patienceWithLast;
    Patience m_patienceWithMean;
};

} // namespace lockstep::ui
