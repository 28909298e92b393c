// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/rolling_variances.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace lockstep::ui {
namespace {

constexpr double kMostOfMedian = 3.0;
/// Of a stretch: the straight line takes two.
constexpr int kFreeSteps = RollingVariances::kStepsPerStretch - 2;

/// What is left of the sum of squares beside the straight line through the values.
double residual(double squares, double sum, double byTime, double centredTime, double timeMean)
{
    // `squares` is about the mean already; byTime still about the first step.
    const double covariance = byTime - timeMean * sum;
    return std::max(0.0, squares - covariance * covariance / centredTime);
}

double lowerMedian(std::span<const LossVariances> window, double LossVariances::*part)
{
    std::array<double, RollingVariances::kStretches> values{};
    std::transform(window.begin(), window.end(), values.begin(), [part](const LossVariances& each) {
        return each.*part;
    });
    const auto middle = values.begin() + (std::ssize(window) - 1) / 2;
    std::nth_element(values.begin(), middle, values.begin() + std::ssize(window));
    return *middle;
}

} // namespace

void RollingVariances::append(std::int64_t step, double last, double mean, double within)
{
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
    m_sums.last += fromLast;
    m_sums.lastSquared += fromLast * fromLast;
    m_sums.lastByTime += fromLast * time;
    m_sums.mean += fromMean;
    m_sums.meanSquared += fromMean * fromMean;
    m_sums.meanByTime += fromMean * time;
    m_sums.within += within;
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
    const double last = residual(
        sums.lastSquared - sums.last * sums.last / count, sums.last, sums.lastByTime, centredTime,
        timeMean);
    const double mean = residual(
        sums.meanSquared - sums.mean * sums.mean / count, sums.mean, sums.meanByTime, centredTime,
        timeMean);
    return {last / kFreeSteps, mean / kFreeSteps, sums.within / count, kFreeSteps};
}

void RollingVariances::refresh()
{
    if (m_stretches < 2) {
        return;
    }
    const auto window = std::span(m_window).first(static_cast<std::size_t>(m_stretches));
    const double mostLast = kMostOfMedian * lowerMedian(window, &LossVariances::last);
    const double mostMean = kMostOfMedian * lowerMedian(window, &LossVariances::mean);
    LossVariances sum{0.0, 0.0, 0.0, 0};
    int count = 0;
    for (const LossVariances& each : window) {
        if (each.last <= mostLast && each.mean <= mostMean) {
            sum.last += each.last;
            sum.mean += each.mean;
            sum.within += each.within;
            ++count;
        }
    }
    m_variances =
        count == 0 ? LossVariances{}
                   : LossVariances{
                       sum.last / count, sum.mean / count, sum.within / count, count * kFreeSteps};
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

} // namespace lockstep::ui
