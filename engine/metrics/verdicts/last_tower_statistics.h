// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace lockstep {

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

/// The mean of all values so far and how far off it may be.
///
/// Its standard error is the larger of two: sqrt(variance / count), which holds for independent
/// values, whatever the variance does; and, from 16 stretches of 32 values on, that of the means of
/// those stretches, which also counts what neighbours within a stretch have in common. Values that
/// depend on each other over much more than 32 steps are more uncertain than it says. Not
/// thread-safe.
class RunningMean
{
public:
    /// A finite value.
    void append(double value);

    [[nodiscard]] std::int64_t count() const noexcept { return m_count; }
    /// 0 without values.
    [[nodiscard]] double mean() const noexcept;
    /// Not a number before there are two values.
    [[nodiscard]] double standardError() const;

private:
    static constexpr int kStretch = 32;
    static constexpr std::int64_t kFewestStretches = 16;

    /// Sums of values and their squares.
    struct Sums
    {
        std::int64_t count = 0;
        double values = 0.0;
        double squares = 0.0;

        void add(double value);
        [[nodiscard]] double standardError() const;
    };

    std::int64_t m_count = 0;
    Sums m_single;
    Sums m_stretches;
    double m_stretch = 0.0; ///< sum of the values of the stretch that is not whole yet
};

/// The plain rule of early stopping: a training is over at the first step by which the loss has had
/// no new low for so many steps. Losses that are not finite are no new low.
class Patience
{
public:
    static constexpr std::int64_t kSteps = 1000;

    void append(std::int64_t step, double loss)
    {
        if (m_stop) {
            return;
        }
        if (loss < m_lowest) {
            m_lowest = loss;
            m_lowestStep = step;
        } else if (std::isfinite(m_lowest) && step - m_lowestStep >= kSteps) {
            m_stop = step;
        }
    }

    /// Where the rule would have stopped the training, if anywhere yet.
    [[nodiscard]] std::optional<std::int64_t> stop() const noexcept { return m_stop; }

private:
    double m_lowest = std::numeric_limits<double>::infinity();
    std::int64_t m_lowestStep = 0;
    std::optional<std::int64_t> m_stop;
};

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

} // namespace lockstep
