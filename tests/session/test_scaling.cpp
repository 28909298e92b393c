// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/thread_team.h"
#include "session/bench/scaling_run.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <chrono>
#include <cmath>
#include <thread>

using namespace lockstep;
using lockstep::test::failureOf;

namespace {

void sleepFor(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// A tower that arrived so many seconds after the batch was there.
void setArrival(TowerRecord& tower, double seconds)
{
    tower.startSeconds = 0.0;
    tower.copySeconds = 0.0;
    tower.forwardSeconds = seconds / 3.0;
    tower.backwardSeconds = seconds - tower.forwardSeconds;
}

/// Towers that sleep instead of computing, each on a thread of its own.
struct SleepingTowers
{
    double parallel = 0.0; ///< seconds of every tower, all at once
    double serial = 0.0; ///< seconds for every tower, one after the other, while they are averaged
    double straggler = 0.0; ///< seconds that the last tower takes longer, where there are several

    ScalingTurn operator()(
        int towers, double seconds, const std::function<bool(double)>& progress) const
    {
        ThreadTeam threads("sleeper", towers, false);
        std::vector<ScalingPhases> steps;
        for (const Stopwatch watch; watch.seconds() < seconds;) {
            steps.push_back(phasesOf(step(threads)));
            if (!progress(watch.seconds() / seconds)) {
                fail(ErrorCode::Cancelled, "cancelled");
            }
        }
        return {towers, std::ssize(steps), false, meanPhases(steps, false)};
    }

private:
    [[nodiscard]] StepRecord step(ThreadTeam& threads) const
    {
        const int towers = threads.size();
        StepRecord record;
        record.towers.resize(static_cast<std::size_t>(towers));
        const Stopwatch whole;
        Stopwatch phase;
        threads.run([&](int tower) {
            const Stopwatch own;
            sleepFor(parallel + (towers > 1 && tower == towers - 1 ? straggler : 0.0));
            setArrival(record.towers[static_cast<std::size_t>(tower)], own.seconds());
        });
        record.computeSeconds = phase.restart();
        sleepFor(serial * towers);
        record.averagingSeconds = phase.restart();
        record.updateSeconds = phase.restart();
        record.stepSeconds = whole.seconds();
        return record;
    }
};

/// A trial without clocks: what a step of so many towers takes is given.
ScalingTrial givenPhases(
    const std::function<ScalingPhases(int)>& phases, std::int64_t batchPerTower)
{
    return [=](int towers, double, const std::function<bool(double)>&) {
        return ScalingTurn{towers * batchPerTower, 10, false, phases(towers)};
    };
}

double sumOf(const ScalingLoss& loss)
{
    return loss.input + loss.averaging.value_or(0.0) + loss.update.value_or(0.0)
           + loss.waiting.value_or(0.0) + loss.rest;
}

bool isNear(double value, double expected, double tolerance)
{
    return std::abs(value - expected) <= tolerance;
}

ScalingLine measuredLine(int towers, double speedUp, bool sharesDevices = false)
{
    ScalingLine line;
    line.towers = towers;
    line.speedUp = speedUp;
    line.turn.sharesDevices = sharesDevices;
    return line;
}

RunConfig scalingConfig()
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.device = "cpu";
    config.batchPerTower = 8;
    return config;
}

} // namespace

class TestScaling : public QObject
{
    Q_OBJECT

private slots:
    void SleepingTowers_withSerialPart_followAmdahl();
    void SleepingTowers_withStraggler_loseItToWaiting();
    void Losses_ofGivenPhases_areThoseByHand();
    void Losses_ofGlobalBatch_countTheFairPart();
    void Losses_notTold_areInTheRest();
    void Turns_goUpAndDownAndTheMiddleOneCounts();
    void Failure_ofManyTowers_isALine();
    void Failure_ofOneTower_isThrown();
    void Watcher_sayingNo_cancelsAtOnce();
    void Plan_impossible_isRefused_data();
    void Plan_impossible_isRefused();
    void SerialShare_ofAmdahlsCurve_isFoundAgain();
    void SerialShare_ofFewerThanThreePoints_isNotToldByOne();
    void Noise_ofTurns_coversPartsBelowNothing();
    void Phases_ofStrayingSteps_areThoseOfTheMiddle();
    void Training_small_hasConsistentFigures();
    void Training_globalBatch_isKept();
    void Training_globalBatch_leavesOutTowersThatItDoesNotFit();
    void Training_globalBatchThatFitsNone_isRefused();
};

