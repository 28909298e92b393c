// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/last_tower_statistics.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr double kMostOfMedian = 3.0;
/// Rounding may make towers differ that compute the same.
constexpr double kSameShare = 1e-9;
/// Of a stretch: the straight line takes two.
constexpr int kFreeSteps = RollingVariances::kStepsPerStretch - 2;

double lowerMedian(std::span<const LossVariances> window, double LossVariances::*part)
{
    std::array<double, RollingVariances::kStretches> values{};
    std::ranges::transform(window, values.begin(), part);
    const auto middle = values.begin() + (std::ssize(window) - 1) / 2;
    std::nth_element(values.begin(), middle, values.begin() + std::ssize(window));
    return *middle;
}

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

double LossVariances::freedom() const
{
    return static_cast<double>(steps) * kFreeSteps / RollingVariances::kStepsPerStretch;
}

bool LossVariances::isSame() const
{
    return within <= kSameShare * mean;
}

bool LossVariances::isMovingTogether() const
{
    // The logarithm of mean / predicted has an error of sqrt(2/n * N/(N-1)), that of two towers at
    // most.
    return !isSame() && mean > predicted * std::exp(kClearErrors * std::sqrt(4.0 / freedom()));
}

double LossVariances::ratio() const
{
    if (!(mean > 0.0)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return isMovingTogether() ? 1.0 + difference / predicted : last / mean;
}

RatioInterval ratioInterval(double expectedRatio, const LossVariances& variances)
{
    const double error = std::sqrt(4.0 / variances.freedom() * (1.0 - 1.0 / expectedRatio));
    const double factor = std::exp(kClearErrors * error);
    return {expectedRatio / factor, expectedRatio * factor};
}

void RollingVariances::Trend::add(double value, double time)
{
    sum += value;
    squares += value * value;
    byTime += value * time;
}

void RollingVariances::append(std::int64_t step, const StepScatter& losses)
{
    const auto [last, mean, within, towers] = losses;
    if (m_sums.count == 0) {
        m_sums.firstStep = step;
        m_sums.firstLast = last;
        m_sums.firstMean = mean;
    }
    const auto time = static_cast<double>(step - m_sums.firstStep);
    const double fromLast = last - m_sums.firstLast;
    const double fromMean = mean - m_sums.firstMean;
    ++m_sums.count;
    m_sums.time += time;
    m_sums.timeSquared += time * time;
    m_sums.last.add(fromLast, time);
    m_sums.mean.add(fromMean, time);
    m_sums.difference.add(fromLast - fromMean, time);
    m_sums.within += within;
    m_sums.predicted += within / towers;
    if (m_sums.count == kStepsPerStretch) {
        m_window[static_cast<std::size_t>(m_next)] = variancesOf(m_sums);
        m_next = (m_next + 1) % kStretches;
        m_stretches = std::min(m_stretches + 1, kStretches);
        m_sums = {};
        refresh();
    }
}

LossVariances RollingVariances::variancesOf(const Sums& sums)
{
    const double count = sums.count;
    const double timeMean = sums.time / count;
    const double centredTime = sums.timeSquared - sums.time * timeMean;
    // What is left of the sum of squares beside the straight line through the values.
    const auto variance = [&](const Trend& of) {
        const double covariance = of.byTime - timeMean * of.sum;
        const double squares = of.squares - of.sum * of.sum / count; // about the mean
        return std::max(0.0, squares - covariance * covariance / centredTime) / kFreeSteps;
    };
    return {variance(sums.last), variance(sums.mean),    variance(sums.difference),
            sums.within / count, sums.predicted / count, sums.count};
}

void RollingVariances::refresh()
{
    if (m_stretches < 2) {
        return;
    }
    const auto window = std::span(m_window).first(static_cast<std::size_t>(m_stretches));
    const double mostLast = kMostOfMedian * lowerMedian(window, &LossVariances::last);
    const double mostMean = kMostOfMedian * lowerMedian(window, &LossVariances::mean);
    constexpr std::array kParts{
        &LossVariances::last, &LossVariances::mean, &LossVariances::difference,
        &LossVariances::within, &LossVariances::predicted};
    LossVariances sum{0.0, 0.0, 0.0, 0.0, 0.0, 0};
    double count = 0.0;
    for (const LossVariances& each : window) {
        if (each.last <= mostLast && each.mean <= mostMean) {
            for (const auto part : kParts) {
                sum.*part += each.*part;
            }
            sum.steps += each.steps;
            count += 1.0;
        }
    }
    for (const auto part : kParts) {
        sum.*part /= count; // not a number where none is left
    }
    m_variances = sum;
}

double expectedVarianceRatio(int towers, std::int64_t batchPerTower, std::int64_t examples)
{
    const double global = static_cast<double>(towers) * static_cast<double>(batchPerTower);
    const auto all = static_cast<double>(examples);
    if (global >= all) {
        return towers;
    }
    const double ofTower = 1.0 - (static_cast<double>(batchPerTower) - 1.0) / (all - 1.0);
    const double ofAll = 1.0 - (global - 1.0) / (all - 1.0);
    return towers * ofTower / ofAll;
}

void RunningMean::Sums::add(double value)
{
    ++count;
    values += value;
    squares += value * value;
}

double RunningMean::Sums::standardError() const
{
    if (count < 2) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const auto number = static_cast<double>(count);
    const double aboutMean = std::max(0.0, squares - values * values / number);
    return std::sqrt(aboutMean / (number - 1.0) / number);
}

void RunningMean::append(double value)
{
    ++m_count;
    m_single.add(value);
    m_stretch += value;
    if (m_count % kStretch == 0) {
        m_stretches.add(m_stretch / kStretch);
        m_stretch = 0.0;
    }
}

double RunningMean::mean() const noexcept
{
    return m_count == 0 ? 0.0 : m_single.values / static_cast<double>(m_count);
}

double RunningMean::standardError() const
{
    const double single = m_single.standardError();
    return m_stretches.count < kFewestStretches ? single
                                                : std::max(single, m_stretches.standardError());
}

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

} // namespace lockstep
