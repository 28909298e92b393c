// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// What a network says of one example, the larger the surer that it is positive, and what is so.
struct ScoredExample
{
    double score = 0.0;
    bool isPositive = false;
};

/// What follows if all examples with a score of at least `threshold` are called positive.
struct PrecisionRecallPoint
{
    double threshold = 0.0;
    std::int64_t truePositives = 0;
    std::int64_t falsePositives = 0;
    std::int64_t falseNegatives = 0;

    /// Share of those called positive that are.
    [[nodiscard]] double precision() const;
    /// Share of the positives that are called so.
    [[nodiscard]] double recall() const;
    /// 2 TP / (2 TP + FP + FN), the harmonic mean of the two.
    [[nodiscard]] double f1() const;
};

/// How averagePrecision() is defined, for people.
inline constexpr const char* kAveragePrecisionDefinition =
    "AP = sum over thresholds of (R_n - R_(n-1)) * P_n, step-wise, without interpolation; examples "
    "of one score count together";

/// A point for each score that occurs, highest threshold first; examples of equal score change
/// sides together, so the order of the examples does not matter. Error(BadInput) if there is no
/// positive: recall is not defined then; Error(Numeric) if a score is not a number. Thread-safe, as
/// all that follow.
std::vector<PrecisionRecallPoint> precisionRecallCurve(std::span<const ScoredExample> examples);

/// See kAveragePrecisionDefinition; R_0 = 0. `curve` as above, not empty.
double averagePrecision(std::span<const PrecisionRecallPoint> curve);

/// The point with the largest F1; of several the one with the highest threshold.
PrecisionRecallPoint bestF1(std::span<const PrecisionRecallPoint> curve);

/// The point with the highest threshold at which no positive is missed.
PrecisionRecallPoint fullRecall(std::span<const PrecisionRecallPoint> curve);

/// How a bootstrap is drawn.
struct BootstrapSettings
{
    double level = 0.9; ///< share of the samples that lie within the interval
    int samples = 2000;
    std::uint64_t seed = 1;
};

struct Interval
{
    double low = 0.0;
    double high = 0.0;
};

/// Percentile bootstrap interval of the average precision (Efron, 1979): of samples of as many
/// examples, drawn with replacement, the (1 - level) / 2 quantiles from both ends, linear between
/// the samples. A sample without a positive is drawn again. The same for the same seed. Errors of
/// precisionRecallCurve().
Interval averagePrecisionInterval(
    std::span<const ScoredExample> examples, const BootstrapSettings& settings = {});

} // namespace lockstep
