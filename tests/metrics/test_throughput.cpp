// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "metrics/evaluation_record.h"
#include "metrics/throughput.h"
#include "support/lockstep_test.h"

using namespace lockstep;

namespace {

/// Of two towers with as many examples each.
StepRecord step(std::int64_t examples, double seconds)
{
    StepRecord record;
    record.towers.resize(2);
    record.towers[0].examples = record.towers[1].examples = examples / 2;
    record.stepSeconds = seconds;
    return record;
}

} // namespace

class TestThroughput : public QObject
{
    Q_OBJECT
private slots:
    static void Rates_ofOneStep_matchTheirDefinition();
    static void Rates_withoutTimeOrTowers_areSafe();
    static void Throughput_warmUp_isLeftOut();
    static void Throughput_window_forgetsOldSteps();
    static void Throughput_unequalSteps_isExamplesOverSeconds();
    static void Throughput_ofTowers_addsUpToThatOfAll();
    static void WeightsKind_hasTheWordsOfTheCommands();
};

// 4 towers x 128 examples in 0.25 s: 2048 examples/s; 0.0625 s per tower batch.
void TestThroughput::Rates_ofOneStep_matchTheirDefinition()
{
    QCOMPARE(examplesPerSecond(512, 0.25), 2048.0);
    QCOMPARE(secondsPerBatch(0.25, 4), 0.0625);
}

void TestThroughput::Rates_withoutTimeOrTowers_areSafe()
{
    QCOMPARE(examplesPerSecond(512, 0.0), 0.0);
    QVERIFY_THROWS_EXCEPTION(Error, secondsPerBatch(1.0, 0));
    QVERIFY_THROWS_EXCEPTION(Error, Throughput(0));
}

void TestThroughput::Throughput_warmUp_isLeftOut()
{
    Throughput throughput(10, 2);
    throughput.add(step(100, 50.0));
    throughput.add(step(100, 20.0));
    QVERIFY(!throughput.rate().has_value());
    QVERIFY(!throughput.secondsFor(5).has_value());
    throughput.add(step(100, 0.5));
    QCOMPARE(*throughput.rate(), 200.0);
    QCOMPARE(*throughput.secondsFor(8), 4.0);
}

void TestThroughput::Throughput_window_forgetsOldSteps()
{
    Throughput throughput(2, 0);
    throughput.add(step(100, 100.0));
    throughput.add(step(100, 1.0));
    throughput.add(step(100, 3.0));
    QCOMPARE(*throughput.rate(), 50.0);
    QCOMPARE(*throughput.secondsFor(10), 20.0);
}

// Not the mean of the rates (100 and 25), but all examples over all seconds.
void TestThroughput::Throughput_unequalSteps_isExamplesOverSeconds()
{
    Throughput throughput(5, 0);
    throughput.add(step(100, 1.0));
    throughput.add(step(100, 4.0));
    QCOMPARE(*throughput.rate(), 40.0);
}

void TestThroughput::Throughput_ofTowers_addsUpToThatOfAll()
{
    Throughput throughput(5, 0);
    QVERIFY(throughput.towerRates().empty());
    throughput.add(step(100, 1.0));
    StepRecord uneven = step(100, 4.0);
    uneven.towers[0].examples = 90; // the other one has ended
    uneven.towers[1].examples = 0;
    throughput.add(uneven);
    const std::vector<double> rates = throughput.towerRates();
    QCOMPARE(rates, (std::vector<double>{140.0 / 5.0, 50.0 / 5.0}));
    QCOMPARE(*throughput.rate(), rates[0] + rates[1]);
    Throughput untold(5, 0);
    untold.add(step(0, 1.0)); // nobody knows how many there were
    QVERIFY(!untold.rate() && untold.towerRates().empty());
}

void TestThroughput::WeightsKind_hasTheWordsOfTheCommands()
{
    QCOMPARE(toString(WeightsKind::Raw), std::string_view("raw"));
    QCOMPARE(toString(WeightsKind::Average), std::string_view("average"));
}

LOCKSTEP_TEST(TestThroughput)
#include "test_throughput.moc"
