// SPDX-License-Identifier: Apache-2.0
#include "metrics/histogram.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace lockstep;

namespace {

/// How many of the values lie in [low, high), counted one by one.
double countBetween(const std::vector<float>& values, double low, double high)
{
    return static_cast<double>(
        std::ranges::count_if(values, [&](double v) { return v >= low && v < high; }));
}

/// Holds every bucket against a count of the values themselves.
void compareBuckets(const Histogram& histogram, const std::vector<float>& values)
{
    double low = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < histogram.limits.size(); ++i) {
        QCOMPARE(histogram.counts[i], countBetween(values, low, histogram.limits[i]));
        low = histogram.limits[i];
    }
}

/// Any float that is finite, all exponents alike.
float anyFloat(std::mt19937& random)
{
    for (;;) {
        const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        if (std::isfinite(value)) {
            return value;
        }
    }
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT

private slots:
    static void Buckets_ofAnyFloats_countThem();
    static void Buckets_ofWeights_countThem();
    static void Buckets_atTheirLimits_beginThere();
    static void Limits_growByATenth();
    static void Moments_areThoseOfTheValues();
    static void Values_notFinite_areLeftOut();
    static void NoValues_giveAnEmptyHistogram();
};

void TestHistogram::Buckets_ofAnyFloats_countThem()
{
    std::mt19937 random(1);
    std::vector<float> values(3000);
    std::ranges::generate(values, [&] { return anyFloat(random); });
    values.insert(values.end(), {0.0F, -0.0F, std::numeric_limits<float>::max()});
    compareBuckets(histogramOf(values), values);
}

void TestHistogram::Buckets_ofWeights_countThem()
{
    std::mt19937 random(2);
    std::normal_distribution<float> normal(0.0F, 0.05F);
    std::vector<float> values(20'000);
    std::ranges::generate(values, [&] { return normal(random); });
    const Histogram histogram = histogramOf(values);
    compareBuckets(histogram, values);
    QVERIFY(histogram.limits.size() > 50);
}

// A limit belongs to the bucket that begins there. Limits that are floats, and their neighbours.
void TestHistogram::Buckets_atTheirLimits_beginThere()
{
    std::vector<float> values;
    for (double limit = 1e-12; limit < 1e20; limit *= 1.1) {
        const auto near = static_cast<float>(limit);
        for (const float sign : {1.0F, -1.0F}) {
            values.push_back(sign * near);
            values.push_back(sign * std::nextafter(near, 0.0F));
            values.push_back(sign * std::nextafter(near, 1e30F));
        }
    }
    compareBuckets(histogramOf(values), values);
}

void TestHistogram::Limits_growByATenth()
{
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(0.5F, 2.0F);
    std::vector<float> values(100'000);
    std::ranges::generate(values, [&] { return uniform(random); });
    const Histogram histogram = histogramOf(values);
    QCOMPARE(histogram.counts.front(), 0.0);
    QCOMPARE(histogram.counts.back(), 0.0);
    for (std::size_t i = 1; i + 1 < histogram.limits.size(); ++i) {
        QVERIFY(std::abs(histogram.limits[i] / histogram.limits[i - 1] - 1.1) < 1e-9);
    }
}

void TestHistogram::Moments_areThoseOfTheValues()
{
    const Histogram histogram = histogramOf(std::vector<float>{0.5F, -2.0F, 3.0F, 0.0F});
    QCOMPARE(histogram.minimum, -2.0);
    QCOMPARE(histogram.maximum, 3.0);
    QCOMPARE(histogram.count, 4.0);
    QCOMPARE(histogram.sum, 1.5);
    QCOMPARE(histogram.sumOfSquares, 13.25);
}

void TestHistogram::Values_notFinite_areLeftOut()
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Histogram histogram =
        histogramOf(std::vector<float>{1.0F, kInfinity, -kInfinity, std::nanf("")});
    QCOMPARE(histogram.count, 1.0);
    QCOMPARE(histogram.maximum, 1.0);
    QCOMPARE(histogram.minimum, 1.0);
    compareBuckets(histogram, {1.0F});
}

void TestHistogram::NoValues_giveAnEmptyHistogram()
{
    const Histogram histogram = histogramOf({});
    QCOMPARE(histogram.count, 0.0);
    QCOMPARE(histogram.minimum, 0.0);
    QCOMPARE(histogram.counts, std::vector<double>{0.0});
}

LOCKSTEP_TEST(TestHistogram)
#include "test_histogram.moc"
