// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/average_precision.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

using namespace lockstep;

namespace {

using Examples = std::vector<ScoredExample>;

/// Examples whose scores are few enough to be equal often.
Examples randomExamples(std::mt19937& random, int count)
{
    std::uniform_int_distribution<int> score(0, 5);
    std::bernoulli_distribution isPositive(0.3);
    Examples examples(static_cast<std::size_t>(count));
    for (ScoredExample& one : examples) {
        one = {score(random) / 5.0, isPositive(random)};
    }
    examples.front().isPositive = true;
    return examples;
}

/// By its definition: counts anew for each threshold.
PrecisionRecallPoint countedAt(const Examples& examples, double threshold)
{
    PrecisionRecallPoint point{threshold, 0, 0, 0};
    for (const ScoredExample& one : examples) {
        const bool isCalled = one.score >= threshold;
        point.truePositives += isCalled && one.isPositive ? 1 : 0;
        point.falsePositives += isCalled && !one.isPositive ? 1 : 0;
        point.falseNegatives += !isCalled && one.isPositive ? 1 : 0;
    }
    return point;
}

std::set<double, std::greater<>> thresholdsOf(const Examples& examples)
{
    std::set<double, std::greater<>> thresholds;
    for (const ScoredExample& one : examples) {
        thresholds.insert(one.score);
    }
    return thresholds;
}

void compare(const PrecisionRecallPoint& found, const PrecisionRecallPoint& expected)
{
    QCOMPARE(found.threshold, expected.threshold);
    QCOMPARE(found.truePositives, expected.truePositives);
    QCOMPARE(found.falsePositives, expected.falsePositives);
    QCOMPARE(found.falseNegatives, expected.falseNegatives);
}

} // namespace

class TestAveragePrecision : public QObject
{
    Q_OBJECT
private slots:
    static void AveragePrecision_fourExamples_matchHandCount();
    static void AveragePrecision_allOfOneScore_countTogether();
    static void Curve_randomExamplesWithTies_matchesBruteForce();
    static void AveragePrecision_randomExamples_matchesBruteForce();
    static void AveragePrecision_orderOfExamples_doesNotMatter();
    static void BestF1_severalAlike_takesHighestThreshold();
    static void FullRecall_missesNone_atHighestSuchThreshold();
    static void Curve_withoutPositive_isRefused();
    static void Curve_scoreNotANumber_isRefused();
    static void Interval_separated_isOne();
    static void Interval_twoExamples_matchesExactDistribution_data();
    static void Interval_twoExamples_matchesExactDistribution();
    static void Interval_sameSeed_isTheSame();
};

// P 1/1, 1/2, 2/3, 2/4 at R 1/2, 1/2, 1, 1: AP = 1/2 * 1 + 0 + 1/2 * 2/3 + 0.
void TestAveragePrecision::AveragePrecision_fourExamples_matchHandCount()
{
    const auto curve =
        precisionRecallCurve(Examples{{0.6, false}, {0.9, true}, {0.8, false}, {0.7, true}});
    QCOMPARE(curve.size(), std::size_t{4});
    compare(curve[2], {0.7, 2, 1, 0});
    QCOMPARE(curve[1].precision(), 0.5);
    QCOMPARE(curve[1].recall(), 0.5);
    QCOMPARE(curve[2].f1(), 0.8);
    QCOMPARE(averagePrecision(curve), 0.5 + 1.0 / 3.0);
}

// A score that says nothing has the precision of guessing, however the examples are ordered.
void TestAveragePrecision::AveragePrecision_allOfOneScore_countTogether()
{
    const auto curve =
        precisionRecallCurve(Examples{{0.5, true}, {0.5, false}, {0.5, false}, {0.5, false}});
    QCOMPARE(curve.size(), std::size_t{1});
    QCOMPARE(averagePrecision(curve), 0.25);
}

void TestAveragePrecision::Curve_randomExamplesWithTies_matchesBruteForce()
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const Examples examples = randomExamples(random, 1 + round % 17);
        const auto curve = precisionRecallCurve(examples);
        const auto thresholds = thresholdsOf(examples);
        QCOMPARE(curve.size(), thresholds.size());
        std::size_t place = 0;
        for (const double threshold : thresholds) {
            compare(curve[place++], countedAt(examples, threshold));
        }
    }
}

