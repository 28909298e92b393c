// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace lockstep::ui {

/// What the towers' losses of one step come to.
struct StepScatter
{
    double last = 0.0; ///< loss of the last tower
    double mean = 0.0;
    double within = 0.0; ///< (sum of (loss - mean)^2) / (N - 1)
    int towers = 0;      ///< N
};

/// How much the losses of a step vary.
struct LossVariances
{
    double last = std::numeric_limits<double>::quiet_NaN(); ///< of the last tower, step to step
    double mean = std::numeric_limits<double>::quiet_NaN(); ///< of the mean, step to step
    /// Of last - mean, step to step: what moves the loss of all towers at once is not in it.
    double difference = std::numeric_limits<double>::quiet_NaN();
    /// Between the towers of one step, averaged over steps.
    double within = std::numeric_limits<double>::quiet_NaN();
    /// What `within` predicts for `mean`: divided by N, if towers have independent examples.
    double predicted = std::numeric_limits<double>::quiet_NaN();
    int steps = 0; ///< that these come from

    /// How many independent steps these are worth.
    [[nodiscard]] double freedom() const;
    /// All towers have the same loss, step by step.
    [[nodiscard]] bool isSame() const;
    /// The mean clearly varies more than the towers of a step explain: the loss of all moves at
    /// once.
    [[nodiscard]] bool isMovingTogether() const;
    /// Var(last) / Var(mean) of what differs from tower to tower. Where the loss of all clearly
    /// moves at once, which would bring it to 1 whatever the data, without that: then
    /// Var(mean) is `predicted`, and Var(last) that and `difference` together. Not a number where
    /// the mean does not vary.
    [[nodiscard]] double ratio() const;
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
    void append(std::int64_t step, const StepScatter& losses);

    /// As of the last whole stretch; not a number before there are two.
    [[nodiscard]] const LossVariances& variances() const noexcept { return m_variances; }

    static constexpr int kStretches = 32;
    static constexpr int kStepsPerStretch = 32;

private:
    /// Sums over a stretch of what a straight line through it depends on.
    struct Trend
    {
        double sum = 0.0;
        double squares = 0.0;
        double byTime = 0.0;

        void add(double value, double time);
    };
    /// Sums over a stretch, of distances from its first step, which keeps them small.
    struct Sums
    {
        int count = 0;
        std::int64_t firstStep = 0;
        double firstLast = 0.0;
        double firstMean = 0.0;
        double time = 0.0;
        double timeSquared = 0.0;
        Trend last;
        Trend mean;
        Trend difference;
        double within = 0.0;
        double predicted = 0.0;
    };

    [[nodiscard]] static LossVariances variancesOf(const Sums& sums);
    void refresh();

    std::array<LossVariances, kStretches> m_window{};
    int m_stretches = 0; ///< in the window
    int m_next = 0;      ///< where the next one goes
    Sums m_sums;
    LossVariances m_variances;
};

/// Further off than so many standard errors chance does not take a figure, however often one looks.
inline constexpr double kClearErrors = 4.0;

/// Within which Var(last) / Var(mean) of independent towers lies: kClearErrors about what is
/// expected, by the logarithm. Both variances have a relative standard error of sqrt(2 / n) and a
/// correlation of 1 / N.
struct RatioInterval
{
    double low = 0.0;
    double high = 0.0;
};
RatioInterval ratioInterval(double expectedRatio, const LossVariances& variances);

/// Var(last) / Var(mean) of N towers that draw batches of B distinct examples out of M within a
/// step: N * [1 - (B-1)/(M-1)] / [1 - (N*B-1)/(M-1)]; with M unknown (0) or N*B >= M that of
/// independent draws, N.
double expectedVarianceRatio(int towers, std::int64_t batchPerTower, std::int64_t examples);

} // namespace lockstep::ui
