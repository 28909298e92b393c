// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "metrics/verdicts/loss_trend.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

/// Feeds a whole window of 20 blocks of 5 steps and returns whether it was complete at the end, and
/// not before.
bool fill(LossTrend& trend, const std::vector<double>& blockMeans)
{
    bool isEarly = false;
    bool isNew = false;
    for (const double mean : blockMeans) {
        for (const double offset : {-2.0, -1.0, 0.0, 1.0, 2.0}) { // what a mean must not see
            isEarly = isEarly || isNew;
            isNew = trend.add(mean + offset);
        }
    }
    return isNew && !isEarly;
}

} // namespace

class TestLossTrend : public QObject
{
    Q_OBJECT
private slots:
    static void Trend_ofALineAndAnAlternation_isTheHandCount();
    static void Trend_ofAConstant_isZero();
    static void Trend_ofAPureLine_isInfinite();
    static void Trend_window_movesOnBlockByBlock();
    static void Trend_restart_forgets();
    static void Trend_ofNoise_fallsByChanceInFivePercent();
    static void Trend_ofFewSteps_hasAStepABlock();
    static void Trend_ofNoSteps_is_refused();
};

// y_i = 3 - 0.1 i + 0.2 (-1)^i for i = 0 … 19. With Sxx = 20 (20^2 - 1) / 12 = 665 and
// sum (i - 9.5) (-1)^i = -10: slope = -0.1 + 0.2 (-10) / 665. What is left over is that of the
// alternation: 20 * 0.04 - (0.2 * 10)^2 / 665.
void TestLossTrend::Trend_ofALineAndAnAlternation_isTheHandCount()
{
    LossTrend trend(100);
    QCOMPARE(trend.windowSteps(), 100);
    std::vector<double> means;
    for (int i = 0; i < 20; ++i) {
        means.push_back(3.0 - 0.1 * i + (i % 2 == 0 ? 0.2 : -0.2));
    }
    QVERIFY(fill(trend, means));
    const double slope = -0.1 - 2.0 / 665.0;
    const double error = std::sqrt((0.8 - 4.0 / 665.0) / 18.0 / 665.0);
    const auto isNear = [](double a, double b) { return std::abs(a / b - 1.0) < 1e-9; };
    QVERIFY(isNear(trend.tValue(), slope / error));
    QVERIFY(isNear(trend.change(), 20.0 * slope));
    QVERIFY(isNear(trend.changeError(), 20.0 * error));
    QVERIFY(isNear(trend.meanLoss(), 3.0 - 0.95));
}

void TestLossTrend::Trend_ofAConstant_isZero()
{
    LossTrend trend(100);
    QVERIFY(fill(trend, std::vector<double>(20, 0.5)));
    QCOMPARE(trend.tValue(), 0.0);
}

void TestLossTrend::Trend_ofAPureLine_isInfinite()
{
    LossTrend trend(20);
    bool isNew = false;
    for (int i = 0; i < 20; ++i) {
        isNew = trend.add(32.0 - i); // exact in binary
    }
    QVERIFY(isNew);
    QVERIFY(trend.tValue() < -1e6);
}

void TestLossTrend::Trend_window_movesOnBlockByBlock()
{
    LossTrend trend(40); // blocks of 2
    std::vector<int> complete;
    for (int step = 0; step < 50; ++step) {
        if (trend.add(step < 30 ? 5.0 : 1.0 + 0.01 * step)) {
            complete.push_back(step);
        }
    }
    QCOMPARE(complete, (std::vector<int>{39, 41, 43, 45, 47, 49}));
    for (int step = 50; step < 70; ++step) {
        static_cast<void>(trend.add(1.0 + 0.01 * step));
    }
    QVERIFY(trend.tValue() > 1e3); // the fall from 5 has left the window: what is there rises
}

void TestLossTrend::Trend_restart_forgets()
{
    LossTrend trend(100);
    QVERIFY(fill(trend, std::vector<double>(20, 0.5)));
    static_cast<void>(trend.add(9.0));
    trend.restart();
    QVERIFY(fill(trend, std::vector<double>(20, 0.25)));
    QCOMPARE(trend.meanLoss(), 0.25);
}

/// The law that the 5 % level stands for. 4,000 windows: ± 3.5 standard deviations of the count.
void TestLossTrend::Trend_ofNoise_fallsByChanceInFivePercent()
{
    std::mt19937 generator(7);
    std::normal_distribution<double> noise(1.0, 0.2);
    constexpr int kTrials = 4000;
    int falls = 0;
    for (int trial = 0; trial < kTrials; ++trial) {
        LossTrend trend(20);
        for (int i = 0; i < 20; ++i) {
            static_cast<void>(trend.add(noise(generator)));
        }
        falls += trend.tValue() < LossTrend::kFalls ? 1 : 0;
    }
    QVERIFY2(std::abs(falls - 200) < 49, qPrintable(QString::number(falls)));
}

void TestLossTrend::Trend_ofFewSteps_hasAStepABlock()
{
    QCOMPARE(LossTrend(3).windowSteps(), 20);
    QCOMPARE(LossTrend(59).windowSteps(), 40);
}

void TestLossTrend::Trend_ofNoSteps_is_refused()
{
    QVERIFY_THROWS_EXCEPTION(Error, LossTrend(0));
}

LOCKSTEP_TEST(TestLossTrend)
#include "test_loss_trend.moc"