void TestScaling::SleepingTowers_withSerialPart_followAmdahl()
{
    const SleepingTowers towers{.parallel = 0.090, .serial = 0.010};
    const auto lines = measureScaling({{1, 2, 4, 8}, 1.2}, towers);
    QCOMPARE(lines.size(), std::size_t{4});
    for (const ScalingLine& line : lines) {
        const double expected = amdahlSpeedUp(0.1, line.towers);
        QVERIFY2(
            isNear(line.speedUp, expected, 0.05 * expected),
            qPrintable(
                QString("%1 towers: %2, not %3").arg(line.towers).arg(line.speedUp).arg(expected)));
        // All that is lost went into averaging.
        QVERIFY(isNear(sumOf(line.loss), line.loss.total, 1e-9));
        QVERIFY(isNear(*line.loss.averaging, line.loss.total, 0.06 * line.towers));
    }
    QVERIFY2(
        isNear(*serialShare(lines), 0.1, 0.01),
        QByteArray::number(*serialShare(lines)).constData());
}

void TestScaling::SleepingTowers_withStraggler_loseItToWaiting()
{
    const SleepingTowers towers{.parallel = 0.020, .straggler = 0.010};
    const auto lines = measureScaling({{1, 4}, 0.6}, towers);
    const ScalingLoss& loss = lines.back().loss;
    // Three of four towers wait 10 ms in a step of 30 ms; the fourth is 10 ms slower than it was.
    QVERIFY2(isNear(*loss.waiting, 1.0, 0.15), QByteArray::number(*loss.waiting).constData());
    QVERIFY2(isNear(loss.rest, 1.0 / 3.0, 0.15), QByteArray::number(loss.rest).constData());
    QVERIFY(isNear(lines.back().speedUp, 4.0 * 2.0 / 3.0, 0.2));
}

void TestScaling::Losses_ofGivenPhases_areThoseByHand()
{
    // One tower: 10 ms. Four: 16 ms, so that they do the work of 2.5.
    const auto phases = [](int towers) {
        return towers == 1 ? ScalingPhases{0.010, 0.001, 0.0005, 0.0005, 0.0}
                           : ScalingPhases{0.016, 0.003, 0.0015, 0.0005, 0.001};
    };
    const auto lines = measureScaling({{4}, 1.0}, givenPhases(phases, 32));
    QCOMPARE(lines.size(), std::size_t{2}); // one tower comes by itself
    const ScalingLine& four = lines.back();
    QVERIFY(isNear(four.examplesPerSecond, 128 / 0.016, 1e-9));
    QVERIFY(isNear(four.speedUp, 2.5, 1e-12));
    QVERIFY(isNear(four.efficiency, 0.625, 1e-12));
    QVERIFY(isNear(four.loss.total, 1.5, 1e-12));
    QVERIFY(isNear(four.loss.input, 0.5, 1e-12)); // 4 towers x 2 ms in 16 ms
    QVERIFY(isNear(*four.loss.averaging, 0.25, 1e-12));
    QVERIFY(isNear(*four.loss.update, 0.0, 1e-12));
    QVERIFY(isNear(*four.loss.waiting, 0.25, 1e-12));
    QVERIFY(isNear(four.loss.rest, 0.5, 1e-12)); // computing takes 10 ms, not 8
    QVERIFY(isNear(sumOf(lines.front().loss), 0.0, 1e-12));
}

