// SPDX-License-Identifier: Apache-2.0
#include "metrics/barrier_clock.h"
#include "support/lockstep_test.h"

#include <cmath>
#include <random>

using namespace lockstep;

namespace {

constexpr double kMilli = 1e-3;

/// When a tower began and how long it copied, computed forward and backward, in milliseconds.
TowerRecord tower(double start, double copy, double forward, double backward)
{
    TowerRecord record;
    record.startSeconds = kMilli * start;
    record.copySeconds = kMilli * copy;
    record.forwardSeconds = kMilli * forward;
    record.backwardSeconds = kMilli * backward;
    return record;
}

/// A tower that only computes.
TowerRecord tower(double start, double work)
{
    return tower(start, 0.0, 0.25 * work, 0.75 * work);
}

/// A step that waits 2 ms for data and takes 3 ms from the last arrival on.
StepRecord stepOf(std::vector<TowerRecord> towers)
{
    StepRecord step;
    step.inputSeconds = 2 * kMilli;
    step.computeSeconds = 0.0;
    for (const TowerRecord& one : towers) {
        step.computeSeconds =
            std::max(step.computeSeconds, arrivalSeconds(one).value_or(step.computeSeconds));
    }
    step.averagingSeconds = 2 * kMilli;
    step.updateSeconds = 1 * kMilli;
    step.stepSeconds = step.inputSeconds + step.computeSeconds + 3 * kMilli;
    step.towers = std::move(towers);
    return step;
}

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 + 1e-9 * std::abs(expected);
}

} // namespace

class TestBarrierClock : public QObject
{
    Q_OBJECT

private slots:
    void Record_phases_addUpToArrivalAndWaiting();
    void Record_unknownPhase_makesItsSumsUnknown();
    void Straggler_amongTowersOfTheirOwn_costsItsLeadOverTheSecond();
    void Straggler_thatBeganLate_costsNothing();
    void Straggler_ofTwoEquallySlow_costsNothing();
    void Straggler_firstOfAQueue_isNamedAndNotTheLast();
    void Straggler_ofEqualTurns_costsNothing();
    void Straggler_inAQueue_costsNoMoreThanTheOtherQueueIsBehind();
    void Straggler_onAccelerators_isHeldAgainstTheOthers();
    void Straggler_ofOneTowerOrUnknownPhases_isNone();
    void Straggler_namesThePhaseInWhichItLost();
    void Clock_overAWindow_hasItsMeansAndShares();
    void Clock_rolling_equalsAClockOfTheWindowAlone();
    void Clock_otherTowers_beginAnew();
    void ClearStraggler_ofChance_isNone();
    void Clock_unknownSteps_areLeftOut();
};

void TestBarrierClock::Record_phases_addUpToArrivalAndWaiting()
{
    const StepRecord step = stepOf({tower(1, 2, 4, 8), tower(0, 1, 1, 18)});
    QVERIFY(isNear(workSeconds(step.towers[0]).value(), 14 * kMilli));
    QVERIFY(isNear(arrivalSeconds(step.towers[0]).value(), 15 * kMilli));
    QVERIFY(isNear(waitingSeconds(step, step.towers[0]).value(), 5 * kMilli));
    QVERIFY(isNear(waitingSeconds(step, step.towers[1]).value(), 0.0));
}

void TestBarrierClock::Record_unknownPhase_makesItsSumsUnknown()
{
    for (double TowerRecord::*phase :
         {&TowerRecord::copySeconds, &TowerRecord::forwardSeconds, &TowerRecord::backwardSeconds}) {
        StepRecord step = stepOf({tower(1, 2, 4, 8)});
        step.towers[0].*phase = -1.0;
        QVERIFY(!workSeconds(step.towers[0]));
        QVERIFY(!arrivalSeconds(step.towers[0]));
        QVERIFY(!waitingSeconds(step, step.towers[0]));
    }
    StepRecord step = stepOf({tower(1, 2, 4, 8)});
    step.towers[0].startSeconds = -1.0;
    QVERIFY(workSeconds(step.towers[0]));
    QVERIFY(!arrivalSeconds(step.towers[0]));
    step = stepOf({tower(1, 2, 4, 8)});
    step.computeSeconds = -1.0;
    QVERIFY(!waitingSeconds(step, step.towers[0]));
}