void TestAveragePrecision::AveragePrecision_randomExamples_matchesBruteForce()
{
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round) {
        const Examples examples = randomExamples(random, 1 + round % 17);
        double expected = 0.0;
        double before = 0.0;
        for (const double threshold : thresholdsOf(examples)) {
            const PrecisionRecallPoint point = countedAt(examples, threshold);
            const auto called = static_cast<double>(point.truePositives + point.falsePositives);
            const auto positives = static_cast<double>(point.truePositives + point.falseNegatives);
            const auto hits = static_cast<double>(point.truePositives);
            expected += (hits / positives - before) * hits / called;
            before = hits / positives;
        }
        const double found = averagePrecision(precisionRecallCurve(examples));
        QVERIFY2(std::abs(found - expected) < 1e-12, qPrintable(QString::number(found)));
    }
}

void TestAveragePrecision::AveragePrecision_orderOfExamples_doesNotMatter()
{
    std::mt19937 random(3);
    Examples examples = randomExamples(random, 40);
    const double expected = averagePrecision(precisionRecallCurve(examples));
    for (int round = 0; round < 20; ++round) {
        std::ranges::shuffle(examples, random);
        QCOMPARE(averagePrecision(precisionRecallCurve(examples)), expected);
    }
}

// At 0.9 and at 0.6 F1 is 2/3.
void TestAveragePrecision::BestF1_severalAlike_takesHighestThreshold()
{
    const auto curve =
        precisionRecallCurve(Examples{{0.9, true}, {0.8, false}, {0.7, false}, {0.6, true}});
    compare(bestF1(curve), {0.9, 1, 0, 1});
    QCOMPARE(curve.back().f1(), bestF1(curve).f1());
}

void TestAveragePrecision::FullRecall_missesNone_atHighestSuchThreshold()
{
    const auto curve = precisionRecallCurve(
        Examples{{0.9, true}, {0.8, false}, {0.7, true}, {0.7, false}, {0.1, false}});
    compare(fullRecall(curve), {0.7, 2, 2, 0});
}

void TestAveragePrecision::Curve_withoutPositive_isRefused()
{
    QVERIFY(test::tells(
        test::errorOf([&] {
            precisionRecallCurve(Examples{{0.5, false}, {0.7, false}});
        }),
        ErrorCode::BadInput, "none of the 2"));
    QVERIFY_THROWS_EXCEPTION(Error, precisionRecallCurve(Examples{}));
    QVERIFY_THROWS_EXCEPTION(Error, averagePrecisionInterval(Examples{{0.5, false}}));
}

void TestAveragePrecision::Curve_scoreNotANumber_isRefused()
{
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY_THROWS_EXCEPTION(Error, precisionRecallCurve(Examples{{0.5, true}, {kNan, false}}));
}

void TestAveragePrecision::Interval_separated_isOne()
{
    const Interval interval = averagePrecisionInterval(
        Examples{{0.9, true}, {0.8, true}, {0.3, false}, {0.2, false}, {0.1, false}});
    QCOMPARE(interval.low, 1.0);
    QCOMPARE(interval.high, 1.0);
}

// A positive below a negative: of the samples with a positive one third has only that (AP 1), two
// thirds have both (AP 1/2).
void TestAveragePrecision::Interval_twoExamples_matchesExactDistribution_data()
{
    QTest::addColumn<double>("level");
    QTest::addColumn<double>("high");
    QTest::newRow("90 %") << 0.9 << 1.0;
    QTest::newRow("50 %") << 0.5 << 1.0; // up to the 75th percentile
    QTest::newRow("20 %") << 0.2 << 0.5; // up to the 60th
}

void TestAveragePrecision::Interval_twoExamples_matchesExactDistribution()
{
    QFETCH(double, level);
    QFETCH(double, high);
    const Interval interval =
        averagePrecisionInterval(Examples{{0.1, true}, {0.9, false}}, {level, 2000, 7});
    QCOMPARE(interval.low, 0.5);
    QCOMPARE(interval.high, high);
}

void TestAveragePrecision::Interval_sameSeed_isTheSame()
{
    std::mt19937 random(4);
    const Examples examples = randomExamples(random, 30);
    const Interval first = averagePrecisionInterval(examples, {0.9, 500, 11});
    const Interval second = averagePrecisionInterval(examples, {0.9, 500, 11});
    QCOMPARE(first.low, second.low);
    QCOMPARE(first.high, second.high);
    const double value = averagePrecision(precisionRecallCurve(examples));
    QVERIFY(first.low < value && value < first.high);
}

LOCKSTEP_TEST(TestAveragePrecision)
#include "test_average_precision.moc"
