// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "metrics/loss_statistics.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep;

namespace {

LossStatistics statisticsOf(const std::vector<double>& losses)
{
    std::vector<TowerRecord> towers;
    for (const double loss : losses) {
        towers.push_back({.loss = loss});
    }
    return lossStatistics(towers);
}

} // namespace

class TestLossStatistics : public QObject
{
    Q_OBJECT
private slots:
    static void LossStatistics_fourTowers_matchHandCount();
    static void LossStatistics_mean_isSummedInTowerOrder();
    static void LossStatistics_oneTower_isItsOwnMean();
    static void LossStatistics_notANumber_isNeverHidden_data();
    static void LossStatistics_notANumber_isNeverHidden();
    static void LossStatistics_noTower_isRefused();
};

void TestLossStatistics::LossStatistics_fourTowers_matchHandCount()
{
    const auto statistics = statisticsOf({2.0, 9.0, 1.0, 8.0}); // 20 / 4
    QCOMPARE(statistics.mean, 5.0);
    QCOMPARE(statistics.last, 8.0);
}

// 1e16 + 1 rounds back to 1e16, so only one order of these gives 0 and the other 1/3.
void TestLossStatistics::LossStatistics_mean_isSummedInTowerOrder()
{
    QCOMPARE(statisticsOf({1e16, 1.0, -1e16}).mean, 0.0);
    QCOMPARE(statisticsOf({1e16, -1e16, 1.0}).mean, 1.0 / 3.0);
}

void TestLossStatistics::LossStatistics_oneTower_isItsOwnMean()
{
    const auto statistics = statisticsOf({2.5});
    QCOMPARE(statistics.mean, 2.5);
    QCOMPARE(statistics.last, 2.5);
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
    const auto statistics = statisticsOf(losses);
    QVERIFY(std::isnan(statistics.mean));
    QCOMPARE(std::isnan(statistics.last), badTower == 2);
}

void TestLossStatistics::LossStatistics_noTower_isRefused()
{
    QVERIFY_THROWS_EXCEPTION(Error, lossStatistics({}));
}

LOCKSTEP_TEST(TestLossStatistics)
#include "test_loss_statistics.moc"
