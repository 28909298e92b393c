// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace lockstep::ui {

/// How the last tower's loss, which the classic scripts print, differs from the mean of all N
/// towers, over the steps of a run.
///
/// varianceRatio() is the rolling Var(last) / Var(mean). Of N towers with independent examples it
/// is N (with distinct examples a trifle more); near 1 it reveals that all towers get the same
/// data. The fall of the loss would drown both variances, so they are taken of the differences
/// between neighbouring steps: a slow trend cancels, and of independent steps each is twice the
/// variance, which cancels in the ratio. Steps with a loss that is not finite are left out. Not
/// thread-safe.
class LastTowerStatistics
{
public:
    void append(std::int64_t step, double last, double mean);

    /// Of the latest 1,024 steps; not a number before 64 are there or where the mean does not vary.
    [[nodiscard]] double varianceRatio() const;
    /// Mean over all steps of (last - mean) / |mean|.
    [[nodiscard]] double meanDeviation() const
    {
        return m_steps == 0 ? 0.0 : m_sumOfDeviations / static_cast<double>(m_steps);
    }
    /// The largest (last - mean) / |mean| by size.
    [[nodiscard]] double worstDeviation() const noexcept { return m_worstDeviation; }
    [[nodiscard]] std::int64_t worstStep() const noexcept { return m_worstStep; }
    /// Steps counted.
    [[nodiscard]] std::int64_t steps() const noexcept { return m_steps; }

private:
    /// Sums over a stretch of steps. Whole stretches leave the window, so that nothing is ever
    /// subtracted and a spike leaves no rounding behind.
    struct Sums
    {
        int count = 0;
        double last = 0.0;
        double lastSquared = 0.0;
        double mean = 0.0;
        double meanSquared = 0.0;
    };
    static constexpr int kStretches = 32;
    static constexpr int kStepsPerStretch = 32;
    static constexpr int kFewestSteps = 64;

    void addDifference(double last, double mean);
    void addDeviation(std::int64_t step, double last, double mean);

    std::array<Sums, kStretches> m_window{};
    std::size_t m_current = 0;
    double m_previousLast = std::numeric_limits<double>::quiet_NaN();
    double m_previousMean = std::numeric_limits<double>::quiet_NaN();
    std::int64_t m_steps = 0;
    double m_sumOfDeviations = 0.0;
    double m_worstDeviation = 0.0;
    std::int64_t m_worstStep = 0;
};

} // namespace lockstep::ui