// As quick as the others, it would have arrived at 10 ms; but one of them arrives at 11 ms.
void TestBarrierClock::Straggler_amongTowersOfTheirOwn_costsItsLeadOverTheSecond()
{
    const auto straggler =
        stragglerOf(stepOf({tower(0, 10), tower(0, 11), tower(0, 18), tower(0, 9)}));
    QCOMPARE(straggler->tower, 2);
    QVERIFY(isNear(straggler->costSeconds, 7 * kMilli));
}

// It came last because its thread was given a processor late, not because it was slow.
void TestBarrierClock::Straggler_thatBeganLate_costsNothing()
{
    const auto straggler = stragglerOf(stepOf({tower(0, 10), tower(6, 10), tower(0, 10)}));
    QCOMPARE(straggler->tower, 1);
    QCOMPARE(straggler->costSeconds, 0.0);
}

void TestBarrierClock::Straggler_ofTwoEquallySlow_costsNothing()
{
    const auto straggler = stragglerOf(stepOf({tower(0, 5), tower(0, 20), tower(0, 20)}));
    QVERIFY(straggler->tower > 0);
    QCOMPARE(straggler->costSeconds, 0.0);
}

// Two threads: 0 then 2, 1 then 3. Tower 0 sleeps; tower 2, right behind it, arrives last.
void TestBarrierClock::Straggler_firstOfAQueue_isNamedAndNotTheLast()
{
    const auto straggler =
        stragglerOf(stepOf({tower(0, 25), tower(0, 5), tower(25.0005, 5), tower(5.0004, 5)}));
    QCOMPARE(straggler->tower, 0);
    QVERIFY(std::abs(straggler->costSeconds - 20 * kMilli) < 0.01 * kMilli);
}

void TestBarrierClock::Straggler_ofEqualTurns_costsNothing()
{
    const auto straggler =
        stragglerOf(stepOf({tower(0, 5), tower(0, 5), tower(5.0001, 5), tower(5.0002, 5)}));
    QVERIFY(straggler->costSeconds < 1e-9);
}

// Tower 0 works 20 ms longer than the others, but without that the other thread would be the last
// one, 4 ms earlier.
void TestBarrierClock::Straggler_inAQueue_costsNoMoreThanTheOtherQueueIsBehind()
{
    const auto straggler = stragglerOf(
        stepOf({tower(0, 25), tower(0, 5), tower(25.001, 5), tower(5.001, 5), tower(10.002, 16)}));
    QCOMPARE(straggler->tower, 0);
    QVERIFY(std::abs(straggler->costSeconds - 4 * kMilli) < 0.01 * kMilli);
}

// Four towers on one accelerator, on two, on four; what is done beside others is no waiting.
void TestBarrierClock::Straggler_onAccelerators_isHeldAgainstTheOthers()
{
    struct Case
    {
        std::vector<double> works;
        std::vector<std::string> places;
        int tower;
        double cost;
        std::vector<double> waits;
    };
    const std::vector<std::string> one(4, "cuda:0");
    const std::vector<std::string> two{"cuda:1", "cuda:1", "cuda:0", "cuda:0"};
    const std::vector<std::string> four{"rank0@a:cuda:0", "rank0@a:cuda:1", "rank1@a:cuda:0", "b"};
    for (const auto& [works, places, tower, cost, waits] : std::vector<Case>{
             {{10, 11, 30, 9}, one, 2, 19, {0, 0, 0, 0}},
             {{10, 11, 30, 9}, two, 2, 19, {19, 19, 0, 0}},
             {{10, 11, 30, 9}, four, 2, 19, {20, 19, 0, 21}},
             {{10, 10, 30, 31}, two, 3, 21, {21, 21, 0, 0}}}) { // a slow one: both its towers
        StepRecord step = stepOf({});
        const std::vector<int> devices = deviceNumbers(places);
        for (std::size_t i = 0; i < works.size(); ++i) {
            step.towers.push_back(::tower(0, works[i]));
            step.towers.back().device = devices[i];
            step.computeSeconds = std::max(step.computeSeconds, kMilli * works[i]);
        }
        QCOMPARE(stragglerOf(step)->tower, tower);
        QVERIFY(isNear(stragglerOf(step)->costSeconds, cost * kMilli));
        for (std::size_t i = 0; i < works.size(); ++i) {
            QVERIFY(isNear(*waitingSeconds(step, step.towers[i]), waits[i] * kMilli));
            QVERIFY(isNear(
                *arrivalSeconds(step.towers[i]) + *sharedSeconds(step, step.towers[i])
                    + waits[i] * kMilli,
                step.computeSeconds));
        }
    }
    QCOMPARE(deviceNumbers({"cpu", "rank1@a:cpu"}), std::vector({-1, -1}));
}

