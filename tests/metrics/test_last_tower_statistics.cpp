// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/last_tower_statistics.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

using namespace lockstep;

namespace {

/// Makes towers whose losses are independent and normal about a common value.
class Towers
{
public:
    Towers(int towers, unsigned seed) : m_losses(static_cast<std::size_t>(towers)), m_random(seed)
    {
    }

    std::vector<double>& next(double common, double deviation = 0.1)
    {
        for (double& loss : m_losses) {
            loss = common + deviation * m_normal(m_random);
        }
        return m_losses;
    }
    double normal() { return m_normal(m_random); }

private:
    std::vector<double> m_losses;
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal;
};

void append(LastTowerStatistics& statistics, std::int64_t step, const std::vector<double>& losses)
{
    const double sum = std::accumulate(losses.begin(), losses.end(), 0.0);
    statistics.append(step, losses, sum / static_cast<double>(losses.size()));
}

/// After so many steps whose common value is a function of the step.
LastTowerStatistics after(int towers, int steps, const std::function<double(int)>& common)
{
    LastTowerStatistics statistics;
    Towers noise(towers, 17);
    for (int step = 0; step < steps; ++step) {
        append(statistics, step, noise.next(common(step)));
    }
    return statistics;
}

} // namespace

class TestLastTowerStatistics : public QObject
{
    Q_OBJECT

private slots:
    void VarianceRatio_fallingLoss_isNumberOfTowers_data()
    {
        test::addNumberRows("towers", {2, 4, 8});
    }
    void VarianceRatio_fallingLoss_isNumberOfTowers()
    {
        QFETCH(const int, towers);
        LastTowerStatistics statistics;
        Towers noise(towers, 17);
        double sumOfRatios = 0.0;
        double sumOfPredicted = 0.0;
        int ratios = 0;
        for (int step = 0; step < 30'000; ++step) {
            append(statistics, step, noise.next(1.0 + 20.0 * std::exp(-step / 3000.0)));
            if (step % 1024 == 1023) {
                sumOfRatios += statistics.varianceRatio();
                sumOfPredicted += statistics.variances().within / towers;
                ++ratios;
                QCOMPARE(statistics.variation(towers), TowerVariation::Independent);
            }
        }
        const double ratio = sumOfRatios / ratios;
        QVERIFY2(std::abs(ratio / towers - 1.0) < 0.06, qPrintable(QString::number(ratio)));
        // What the towers of a step predict for the mean: 0.01 / N.
        QVERIFY(std::abs(sumOfPredicted / ratios / (0.01 / towers) - 1.0) < 0.03);
    }

    /// A resume, or another learning rate: the loss of all towers is another one at once. Ten times
    /// the towers' own deviation, at any place within a stretch of 32 steps.
    void VarianceRatio_jumpsOfAllTowers_areNotCounted_data()
    {
        test::addNumberRows("step", {1500, 1504, 1520, 1536, 1567});
    }
    void VarianceRatio_jumpsOfAllTowers_areNotCounted()
    {
        QFETCH(const int, step);
        const auto calm = after(4, 2048, [](int) { return 2.0; });
        const auto jumped = after(4, 2048, [step](int now) { return now < step ? 2.0 : 3.0; });
        const double share = jumped.varianceRatio() / calm.varianceRatio();
        QVERIFY2(std::abs(share - 1.0) < 0.05, qPrintable(QString::number(share)));
        QCOMPARE(jumped.variation(4.0), TowerVariation::Independent);
    }

    void VarianceRatio_sameDataInAllTowers_isOne()
    {
        LastTowerStatistics statistics;
        Towers noise(1, 1);
        for (int step = 0; step < 500; ++step) {
            const double jump = step < 300 ? 0.0 : 1.0;
            append(statistics, step, std::vector<double>(4, noise.next(2.0 + jump).front()));
        }
        QCOMPARE(statistics.varianceRatio(), 1.0);
        QCOMPARE(statistics.worstDeviation(), 0.0);
        QCOMPARE(statistics.bias().mean(), 0.0);
        QCOMPARE(statistics.bias().standardError(), 0.0);
        QCOMPARE(statistics.variation(4.0), TowerVariation::Same);
    }

