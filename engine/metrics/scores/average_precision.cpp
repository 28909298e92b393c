// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/average_precision.h"

#include "base/error.h"
#include "base/philox.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

void check(std::span<const ScoredExample> examples)
{
    if (std::ranges::none_of(examples, &ScoredExample::isPositive)) {
        fail(
            ErrorCode::BadInput,
            "none of the {} examples is positive: precision and recall need some that are",
            examples.size());
    }
    if (std::ranges::any_of(examples, [](const auto& one) { return std::isnan(one.score); })) {
        fail(ErrorCode::Numeric, "a score is not a number");
    }
}

/// Linear between the values around place level * (n - 1).
double quantile(const std::vector<double>& sorted, double level)
{
    const double place = level * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double share = place - static_cast<double>(below);
    return sorted[below] + share * (sorted[above] - sorted[below]);
}

void draw(
    std::span<const ScoredExample> examples, PhiloxStream& random,
    std::vector<ScoredExample>& sample)
{
    do {
        for (ScoredExample& one : sample) {
            one = examples[random.below(static_cast<std::uint32_t>(examples.size()))];
        }
    } while (std::ranges::none_of(sample, &ScoredExample::isPositive));
}

} // namespace

double PrecisionRecallPoint::precision() const
{
    return static_cast<double>(truePositives) / static_cast<double>(truePositives + falsePositives);
}

double PrecisionRecallPoint::recall() const
{
    return static_cast<double>(truePositives) / static_cast<double>(truePositives + falseNegatives);
}

double PrecisionRecallPoint::f1() const
{
    return static_cast<double>(2 * truePositives)
           / static_cast<double>(2 * truePositives + falsePositives + falseNegatives);
}

std::vector<PrecisionRecallPoint> precisionRecallCurve(std::span<const ScoredExample> examples)
{
    check(examples);
    std::vector<ScoredExample> sorted(examples.begin(), examples.end());
    std::ranges::sort(sorted, std::greater<>(), &ScoredExample::score);
    PrecisionRecallPoint point;
    point.falseNegatives = std::ranges::count_if(sorted, &ScoredExample::isPositive);
    std::vector<PrecisionRecallPoint> curve;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        point.threshold = sorted[i].score;
        (sorted[i].isPositive ? point.truePositives : point.falsePositives) += 1;
        point.falseNegatives -= sorted[i].isPositive ? 1 : 0;
        if (i + 1 == sorted.size() || sorted[i + 1].score < sorted[i].score) {
            curve.push_back(point);
        }
    }
    return curve;
}

double averagePrecision(std::span<const PrecisionRecallPoint> curve)
{
    double sum = 0.0;
    double recall = 0.0;
    for (const PrecisionRecallPoint& point : curve) {
        sum += (point.recall() - recall) * point.precision();
        recall = point.recall();
    }
    return sum;
}

PrecisionRecallPoint bestF1(std::span<const PrecisionRecallPoint> curve)
{
    require(!curve.empty(), "a curve without a point");
    return *std::ranges::max_element(curve, {}, &PrecisionRecallPoint::f1);
}

PrecisionRecallPoint fullRecall(std::span<const PrecisionRecallPoint> curve)
{
    const auto found = std::ranges::find(curve, 0, &PrecisionRecallPoint::falseNegatives);
    require(found != curve.end(), "a curve that misses a positive at every threshold");
    return *found;
}

Interval averagePrecisionInterval(
    std::span<const ScoredExample> examples, const BootstrapSettings& settings)
{
    check(examples);
    require(
        settings.samples > 0 && settings.level > 0.0 && settings.level < 1.0,
        "a bootstrap without samples or level");
    std::vector<double> values;
    std::vector<ScoredExample> sample(examples.size());
    for (int i = 0; i < settings.samples; ++i) {
        PhiloxStream random(
            settings.seed, RandomPurpose::Bootstrap, 0, static_cast<std::uint32_t>(i));
        draw(examples, random, sample);
        values.push_back(averagePrecision(precisionRecallCurve(sample)));
    }
    std::ranges::sort(values);
    const double tail = (1.0 - settings.level) / 2.0;
    return {quantile(values, tail), quantile(values, 1.0 - tail)};
}

} // namespace lockstep