void TestBarrierClock::Straggler_ofOneTowerOrUnknownPhases_isNone()
{
    QVERIFY(!stragglerOf(stepOf({tower(0, 5)})));
    StepRecord step = stepOf({tower(0, 5), tower(0, 6)});
    step.towers[1].forwardSeconds = -1.0;
    QVERIFY(!stragglerOf(step));
    step = stepOf({tower(0, 5), tower(0, 6)});
    step.computeSeconds = -1.0;
    QVERIFY(!stragglerOf(step));
}

// Three steps of 15 ms and one of 25 ms: in that one tower 1 is 10 ms behind.
void TestBarrierClock::Straggler_namesThePhaseInWhichItLost()
{
    const auto inPhase = [](double copy, double forward, double backward) {
        return stepOf(
            {tower(0, 1, 10, 20), tower(0, 1 + copy, 10 + forward, 20 + backward),
             tower(0, 1, 12, 18), tower(0, 1, 9, 22)});
    };
    BarrierClock clock;
    for (const auto& [step, phase] :
         {std::pair(inPhase(20, 0, 0), WorkPhase::Copy),
          {inPhase(1, 21, 3), WorkPhase::Forward},
          {inPhase(0, 0, 20), WorkPhase::Backward}}) {
        const Straggler found = stragglerOf(step).value();
        QCOMPARE(found.tower, 1);
        QCOMPARE(found.phase(), phase);
        const double excess = found.excessSeconds[static_cast<std::size_t>(phase)];
        QVERIFY(isNear(excess, (phase == WorkPhase::Forward ? 21 : 20) * kMilli));
        clock.add(step);
    }
    const TowerBarrierShare share = clock.summary().towers[1];
    QCOMPARE(share.stepsLast, 3);
    QVERIFY(isNear(share.excessSeconds[0], 7 * kMilli)); // (20 + 1 + 0) / 3
    QVERIFY(isNear(share.excessSeconds[1], 7 * kMilli));
    QVERIFY(isNear(share.excessSeconds[2], 23.0 / 3.0 * kMilli));
    QCOMPARE(share.phase(), WorkPhase::Backward);
    QCOMPARE(clock.summary().towers[0].excessSeconds[2], 0.0);
}

void TestBarrierClock::Clock_overAWindow_hasItsMeansAndShares()
{
    BarrierClock clock;
    QCOMPARE(clock.summary().steps, 0);
    for (int step = 0; step < 3; ++step) {
        clock.add(stepOf({tower(0, 10), tower(0, 8), tower(0, 8)}));
    }
    clock.add(stepOf({tower(0, 10), tower(0, 20), tower(2, 8)}));
    const BarrierSummary summary = clock.summary();
    QCOMPARE(summary.steps, 4);
    QVERIFY(isNear(summary.stepSeconds, 17.5 * kMilli));
    QVERIFY(isNear(summary.inputSeconds, 2 * kMilli));
    QVERIFY(isNear(summary.spreadSeconds, (3 * 2 + 10) / 4.0 * kMilli));
    QCOMPARE(summary.towers[0].stepsLast, 3);
    QCOMPARE(summary.towers[1].stepsLast, 1);
    QCOMPARE(summary.towers[2].stepsLast, 0);
    QVERIFY(isNear(summary.towers[0].costSeconds, 1.5 * kMilli)); // 2 ms in three steps of four
    QVERIFY(isNear(summary.towers[1].costSeconds, 2.5 * kMilli));
    QVERIFY(isNear(summary.towers[1].costShare, 10.0 / 70.0));
    QVERIFY(isNear(summary.towers[0].waitingSeconds, 2.5 * kMilli));
    QVERIFY(isNear(summary.towers[1].waitingSeconds, 1.5 * kMilli));
    QVERIFY(isNear(summary.towers[2].turnSeconds, 0.5 * kMilli));
    // Three quarters of the work are backward; from outside every tower's lasts until the mean is
    // there, 2 ms after the last arrival: 7.5 + 2, 6 + 4, …
    QVERIFY(isNear(summary.towers[0].backwardSeconds, 7.5 * kMilli));
    QVERIFY(isNear(summary.towers[1].backwardSeconds, (3 * 6 + 15) / 4.0 * kMilli));
    QVERIFY(isNear(summary.towers[0].outsideSeconds, (3 * 9.5 + 19.5) / 4.0 * kMilli));
    QVERIFY(isNear(summary.towers[1].outsideSeconds, (3 * 10 + 17) / 4.0 * kMilli));
}