void TestScaling::Losses_ofGlobalBatch_countTheFairPart()
{
    // The same 64 examples: one tower 12 ms, of which 4 ms update; three should take 4 ms, and take
    // 8 ms, because the update takes as long as ever and the rest is shared out.
    const ScalingTrial trial = [](int towers, double, const std::function<bool(double)>&) {
        const double compute = 0.008 / towers;
        return ScalingTurn{64, 10, false, {compute + 0.004, 0.0, 0.0, 0.004, 0.0}};
    };
    const ScalingLine three = measureScaling({{3}, 1.0}, trial).back();
    const double step = 0.008 / 3 + 0.004;
    QVERIFY(isNear(three.speedUp, 0.012 / step, 1e-12));
    QVERIFY(isNear(*three.loss.update, 3 * (0.004 - 0.004 / 3) / step, 1e-12));
    QVERIFY(isNear(*three.loss.update, three.loss.total, 1e-12));
    QVERIFY(isNear(three.loss.rest, 0.0, 1e-12));
}

void TestScaling::Losses_notTold_areInTheRest()
{
    const auto phases = [](int towers) {
        return ScalingPhases{0.010 + 0.001 * towers, 0.0, std::nullopt, std::nullopt, std::nullopt};
    };
    const ScalingLine two = measureScaling({{2}, 1.0}, givenPhases(phases, 8)).back();
    QVERIFY(!two.loss.averaging && !two.loss.update && !two.loss.waiting);
    QVERIFY(isNear(two.loss.rest, two.loss.total, 1e-12));
    QVERIFY(two.loss.total > 0.1);
}

void TestScaling::Turns_goUpAndDownAndTheMiddleOneCounts()
{
    std::vector<int> order;
    const ScalingTrial trial = [&](int towers, double seconds, const std::function<bool(double)>&) {
        order.push_back(towers);
        if (seconds != 1.0) {
            fail(ErrorCode::Internal, "a third of the seconds was to be measured");
        }
        // Everything is ten times slower in the second round.
        const bool isBusy = order.size() > 3 && order.size() <= 6;
        return ScalingTurn{towers * 8, 10, false, {isBusy ? 0.1 : 0.01, 0.0, 0.0, 0.0, 0.0}};
    };
    std::vector<double> shares;
    const auto lines = measureScaling({{3, 2, 2}, 3.0}, trial, [&](double share, int) {
        shares.push_back(share);
        return true;
    });
    QCOMPARE(order, std::vector<int>({1, 2, 3, 3, 2, 1, 1, 2, 3}));
    QVERIFY(std::is_sorted(shares.begin(), shares.end()) && shares.back() < 1.0);
    for (const ScalingLine& line : lines) {
        QVERIFY(isNear(line.efficiency, 1.0, 1e-12));
        QVERIFY(isNear(line.least, 0.1 * line.greatest, 1e-9));
        QCOMPARE(line.examplesPerSecond, line.greatest);
    }
}

void TestScaling::Failure_ofManyTowers_isALine()
{
    const ScalingTrial trial = [](int towers, double, const std::function<bool(double)>&) {
        if (towers == 4) {
            fail(ErrorCode::OutOfMemory, "no memory for 4");
        }
        return ScalingTurn{towers, 10, false, {0.01, 0.0, 0.0, 0.0, 0.0}};
    };
    const auto lines = measureScaling({{2, 4}, 1.0}, trial);
    QCOMPARE(lines.size(), std::size_t{3});
    QCOMPARE(lines[2].failure, std::string("no memory for 4"));
    QVERIFY(lines[1].failure.empty() && isNear(lines[1].speedUp, 2.0, 1e-12));
    QVERIFY(!serialShare(lines)); // two points fit any law
}

void TestScaling::Failure_ofOneTower_isThrown()
{
    const ScalingTrial trial = [](int, double, const std::function<bool(double)>&) -> ScalingTurn {
        fail(ErrorCode::Device, "no device");
    };
    QCOMPARE(failureOf([&] { measureScaling({{2}, 1.0}, trial); }), QString("no device"));
}

void TestScaling::Watcher_sayingNo_cancelsAtOnce()
{
    int turns = 0;
    const ScalingTrial trial = [&](int towers, double, const std::function<bool(double)>&) {
        ++turns;
        return ScalingTurn{towers, 10, false, {0.01, 0.0, 0.0, 0.0, 0.0}};
    };
    try {
        measureScaling({{2}, 1.0}, trial, [&](double, int) { return turns < 2; });
        QFAIL("it went on");
    } catch (const Error& error) {
        QCOMPARE(error.code(), ErrorCode::Cancelled);
    }
    QCOMPARE(turns, 2);
}

