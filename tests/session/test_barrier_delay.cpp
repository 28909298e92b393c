// SPDX-License-Identifier: Apache-2.0
#include "metrics/barrier_clock.h"
#include "session/synthetic_training.h"
#include "session/training/describe_training.h"
#include "session/training/training_session.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lockstep;
using test::trainingSet;

namespace {

constexpr double kDelay = 0.020;

/// 4 towers of 8 examples; where there are fewer processors, they take turns.
RunConfig delayedConfig(double delayMilliseconds, int delayTower)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.device = "cpu";
    config.towers = 4;
    config.batchPerTower = 8;
    config.experiment = {delayMilliseconds, delayTower};
    return config;
}

/// What a step cost because of this tower.
double costOf(const StepRecord& step, int tower)
{
    const Straggler straggler = stragglerOf(step).value();
    return straggler.tower == tower ? straggler.costSeconds : 0.0;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

/// The barrier clock of real trainings in which one tower is put to sleep.
class TestBarrierDelay : public QObject
{
    Q_OBJECT

private slots:
    void Delay_ofATower_isFoundByTheClock_data();
    void Delay_ofATower_isFoundByTheClock();
    void Delay_anyTower_changesNoBit();
    void Delay_isDescribedAndKept();
    void Delay_outOfRange_isRefused();
};

void TestBarrierDelay::Delay_ofATower_isFoundByTheClock_data()
{
    QTest::addColumn<int>("setting");
    QTest::addColumn<int>("tower");
    QTest::newRow("tower 0, which others may wait behind") << 0 << 0;
    QTest::newRow("tower 1") << 1 << 1;
    QTest::newRow("the last tower") << -1 << 3;
}

// Steps with and without the sleep, in turn, so that both see the same machine.
void TestBarrierDelay::Delay_ofATower_isFoundByTheClock()
{
    QFETCH(int, setting);
    QFETCH(int, tower);
    constexpr int kSteps = 200;
    TrainingSession delayed(delayedConfig(1e3 * kDelay, setting), trainingSet());
    TrainingSession plain(delayedConfig(0.0, setting), trainingSet());
    delayed.step(); // the first ones wait for threads, caches and input
    plain.step();
    BarrierClock clock;
    std::vector<double> differences;
    for (int step = 0; step < kSteps; ++step) {
        const StepRecord with = delayed.step().record;
        clock.add(with);
        differences.push_back(costOf(with, tower) - costOf(plain.step().record, tower));
        delayed.restartClock(); // what the other one did is not part of the next step
        plain.restartClock();
    }
    const double found = median(differences);
    const BarrierSummary summary = clock.summary();
    const auto& share = summary.towers[static_cast<std::size_t>(tower)];
    qInfo(
        "%.3f ms; last in %d of %d steps; %.1f %% of the time", 1e3 * found,
        static_cast<int>(share.stepsLast), kSteps, 100.0 * share.costShare);
    QVERIFY2(std::abs(found - kDelay) <= 0.1 * kDelay, qPrintable(QString::number(found)));
    QVERIFY(static_cast<double>(share.stepsLast) >= 0.95 * kSteps);
    QCOMPARE(clearStraggler(summary, 0.01), std::optional(tower));
    // The others work for a moment of 20 ms: nearly all of the time goes by in the sleep.
    QVERIFY(share.costShare > 0.5 && share.costShare < 1.0);
}

void TestBarrierDelay::Delay_anyTower_changesNoBit()
{
    TrainingSession plain(delayedConfig(0.0, -1), trainingSet());
    TrainingSession delayed(delayedConfig(1.0, 2), trainingSet());
    for (int step = 0; step < 5; ++step) {
        QCOMPARE(delayed.step().record.lossMean, plain.step().record.lossMean);
    }
    QVERIFY(delayed.capture().weights == plain.capture().weights);
}

void TestBarrierDelay::Delay_isDescribedAndKept()
{
    const TrainingSession session(delayedConfig(2.5, -1), trainingSet());
    const auto lines = describe(session.plan(), session.stepper());
    QVERIFY(std::ranges::any_of(lines, [](const std::string& line) {
        return line == "experiment: tower 3 sleeps 2.5 ms in every backward pass";
    }));
    RunConfig read;
    parseConfig(read, session.capture().configuration, "checkpoint");
    QCOMPARE(read.experiment.delayMilliseconds, 2.5);
    QCOMPARE(read.experiment.delayTower, -1);
    const TrainingSession plain(delayedConfig(0.0, -1), trainingSet());
    QVERIFY(
        std::ranges::none_of(describe(plain.plan(), plain.stepper()), [](const std::string& line) {
            return line.starts_with("experiment");
        }));
}

void TestBarrierDelay::Delay_outOfRange_isRefused()
{
    for (const auto& [milliseconds, tower, key] :
         {std::tuple(-1.0, 0, "experiment.delay_ms"), std::tuple(1e6, 0, "experiment.delay_ms"),
          std::tuple(std::nan(""), 0, "experiment.delay_ms"),
          std::tuple(1.0, 4, "experiment.delay_tower"),
          std::tuple(1.0, -2, "experiment.delay_tower")}) {
        QVERIFY(test::tells(
            test::errorOf([milliseconds = milliseconds, tower = tower] {
                delayedConfig(milliseconds, tower).validate();
            }),
            ErrorCode::BadInput, key));
    }
}

LOCKSTEP_TEST(TestBarrierDelay)
#include "test_barrier_delay.moc"
