// SPDX-License-Identifier: Apache-2.0
// Golden values: reference-systems.md, section G.
#include "support/lockstep_test.h"
#include "update/moving_average.h"

#include <cmath>

using namespace lockstep;

class TestMovingAverage : public QObject
{
    Q_OBJECT

private slots:
    void Decay_isTheGoldenValue_data()
    {
        QTest::addColumn<qint64>("step");
        QTest::addColumn<double>("decay");
        QTest::newRow("0") << qint64{0} << 0.1;
        QTest::newRow("1") << qint64{1} << 2.0 / 11.0;
        QTest::newRow("9") << qint64{9} << 10.0 / 19.0;
        QTest::newRow("90") << qint64{90} << 0.91;
        QTest::newRow("990") << qint64{990} << 0.991;
        QTest::newRow("9990") << qint64{9990} << 0.9991;
        QTest::newRow("the last one below the cap") << qint64{89989} << 89990.0 / 89999.0;
        QTest::newRow("the cap") << qint64{89990} << 0.9999;
        QTest::newRow("long after") << qint64{10000000} << 0.9999;
    }

    void Decay_isTheGoldenValue()
    {
        QFETCH(qint64, step);
        QFETCH(double, decay);
        QVERIFY(std::abs(movingAverageDecay(0.9999, step) - decay) < 1e-12);
    }

    void Decay_neverExceedsWhatWasAsked()
    {
        QCOMPARE(movingAverageDecay(0.0, 1000), 0.0);
        QCOMPARE(movingAverageDecay(0.5, 1000), 0.5);
    }
};

LOCKSTEP_TEST(TestMovingAverage)
#include "test_moving_average.moc"