    /// A rate too high for the data: the loss of all jumps now and then and falls back over some
    /// steps, by far more than what differs between the towers. The plain ratio is near 1.
    void VarianceRatio_spikesOfAllTowers_isThatOfTheTowers_data()
    {
        VarianceRatio_fallingLoss_isNumberOfTowers_data();
    }
    void VarianceRatio_spikesOfAllTowers_isThatOfTheTowers()
    {
        QFETCH(const int, towers);
        LastTowerStatistics statistics;
        Towers noise(towers, 4);
        double spike = 0.0;
        for (int step = 0; step < 3000; ++step) {
            spike = 0.7 * spike + (std::abs(noise.normal()) > 1.5 ? 0.5 : 0.0);
            append(statistics, step, noise.next(2.0 + spike));
        }
        const LossVariances& now = statistics.variances();
        QVERIFY2(now.last / now.mean < 1.5, qPrintable(QString::number(now.last / now.mean)));
        QVERIFY(std::abs(statistics.varianceRatio() / towers - 1.0) < 0.1);
        QCOMPARE(statistics.variation(towers), TowerVariation::Together);
    }

    /// What all towers have in common says nothing of their data, wherever it comes from.
    void VarianceRatio_partlyCommonNoise_isLeftOut()
    {
        LastTowerStatistics statistics;
        Towers noise(4, 5);
        for (int step = 0; step < 20'000; ++step) {
            append(statistics, step, noise.next(2.0 + 0.1 * noise.normal()));
        }
        QVERIFY(std::abs(statistics.varianceRatio() / 4.0 - 1.0) < 0.1);
        QCOMPARE(statistics.variation(4.0), TowerVariation::Together);
        const LossVariances& now = statistics.variances();
        QVERIFY(std::abs(now.mean / now.predicted / 5.0 - 1.0) < 0.15); // (1 + 1/4) / (1/4)
    }

    /// Their last tower's spikes stay visible beside those of all.
    void VarianceRatio_noisyLastTowerInJumpyLoss_isSaidToBeIts()
    {
        LastTowerStatistics statistics;
        Towers noise(4, 8);
        for (int step = 0; step < 2000; ++step) {
            std::vector<double> losses = noise.next(2.0 + 0.5 * noise.normal());
            losses.back() += 0.3 * noise.normal();
            append(statistics, step, losses);
        }
        QCOMPARE(statistics.variation(4.0), TowerVariation::LastVaries);
    }

    void VarianceRatio_calmLastTower_isSaidToBeIts()
    {
        LastTowerStatistics statistics;
        Towers noise(4, 9);
        for (int step = 0; step < 2000; ++step) {
            std::vector<double> losses = noise.next(2.0);
            losses.back() = 2.0 + 0.05 * noise.normal();
            append(statistics, step, losses);
        }
        QCOMPARE(statistics.variation(4.0), TowerVariation::LastVariesLess);
    }

    void VarianceRatio_noisyLastTower_isSaidToBeIts()
    {
        LastTowerStatistics statistics;
        Towers noise(4, 6);
        for (int step = 0; step < 2000; ++step) {
            std::vector<double> losses = noise.next(2.0);
            losses.back() += 0.3 * noise.normal();
            append(statistics, step, losses);
        }
        // Var(last) = 0.1, Var(mean) = (3 * 0.01 + 0.1) / 16.
        QVERIFY(std::abs(statistics.varianceRatio() / (0.1 / (0.13 / 16.0)) - 1.0) < 0.1);
        QCOMPARE(statistics.variation(4.0), TowerVariation::LastVaries);
    }

    void VarianceRatio_afterSpikeAndNotANumber_forgetsThem()
    {
        LastTowerStatistics clean;
        LastTowerStatistics disturbed;
        Towers noise(2, 2);
        for (int step = 0; step < 6000; ++step) {
            std::vector<double> losses = noise.next(2.0);
            append(clean, step, losses);
            losses.back() = step == 500 ? 1e30 : step == 600 ? std::nan("") : losses.back();
            append(disturbed, step, losses);
        }
        QVERIFY(std::abs(clean.varianceRatio() / disturbed.varianceRatio() - 1.0) < 0.05);
        QCOMPARE(disturbed.worstStep(), 500);
        QCOMPARE(disturbed.steps(), 5999);
    }

    void VarianceRatio_tooFewSteps_isUnknown()
    {
        const auto few = after(4, 63, [](int) { return 2.0; });
        QVERIFY(std::isnan(few.varianceRatio()));
        QCOMPARE(few.variation(4.0), TowerVariation::Unknown);
        QVERIFY(!std::isnan(after(4, 64, [](int) { return 2.0; }).varianceRatio()));
    }

