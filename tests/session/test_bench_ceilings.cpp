// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"
#include "device/registry/host_ceilings.h"
#include "session/bench/bench_floor.h"
#include "support/lockstep_test.h"

using namespace lockstep;

class TestBenchCeilings : public QObject
{
    Q_OBJECT

private slots:
    void RateRange_severalRates_keepsLowestAndHighest();
    void RateRange_nothingMeasured_addsNothing();
    void HostCeilings_measuredTwice_spanBoth();
    void measureHostCeilings_oneThread_givesRates();
    void measureHostCeilings_moreThreadsThanProcessors_usesProcessors();
    void ceilingsOf_measured_areTheHighest();
    void ceilingsOf_noBfloat16_leavesItOut();
};

void TestBenchCeilings::RateRange_severalRates_keepsLowestAndHighest()
{
    RateRange range;
    for (const double rate : {3.0, 2.0, 5.0, 4.0}) {
        range.add(rate);
    }
    QCOMPARE(range.minimum, 2.0);
    QCOMPARE(range.maximum, 5.0);
}

void TestBenchCeilings::RateRange_nothingMeasured_addsNothing()
{
    RateRange range;
    range.add(3.0);
    range.add(RateRange{});
    QCOMPARE(range.minimum, 3.0);
    QCOMPARE(range.maximum, 3.0);
}

void TestBenchCeilings::HostCeilings_measuredTwice_spanBoth()
{
    HostCeilings all;
    all.add({2, {10.0, 20.0}, {}, {3.0, 4.0}});
    all.add({2, {15.0, 25.0}, {}, {1.0, 2.0}});
    QCOMPARE(all.threads, 2);
    QCOMPARE(all.float32.minimum, 10.0);
    QCOMPARE(all.float32.maximum, 25.0);
    QCOMPARE(all.bfloat16.maximum, 0.0);
    QCOMPARE(all.copy.minimum, 1.0);
    QCOMPARE(all.copy.maximum, 4.0);
}

/// Bounds that no machine of this century leaves, however busy: a unit that is off by 1000, work
/// that the compiler left out.
void TestBenchCeilings::measureHostCeilings_oneThread_givesRates()
{
    const HostCeilings one = measureHostCeilings(1);
    QCOMPARE(one.threads, 1);
    QVERIFY(one.float32.minimum > 1e7);
    QVERIFY(one.float32.maximum >= one.float32.minimum);
    QVERIFY(one.float32.maximum < 1e12);
    QVERIFY(one.copy.minimum > 1e6);
    QVERIFY(one.copy.maximum >= one.copy.minimum);
    QVERIFY(one.copy.maximum < 1e12);
    QVERIFY(one.bfloat16.maximum >= one.bfloat16.minimum);
    QVERIFY(one.bfloat16.maximum < 1e14);
}

void TestBenchCeilings::measureHostCeilings_moreThreadsThanProcessors_usesProcessors()
{
    QCOMPARE(measureHostCeilings(100'000).threads, ThreadTeam::processors());
}

void TestBenchCeilings::ceilingsOf_measured_areTheHighest()
{
    const DeviceCeilings ceilings = ceilingsOf({2, {1e11, 2e11}, {3e11, 4e11}, {2e10, 3e10}});
    QCOMPARE(ceilings.flopPerSecond.at(Precision::Float32), 2e11);
    QCOMPARE(ceilings.flopPerSecond.at(Precision::Bfloat16), 4e11);
    QCOMPARE(ceilings.bytesPerSecond, 3e10);
}

void TestBenchCeilings::ceilingsOf_noBfloat16_leavesItOut()
{
    const DeviceCeilings ceilings = ceilingsOf({2, {1e11, 2e11}, {}, {2e10, 3e10}});
    QVERIFY(!ceilings.flopPerSecond.contains(Precision::Bfloat16));
}

LOCKSTEP_TEST(TestBenchCeilings)
#include "test_bench_ceilings.moc"
