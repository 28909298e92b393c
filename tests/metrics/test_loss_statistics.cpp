// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "metrics/loss_statistics.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace lockstep;

class TestLossStatistics : public QObject
{
    Q_OBJECT
private slots:
    static void LossStatistics_fourTowers_matchHandCount();
    static void LossStatistics_mean_isSummedInTowerOrder();
    static void LossStatistics_oneTower_hasNoVariance();
    static void LossStatistics_notANumber_isNeverHidden_data();
    static void LossStatistics_notANumber_isNeverHidden();
    static void LossStatistics_towerRecords_giveTheSame();
    static void LossStatistics_noTower_isRefused();
    static void LossStatistics_variance_predictsVarianceOfMean();
};

// By hand: mean (1 + 2 + 4 + 9) / 4 = 4; squares 9 + 4 + 0 + 25 = 38; 38 / 3.
void TestLossStatistics::LossStatistics_fourTowers_matchHandCount()
{
    const auto statistics = lossStatistics(std::vector<double>{2.0, 9.0, 1.0, 4.0});
    QCOMPARE(statistics.mean, 4.0);
    QCOMPARE(statistics.last, 4.0);
    QCOMPARE(statistics.minimum, 1.0);
    QCOMPARE(statistics.maximum, 9.0);
    QVERIFY(statistics.variance.has_value());
    QCOMPARE(*statistics.variance, 38.0 / 3.0);
}

// 1e16 + 1 rounds back to 1e16, so only one order of these gives 0 and the other 1/3.
void TestLossStatistics::LossStatistics_mean_isSummedInTowerOrder()
{
    QCOMPARE(lossStatistics(std::vector<double>{1e16, 1.0, -1e16}).mean, 0.0);
    QCOMPARE(lossStatistics(std::vector<double>{1e16, -1e16, 1.0}).mean, 1.0 / 3.0);
}

void TestLossStatistics::LossStatistics_oneTower_hasNoVariance()
{
    const auto statistics = lossStatistics(std::vector<double>{2.5});
    QCOMPARE(statistics.mean, 2.5);
    QCOMPARE(statistics.last, 2.5);
    QVERIFY(!statistics.variance.has_value());
}

void TestLossStatistics::LossStatistics_notANumber_isNeverHidden_data()
{
    QTest::addColumn<int>("badTower");
    for (int tower = 0; tower < 3; ++tower) {
        QTest::addRow("tower %d", tower) << tower;
    }
}

void TestLossStatistics::LossStatistics_notANumber_isNeverHidden()
{
    QFETCH(int, badTower);
    std::vector<double> losses{1.0, 2.0, 3.0};
    losses[static_cast<std::size_t>(badTower)] = std::numeric_limits<double>::quiet_NaN();
    const auto statistics = lossStatistics(losses);
    QVERIFY(std::isnan(statistics.mean));
    QVERIFY(std::isnan(statistics.minimum));
    QVERIFY(std::isnan(statistics.maximum));
    QVERIFY(std::isnan(*statistics.variance));
    QCOMPARE(std::isnan(statistics.last), badTower == 2);
}

void TestLossStatistics::LossStatistics_towerRecords_giveTheSame()
{
    const std::vector<TowerRecord> towers{{2.0, 3, 4}, {5.0, 1, 4}};
    const auto statistics = lossStatistics(towers);
    QCOMPARE(statistics.mean, 3.5);
    QCOMPARE(statistics.last, 5.0);
    QCOMPARE(*statistics.variance, 4.5);
}

void TestLossStatistics::LossStatistics_noTower_isRefused()
{
    QVERIFY_THROWS_EXCEPTION(Error, lossStatistics(std::vector<double>{}));
}

// The within-step estimate, averaged over steps with a falling trend, gives the variance of one
// tower's loss (here 0.09) and not that of the trend. The standard error of the average of
// 20,000 sample variances with 3 degrees of freedom is 0.09 * sqrt(2 / 3 / 20000) = 0.00052.
void TestLossStatistics::LossStatistics_variance_predictsVarianceOfMean()
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0.0, 0.3);
    constexpr int kSteps = 20'000;
    double sum = 0.0;
    for (int step = 0; step < kSteps; ++step) {
        std::vector<double> losses(4);
        for (auto& loss : losses) {
            loss = 5.0 - 4.0 * step / kSteps + noise(random);
        }
        sum += *lossStatistics(losses).variance;
    }
    QVERIFY(std::abs(sum / kSteps - 0.09) < 5 * 0.00052);
}

LOCKSTEP_TEST(TestLossStatistics)
#include "test_loss_statistics.moc"
