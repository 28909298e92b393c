// SPDX-License-Identifier: Apache-2.0
#include "session/step/rows/input_idle.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

/// A device that computes 10 ms a step, in blocks of so many, and a host that needs `perBatch` for
/// each batch. It begins to wait for a block as soon as the block before it is on its way.
double idleShare(int stepsOfABlock, double perBatch)
{
    constexpr double kStep = 0.01;
    constexpr int kBlocks = 100;
    InputIdle input;
    double hostTime = 0.0;
    double deviceTime = 0.0; // the end of what it has to do
    double idle = 0.0;
    for (int i = 0; i < kBlocks; ++i) {
        // The host runs at most one block ahead.
        hostTime = std::max(hostTime, deviceTime - stepsOfABlock * kStep);
        InputIdle::Block block;
        block.waited = stepsOfABlock * perBatch;
        hostTime += block.waited;
        const double begin = std::max(hostTime, deviceTime);
        block.firstStep = begin + kStep - deviceTime;
        block.others = stepsOfABlock - 1;
        block.otherSteps = block.others * kStep;
        block.isAfterIdle = i == 0;
        deviceTime = begin + stepsOfABlock * kStep;
        idle += input.add(block);
    }
    return idle / deviceTime;
}

} // namespace

class TestInputIdle : public QObject
{
    Q_OBJECT
private slots:
    static void Share_table_data();
    static void Share_table();
    static void LongSteps_whoseBatchOnceWasThere_areKnown();
};

void TestInputIdle::Share_table_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<double>("perBatch");
    QTest::addColumn<double>("share");
    // In time: the host waits most of the time, and the device never except for the first block.
    QTest::newRow("short steps, in time") << 8 << 0.009 << 0.009 / 1.009;
    QTest::newRow("short steps, at once") << 8 << 0.0 << 0.0;
    // Twice as slow as the device: it stands still half of the time.
    QTest::newRow("short steps, too slow") << 8 << 0.02 << 0.505;
}

void TestInputIdle::Share_table()
{
    QFETCH(int, steps);
    QFETCH(double, perBatch);
    QFETCH(double, share);
    const double found = idleShare(steps, perBatch);
    QVERIFY2(std::abs(found - share) < 0.01, qPrintable(QString::number(found)));
}

// A block of one step: how long a step takes without waiting is known from one that did not wait.
void TestInputIdle::LongSteps_whoseBatchOnceWasThere_areKnown()
{
    InputIdle input;
    QCOMPARE(input.add({0.03, 0.08, 0.0, 0, true}), 0.03);  // before the device had anything to do
    QCOMPARE(input.add({0.03, 0.05, 0.0, 0, false}), 0.03); // nothing is known yet
    QCOMPARE(input.add({0.0, 0.05, 0.0, 0, false}), 0.0);   // the batch was there
    QCOMPARE(input.add({0.03, 0.05, 0.0, 0, false}), 0.0);  // came while the device computed
    QCOMPARE(input.add({0.07, 0.0625, 0.0, 0, false}), 0.0125); // the device waited for the rest
}

LOCKSTEP_TEST(TestInputIdle)
#include "test_input_idle.moc"