    /// 60 independent steps: 4 errors of sqrt(4/60 * 3/4), by the logarithm.
    void Interval_ofFewSteps_isWideAndTellsNothing()
    {
        const auto few = after(4, 64, [](int) { return 2.0; });
        const RatioInterval interval = ratioInterval(4.0, few.variances());
        QVERIFY(std::abs(interval.high / 4.0 - std::exp(4.0 * std::sqrt(0.05))) < 1e-9);
        QVERIFY(std::abs(interval.low * interval.high - 16.0) < 1e-9);
        QCOMPARE(few.variation(4.0), TowerVariation::Unknown);
        QCOMPARE(
            after(4, 320, [](int) { return 2.0; }).variation(4.0), TowerVariation::Independent);
    }

    /// E.1 of the statistics of a step, worked out by hand for 4 towers of 128 out of 50,000:
    /// 4 * (1 - 127/49,999) / (1 - 511/49,999).
    void ExpectedRatio_ofDistinctExamples_isAsPublished()
    {
        QVERIFY(std::abs(expectedVarianceRatio(4, 128, 50'000) - 4.0310) < 1e-4);
        QVERIFY(std::abs(expectedVarianceRatio(2, 128, 50'000) - 2.0051) < 1e-4);
        QVERIFY(std::abs(expectedVarianceRatio(8, 128, 50'000) - 8.1464) < 1e-4);
        QCOMPARE(expectedVarianceRatio(1, 128, 50'000), 1.0);
        QCOMPARE(expectedVarianceRatio(4, 128, 0), 4.0); // not known: independent
        QCOMPARE(expectedVarianceRatio(4, 128, 300), 4.0);
    }

    void Bias_ofIndependentTowers_staysWithinItsErrors()
    {
        int outside = 0;
        for (unsigned seed = 0; seed < 400; ++seed) {
            RunningMean bias;
            Towers noise(1, seed);
            for (int step = 0; step < 1000; ++step) {
                bias.append(noise.next(0.0).front());
            }
            outside += std::abs(bias.mean()) > 2.0 * bias.standardError() ? 1 : 0;
        }
        // 4.6 % of 400 by chance, 18 +- 4; a little less, as the larger of two errors counts.
        QVERIFY2(outside >= 4 && outside <= 32, qPrintable(QString::number(outside)));
    }

    /// Each value is the one before, half and half with chance: the error of the mean is sqrt(3)
    /// times that of independent values.
    void Bias_ofValuesThatHangTogether_hasALargerError()
    {
        RunningMean bias;
        Towers noise(1, 3);
        double value = 0.0;
        double squares = 0.0;
        constexpr int kSteps = 100'000;
        for (int step = 0; step < kSteps; ++step) {
            value = 0.5 * value + noise.next(0.0).front();
            squares += value * value;
            bias.append(value);
        }
        const double naive = std::sqrt(squares / kSteps / kSteps);
        const double share = bias.standardError() / naive;
        QVERIFY2(std::abs(share / std::sqrt(3.0) - 1.0) < 0.08, qPrintable(QString::number(share)));
    }

    void Deviation_ofTheLastTower_isRelativeToTheMean()
    {
        LastTowerStatistics statistics;
        append(statistics, 4, {2.0, 2.0, 2.0, 2.0});
        append(statistics, 5, {1.0, 1.0, 1.0, 5.0}); // mean 2: +150 %
        append(statistics, 6, {2.0, 2.0, 3.0, 1.0}); // mean 2: -50 %
        QCOMPARE(statistics.worstDeviation(), 1.5);
        QCOMPARE(statistics.worstStep(), 5);
        QVERIFY(std::abs(statistics.meanDeviation() - 1.0 / 3.0) < 1e-12);
        QVERIFY(std::abs(statistics.bias().mean() - 2.0 / 3.0) < 1e-12);
    }

    void Patience_withoutANewLow_endsOnce()
    {
        Patience patience;
        patience.append(0, std::nan(""));
        patience.append(5000, std::nan(""));
        QVERIFY(!patience.stop());
        patience.append(5001, 1.0);
        patience.append(5002, 0.5);
        patience.append(5002 + Patience::kSteps - 1, 0.6);
        QVERIFY(!patience.stop());
        patience.append(5002 + Patience::kSteps, 0.5); // as low is no new low
        QCOMPARE(patience.stop(), std::optional<std::int64_t>(5002 + Patience::kSteps));
        patience.append(9000, 0.1);
        QCOMPARE(patience.stop(), std::optional<std::int64_t>(5002 + Patience::kSteps));
    }
};

LOCKSTEP_TEST(TestLastTowerStatistics)
#include "test_last_tower_statistics.moc"
