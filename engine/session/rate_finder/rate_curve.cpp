// SPDX-License-Identifier: Apache-2.0
#include "session/rate_finder/rate_curve.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

/// So many standard errors are no accident, at the steepest of many places.
constexpr double kSureSlope = 4.0;
/// Steps on either side that a line goes by: a part of all.
constexpr std::size_t kParts = 12;

/// The best straight line around a step; x counts steps from there.
struct LocalLine
{
    double value = 0.0;
    double slope = 0.0;
    double slopeError = 0.0;
};

std::vector<double> differences(
    const std::vector<RateStep>& steps, const std::vector<double>& untrained)
{
    std::vector<double> all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        all.push_back(steps[i].crossEntropy - untrained[i]);
    }
    return all;
}

/// Deviation of a step from the trend, which second differences leave out: their variance is six
/// times that of independent values.
double noiseOf(const std::vector<double>& values)
{
    double sum = 0.0;
    for (std::size_t i = 2; i < values.size(); ++i) {
        const double bend = values[i] - 2.0 * values[i - 1] + values[i - 2];
        sum += bend * bend;
    }
    return values.size() < 3 ? 0.0
                             : std::sqrt(sum / (6.0 * static_cast<double>(values.size() - 2)));
}

/// Weighted least squares; steps further away count less.
LocalLine lineAround(const std::vector<double>& values, std::size_t place, double noise)
{
    const std::size_t half = values.size() / kParts + 2;
    const std::size_t first = place < half ? 0 : place - half;
    const std::size_t end = std::min(values.size(), place + half + 1);
    double weights = 0.0;
    double xMean = 0.0;
    double yMean = 0.0;
    const auto weightOf = [&](std::size_t i) {
        const double away = std::abs(static_cast<double>(i) - static_cast<double>(place))
                            / static_cast<double>(half + 1);
        const double close = 1.0 - away * away * away; // tricube, as Cleveland
        return close * close * close;
    };
    for (std::size_t i = first; i < end; ++i) {
        weights += weightOf(i);
        xMean += weightOf(i) * static_cast<double>(i);
        yMean += weightOf(i) * values[i];
    }
    xMean /= weights;
    yMean /= weights;
    double xx = 0.0;
    double xy = 0.0;
    double spread = 0.0;
    for (std::size_t i = first; i < end; ++i) {
        const double x = static_cast<double>(i) - xMean;
        xx += weightOf(i) * x * x;
        xy += weightOf(i) * x * (values[i] - yMean);
        spread += weightOf(i) * weightOf(i) * x * x;
    }
    LocalLine line;
    line.slope = xx > 0.0 ? xy / xx : 0.0;
    line.slopeError = xx > 0.0 ? noise * std::sqrt(spread) / xx : 0.0;
    line.value = yMean + line.slope * (static_cast<double>(place) - xMean);
    return line;
}

} // namespace

MeanWithError meanDifference(
    const std::vector<double>& values, const std::vector<double>& others, std::size_t first,
    std::size_t count)
{
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = first; i < first + count; ++i) {
        sum += values[i] - others[i];
    }
    const double mean = sum / static_cast<double>(count);
    for (std::size_t i = first; i < first + count; ++i) {
        const double away = values[i] - others[i] - mean;
        squares += away * away;
    }
    const double freedom = std::max(1.0, static_cast<double>(count) - 1.0);
    return {mean, std::sqrt(squares / freedom / static_cast<double>(count))};
}

void smoothRates(std::vector<RateStep>& steps, const std::vector<double>& untrained)
{
    double level = 0.0;
    for (const double value : untrained) {
        level += value / static_cast<double>(untrained.size());
    }
    const std::vector<double> falls = differences(steps, untrained);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].smoothed = level + lineAround(falls, i, 0.0).value;
    }
}

std::optional<double> steepestRate(
    const std::vector<RateStep>& steps, const std::vector<double>& untrained)
{
    const std::vector<double> falls = differences(steps, untrained);
    const double noise = noiseOf(falls);
    const auto least = std::ranges::min_element(steps, {}, &RateStep::smoothed);
    std::optional<double> rate;
    double steepest = 0.0;
    for (auto step = steps.begin(); step != steps.end() && step <= least; ++step) {
        const LocalLine line =
            lineAround(falls, static_cast<std::size_t>(step - steps.begin()), noise);
        if (line.slope < steepest && -line.slope > kSureSlope * line.slopeError) {
            steepest = line.slope;
            rate = step->rate;
        }
    }
    return rate;
}

} // namespace lockstep