void TestScaling::Plan_impossible_isRefused_data()
{
    test::addRows<std::vector<int>, double, QString>(
        {"towers", "seconds", "part"}, {{"none", {}, 1.0, "compare"},
                                        {"one", {1}, 1.0, "compare"},
                                        {"zero", {0, 2}, 1.0, "towers is 0"},
                                        {"too many", {5000}, 1.0, "towers is 5000"},
                                        {"no time", {2}, 0.0, "seconds is 0"},
                                        {"no number", {2}, std::nan(""), "seconds is nan"}});
}

void TestScaling::Plan_impossible_isRefused()
{
    QFETCH(const std::vector<int>, towers);
    QFETCH(const double, seconds);
    QFETCH(const QString, part);
    const QString text = failureOf([&] {
        measureScaling({towers, seconds}, givenPhases([](int) { return ScalingPhases{}; }, 1));
    });
    QVERIFY2(text.contains(part), qPrintable(text));
}

void TestScaling::SerialShare_ofAmdahlsCurve_isFoundAgain()
{
    for (const double serial : {0.0, 0.03, 0.5, 1.0}) {
        std::vector<ScalingLine> lines{measuredLine(1, 1.0)};
        for (const int towers : {2, 3, 8}) {
            lines.push_back(measuredLine(towers, amdahlSpeedUp(serial, towers)));
        }
        // Two processors can't do more, whatever the training is like.
        lines.push_back(measuredLine(16, 2.0, true));
        QVERIFY(isNear(*serialShare(lines), serial, 1e-12));
    }
    QCOMPARE(amdahlSpeedUp(0.25, 1.0), 1.0);
    QVERIFY(isNear(amdahlSpeedUp(0.25, 3.0), 2.0, 1e-12));
    // Faster than it can be: within the noise.
    QCOMPARE(*serialShare({measuredLine(1, 1.0), measuredLine(2, 2.2), measuredLine(3, 3.1)}), 0.0);
}

void TestScaling::SerialShare_ofFewerThanThreePoints_isNotToldByOne()
{
    std::vector<ScalingLine> lines{measuredLine(1, 1.0), measuredLine(2, 1.9)};
    QVERIFY(!serialShare(lines));
    QCOMPARE(mostOwnTowers(lines), 2);
    lines.push_back(measuredLine(4, 1.8, true)); // they take turns on two processors
    QVERIFY(!serialShare(lines));
    QCOMPARE(mostOwnTowers(lines), 2);
    lines.back().turn.sharesDevices = false;
    QVERIFY(serialShare(lines));
    lines.back().failure = "out of memory";
    QVERIFY(!serialShare(lines));
}

/// Turns between 90 and 110 % in both lines: a fifth of 2 towers, twice.
void TestScaling::Noise_ofTurns_coversPartsBelowNothing()
{
    ScalingLine one = measuredLine(1, 1.0);
    one.examplesPerSecond = 100.0;
    one.least = 90.0;
    one.greatest = 110.0;
    ScalingLine two = measuredLine(2, 2.0);
    two.examplesPerSecond = 200.0;
    two.least = 180.0;
    two.greatest = 220.0;
    const double noise = scalingNoise(two, one);
    QVERIFY(isNear(noise, 0.8, 1e-12));
    QVERIFY(isAboutNothing(-0.2, noise));
    QVERIFY(!isAboutNothing(-0.9, noise)); // more than chance
    QVERIFY(!isAboutNothing(0.2, noise));  // a loss is shown as found
}

