// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace lockstep::ui {

/// How much the losses of a step vary.
struct LossVariances
{
    double last = std::numeric_limits<double>::quiet_NaN(); ///< of the last tower, step to step
    double mean = std::numeric_limits<double>::quiet_NaN(); ///< of the mean, step to step
    /// Between the towers of one step: (sum of (loss - mean)^2) / (N - 1), averaged over steps.
    /// Divided by N it predicts `mean`, where towers have independent examples.
    double within = std::numeric_limits<double>::quiet_NaN();
    /// How many independent steps these are worth.
    int steps = 0;

    /// Not a number where the mean does not vary.
    [[nodiscard]] double ratio() const
    {
        return mean > 0.0 ? last / mean : std::numeric_limits<double>::quiet_NaN();
    }
};

/// The variances of the latest steps, without the trend of the loss: variances within stretches of
/// 32 steps, each about its own straight line, of the latest 32 stretches. A loss that jumps for
/// all towers at once (a resume, another learning rate) falls between two stretches or into one,
/// whose variance then stands out: one that is over three times the median of all is left out.
/// Normal losses exceed that once in ten million stretches. Not thread-safe.
class RollingVariances
{
public:
    /// Finite values of a step that comes after those before.
    void append(std::int64_t step, double last, double mean, double within);

    /// As of the last whole stretch; not a number before there are two.
    [[nodiscard]] const LossVariances& variances() const noexcept { return m_variances; }

    static constexpr int kStretches = 32;
    static constexpr int kStepsPerStretch = 32;

private:
    /// Sums over a stretch, of distances from its first step, which keeps them small.
    struct Sums
    {
        int count = 0;
        std::int64_t firstStep = 0;
        double firstLast = 0.0;
        double firstMean = 0.0;
        double time = 0.0;
        double timeSquared = 0.0;
        double last = 0.0;
        double lastSquared = 0.0;
        double lastByTime = 0.0;
        double mean = 0.0;
        double meanSquared = 0.0;
        double meanByTime = 0.0;
        double within = 0.0;
    };

    [[nodiscard]] static LossVariances variancesOf(const Sums& sums);
    void refresh();

    std::array<LossVariances, kStretches> m_window{};
    int m_stretches = 0; ///< in the window
    int m_next = 0;      ///< where the next one goes
    Sums m_sums;
    LossVariances m_variances;
};

/// Var(last) / Var(mean) of N towers that draw batches of B distinct examples out of M within a
/// step: N * [1 - (B-1)/(M-1)] / [1 - (N*B-1)/(M-1)]; with M unknown (0) or N*B >= M that of
/// independent draws, N.
double expectedVarianceRatio(int towers, std::int64_t batchPerTower, std::int64_t examples);

} // namespace lockstep::ui