// After a million steps too: no error adds up.
void TestBarrierClock::Clock_rolling_equalsAClockOfTheWindowAlone()
{
    constexpr int kWindow = 100;
    constexpr int kSteps = 100'050;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> work(0.001, 1000.0);
    BarrierClock rolling(kWindow);
    BarrierClock fresh(kWindow);
    for (int step = 0; step < kSteps; ++step) {
        const StepRecord record =
            stepOf({tower(0, work(random)), tower(0, work(random)), tower(0, work(random))});
        rolling.add(record);
        if (step >= kSteps - kWindow) {
            fresh.add(record);
        }
    }
    const BarrierSummary a = rolling.summary();
    const BarrierSummary b = fresh.summary();
    QCOMPARE(a.steps, kWindow);
    QCOMPARE(b.steps, kWindow);
    QVERIFY(
        a.stepSeconds == b.stepSeconds && a.inputSeconds == b.inputSeconds
        && a.spreadSeconds == b.spreadSeconds);
    for (std::size_t i = 0; i < 3; ++i) {
        QCOMPARE(a.towers[i].stepsLast, b.towers[i].stepsLast);
        QVERIFY(
            a.towers[i].costShare == b.towers[i].costShare
            && a.towers[i].waitingSeconds == b.towers[i].waitingSeconds);
    }
}

void TestBarrierClock::Clock_otherTowers_beginAnew()
{
    BarrierClock clock;
    clock.add(stepOf({tower(0, 10), tower(0, 20)}));
    clock.add(stepOf({tower(0, 10), tower(0, 10), tower(0, 30)}));
    QCOMPARE(clock.summary().steps, 1);
    QCOMPARE(clock.summary().towers.size(), 3U);
    QCOMPARE(clock.summary().towers[2].stepsLast, 1);
    clock.clear();
    QCOMPARE(clock.summary().steps, 0);
}

// Of 1000 steps of two towers chance takes 500 +- 3 * 15.8.
void TestBarrierClock::ClearStraggler_ofChance_isNone()
{
    const auto summaryOf = [](std::int64_t first, double costShare) {
        BarrierSummary summary;
        summary.steps = 1000;
        summary.towers.resize(2);
        summary.towers[0].stepsLast = first;
        summary.towers[1].stepsLast = 1000 - first;
        summary.towers[0].costShare = costShare;
        summary.towers[1].costShare = 0.039; // the costliest may be chance, too
        return summary;
    };
    QVERIFY(!clearStraggler(summaryOf(510, 0.039), 0.01));
    QVERIFY(!clearStraggler(summaryOf(547, 0.02), 0.01));
    QCOMPARE(clearStraggler(summaryOf(548, 0.02), 0.01), std::optional(0));
    QVERIFY(!clearStraggler(summaryOf(548, 0.009), 0.01)); // not worth a word
    QCOMPARE(clearStraggler(summaryOf(400, 0.02), 0.01), std::optional(1));
}

void TestBarrierClock::Clock_unknownSteps_areLeftOut()
{
    BarrierClock clock;
    clock.add(stepOf({tower(0, 10), tower(0, 20)}));
    clock.add(stepOf({TowerRecord(), TowerRecord()}));
    QCOMPARE(clock.summary().steps, 1);
}

LOCKSTEP_TEST(TestBarrierClock)
#include "test_barrier_clock.moc"