void TestScaling::Phases_ofStrayingSteps_areThoseOfTheMiddle()
{
    std::vector<ScalingPhases> steps;
    for (const double seconds : {0.5, 0.010, 0.012, 0.001, 0.010, 0.012, 0.9, 0.002}) {
        StepRecord step;
        step.stepSeconds = seconds;
        step.inputSeconds = 0.1 * seconds;
        step.computeSeconds = 0.5 * seconds;
        step.averagingSeconds = 0.25 * seconds;
        step.updateSeconds = -1.0;
        step.towers.resize(2);
        setArrival(step.towers[0], 0.5 * seconds);
        setArrival(step.towers[1], 0.3 * seconds);
        steps.push_back(phasesOf(step));
    }
    const ScalingPhases middle = meanPhases(steps, false);
    QVERIFY(isNear(middle.step, 0.011, 1e-12));
    QVERIFY(isNear(middle.input, 0.0011, 1e-12));
    QVERIFY(isNear(*middle.averaging, 0.00275, 1e-12));
    QVERIFY(isNear(*middle.waiting, 0.0011, 1e-12));
    QVERIFY(!middle.update);
    QVERIFY(isNear(meanPhases(steps, true).step, 1.447 / 8, 1e-12));
    StepRecord untold;
    untold.computeSeconds = -1.0;
    untold.towers.resize(2);
    steps.push_back(phasesOf(untold));
    QVERIFY(!meanPhases(steps, true).waiting);
}

void TestScaling::Training_small_hasConsistentFigures()
{
    const ScalingReport report =
        runScaling(scalingConfig(), {{{1, 2}, 0.3}, ScalingFix::BatchPerTower});
    QCOMPARE(report.lines.size(), std::size_t{2});
    QCOMPARE(report.batch, 8);
    QCOMPARE(report.device, std::string("cpu"));
    QCOMPARE(report.threadsPerTower, std::max(1, report.processors / 2));
    for (const ScalingLine& line : report.lines) {
        QVERIFY2(line.failure.empty(), line.failure.c_str());
        QCOMPARE(line.turn.globalBatch, 8 * line.towers);
        QVERIFY(line.turn.steps > 0);
        QVERIFY(line.least <= line.examplesPerSecond && line.examplesPerSecond <= line.greatest);
        QVERIFY(isNear(
            line.speedUp, line.examplesPerSecond / report.lines[0].examplesPerSecond, 1e-12));
        QVERIFY(line.loss.averaging && line.loss.update && line.loss.waiting);
        QVERIFY(isNear(sumOf(line.loss), line.towers - line.speedUp, 1e-9));
        QCOMPARE(line.turn.sharesDevices, line.towers > report.processors);
    }
    QVERIFY(!report.serialShare);
}

void TestScaling::Training_globalBatch_isKept()
{
    RunConfig config = scalingConfig();
    config.evaluateTowers = 2; // says nothing of the ruler's towers
    ScalingReport report = runScaling(config, {{{1, 2, 4}, 0.06}, ScalingFix::GlobalBatch});
    QCOMPARE(report.batch, 32);
    for (const ScalingLine& line : report.lines) {
        QCOMPARE(line.turn.globalBatch, 32);
    }
    config.batchPerTower.reset();
    config.globalBatch = 12;
    report = runScaling(config, {{{3}, 0.06}, ScalingFix::GlobalBatch});
    QCOMPARE(report.lines.back().turn.globalBatch, 12);
}

void TestScaling::Training_globalBatch_leavesOutTowersThatItDoesNotFit()
{
    RunConfig config = scalingConfig();
    config.batchPerTower.reset();
    config.globalBatch = 16;
    const ScalingReport report =
        runScaling(config, {{{1, 2, 3, 4, 5}, 0.06}, ScalingFix::GlobalBatch});
    std::vector<int> measured;
    std::ranges::transform(report.lines, std::back_inserter(measured), &ScalingLine::towers);
    QCOMPARE(measured, (std::vector<int>{1, 2, 4}));
    QCOMPARE(report.leftOut, (std::vector<int>{3, 5}));
}

void TestScaling::Training_globalBatchThatFitsNone_isRefused()
{
    RunConfig config = scalingConfig();
    config.batchPerTower.reset();
    config.globalBatch = 16;
    const QString text = failureOf([&] {
        runScaling(config, {{{1, 3, 5}, 0.06}, ScalingFix::GlobalBatch});
    });
    QVERIFY2(text.contains("can't be split evenly over 3 towers"), qPrintable(text));
}

LOCKSTEP_TEST(TestScaling)
#include "test_scaling.moc"
