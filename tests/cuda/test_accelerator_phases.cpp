// SPDX-License-Identifier: Apache-2.0
// The barrier clock of emulated GPUs, in virtual time: what was made slow is named, to the
// microsecond.
#include "cuda/accelerator_run.h"
#include "metrics/barrier_clock.h"
#include "support/lockstep_test.h"
#include "support/thread_ranks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace lockstep;
using emulation::TaskInfo;
using emulation::TaskKind;
using test::AcceleratorCase;
using test::AcceleratorRun;

namespace {

constexpr std::int64_t kCalibration = 4; ///< steps in which nothing is slow
constexpr std::int64_t kEnd = 36;
constexpr int kTowers = 4;
constexpr std::int64_t kProduct = 100'000; ///< nanoseconds of a call of a library
constexpr double kMilli = 1e-3;

/// What becomes slow, and when; read by the machine whenever a task ends.
struct Slowness
{
    int device = -1;
    int stream = -1;                ///< -1: all of its towers
    std::int64_t extra = 0;         ///< for each of their products, once it is on
    std::int64_t extraTogether = 0; ///< for a sum over devices
    std::int64_t extraCopy = 0;     ///< for rows on their way in
    bool isOn = false;
    std::int64_t products = 0; ///< of that stream, so far

    std::int64_t last(const TaskInfo& task, int towersOfDevice)
    {
        const bool isOfTower = task.stream < towersOfDevice;
        const bool isMeant = task.device == device && (stream < 0 || task.stream == stream);
        switch (task.kind) {
        case TaskKind::Library:
            products += isOfTower && task.device == device && task.stream == std::max(stream, 0);
            return isOfTower ? kProduct + (isOn && isMeant ? extra : 0) : 2000;
        case TaskKind::Together:
            return 30'000 + (isOn ? extraTogether : 0);
        case TaskKind::Copy:
            return 3000 + (isOn && !isOfTower ? extraCopy : 0);
        default:
            return 2000;
        }
    }
};

AcceleratorCase caseOf(int devices, bool isCaptured)
{
    AcceleratorCase settings{kTowers, 2};
    settings.isCaptured = isCaptured;
    settings.machine.devices = devices;
    settings.machine.memoryPerDevice = std::size_t{256} << 20U;
    return settings;
}

/// Clocks that are seconds apart and drift.
emulation::VirtualClock clockOf(int devices, Slowness& slowness)
{
    return {
        [&slowness, devices](const TaskInfo& task) {
            return slowness.last(task, kTowers / devices);
        },
        {5'000'000'000, -3'000'000'000, 0, 77},
        {0.0, 50e-6, -50e-6, 20e-6}};
}

StepRecord recordOf(const StepOutcome& outcome, const Stepper& stepper)
{
    StepRecord record;
    record.step = outcome.step;
    record.stepSeconds = outcome.seconds;
    record.inputSeconds = outcome.inputSeconds;
    record.computeSeconds = outcome.computeSeconds;
    record.averagingSeconds = outcome.averagingSeconds;
    record.updateSeconds = outcome.updateSeconds;
    std::vector<std::string> places;
    for (const TowerResult& tower : outcome.towers) {
        places.push_back(stepper.placeOf(static_cast<int>(places.size())));
        const auto& [start, copy, forward, backward] = tower.seconds;
        record.towers.push_back({0.0, 0, 0, start, copy, forward, backward});
    }
    const std::vector<int> devices = deviceNumbers(places);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        record.towers[i].device = devices[i];
    }
    return record;
}

bool isNear(double value, double expected, double share)
{
    return std::abs(value - expected) <= share * expected;
}

/// Of the steps that were slow.
struct SlowSteps
{
    std::vector<StepRecord> records;
    std::vector<ExchangeSeconds> exchanges;
    BarrierSummary summary;

    [[nodiscard]] double mean(double StepRecord::*seconds) const
    {
        double sum = 0.0;
        for (const StepRecord& record : records) {
            sum += record.*seconds;
        }
        return sum / static_cast<double>(records.size());
    }
    /// In which share of the steps a tower of [first, end) is named, at that cost +- 10 %.
    [[nodiscard]] double namedShare(int first, int end, double cost) const
    {
        const auto named = std::ranges::count_if(records, [&](const StepRecord& record) {
            const auto straggler = stragglerOf(record);
            return straggler->tower >= first && straggler->tower < end
                   && isNear(straggler->costSeconds, cost, 0.1);
        });
        return static_cast<double>(named) / static_cast<double>(records.size());
    }
};

/// Phases add up to their step, and towers to the phases; what overlaps is not waiting.
bool addsUp(const StepRecord& record)
{
    const double sum = record.inputSeconds + record.computeSeconds + record.averagingSeconds
                       + record.updateSeconds;
    bool isRight = isNear(sum, record.stepSeconds, 1e-4) && record.averagingSeconds >= 0.0;
    for (const TowerRecord& tower : record.towers) {
        const double whole =
            *arrivalSeconds(tower) + *sharedSeconds(record, tower) + *waitingSeconds(record, tower);
        isRight = isRight && isNear(whole, record.computeSeconds, 1e-3)
                  && tower.forwardSeconds > 0.0 && tower.backwardSeconds > tower.forwardSeconds;
    }
    return isRight;
}

/// `extraOf` says what a product takes longer, given how many a tower has in a step.
template<class ExtraOf>
SlowSteps takeSlowSteps(const AcceleratorCase& settings, Slowness& slowness, ExtraOf extraOf)
{
    AcceleratorRun run(settings);
    emulation::setClock(clockOf(settings.machine.devices, slowness));
    run.start();
    run.losses(0, kCalibration);
    const std::int64_t before = slowness.products;
    run.losses(kCalibration, 2 * kCalibration);
    slowness.extra = extraOf((slowness.products - before) / kCalibration);
    slowness.isOn = true;
    SlowSteps slow;
    BarrierClock clock;
    for (std::int64_t step = 2 * kCalibration; step < kEnd; ++step) {
        const StepOutcome& outcome = run.stepper->next(kEnd);
        if (step < 3 * kCalibration) { // the first one's length is that of the host
            continue;
        }
        slow.records.push_back(recordOf(outcome, *run.stepper));
        slow.exchanges.push_back(outcome.exchange.value_or(ExchangeSeconds{-1.0, -1.0}));
        clock.add(slow.records.back());
    }
    slow.summary = clock.summary();
    return slow;
}

/// One GPU with all towers, two, and one for each tower.
void addShapes()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<bool>("isCaptured");
    for (const int devices : {1, 2, 4}) {
        for (const bool isCaptured : {true, false}) {
            QTest::addRow(
                "%d x %d %s", devices, kTowers / devices, isCaptured ? "captured" : "eager")
                << devices << isCaptured;
        }
    }
}

} // namespace

class TestAcceleratorPhases : public QObject
{
    Q_OBJECT

private slots:
    static void Delay_ofATower_isNamedWithItsCost_data() { addShapes(); }
    void Delay_ofATower_isNamedWithItsCost();
    static void Slowness_ofADevice_isNamedWithItsCost_data() { addShapes(); }
    void Slowness_ofADevice_isNamedWithItsCost();
    void Delay_inAnotherRank_isNamedByAll();
    void Slowness_ofTheLink_isExchangeAndNoTower();
    void Slowness_ofTheInput_isDataAndNoTower();
    void Feature_off_tellsNothingAndAddsNothing();
};

void TestAcceleratorPhases::Delay_ofATower_isNamedWithItsCost()
{
    QFETCH(int, devices);
    QFETCH(bool, isCaptured);
    constexpr std::int64_t kDelay = 20'000'000;
    const int perDevice = kTowers / devices;
    for (const int tower : {0, 3}) {
        Slowness slowness;
        slowness.device = tower / perDevice;
        slowness.stream = tower % perDevice;
        const SlowSteps slow =
            takeSlowSteps(caseOf(devices, isCaptured), slowness, [](std::int64_t products) {
                return kDelay / products;
            });
        QVERIFY(std::ranges::all_of(slow.records, addsUp));
        QVERIFY(slow.namedShare(tower, tower + 1, 20 * kMilli) >= 0.95);
        QCOMPARE(clearStraggler(slow.summary, 0.01), std::optional(tower));
        for (int other = 0; other < kTowers; ++other) {
            const bool isElsewhere = other / perDevice != tower / perDevice;
            const TowerBarrierShare& share = slow.summary.towers[static_cast<std::size_t>(other)];
            QVERIFY(
                isElsewhere ? isNear(share.waitingSeconds, 20 * kMilli, 0.1)
                            : share.waitingSeconds < 0.1 * kMilli);
        }
    }
    QCOMPARE(emulation::lastFault(), std::string());
}

void TestAcceleratorPhases::Slowness_ofADevice_isNamedWithItsCost()
{
    QFETCH(int, devices);
    QFETCH(bool, isCaptured);
    constexpr std::int64_t kTimes = 5;
    Slowness slowness;
    slowness.device = devices - 1;
    double cost = 0.0;
    const SlowSteps slow =
        takeSlowSteps(caseOf(devices, isCaptured), slowness, [&](std::int64_t products) {
            cost = 1e-9 * static_cast<double>((kTimes - 1) * kProduct * products);
            return (kTimes - 1) * kProduct;
        });
    QVERIFY(std::ranges::all_of(slow.records, addsUp));
    if (devices == 1) { // against whom?
        QVERIFY(!clearStraggler(slow.summary, 0.01));
    } else {
        QVERIFY(slow.namedShare(kTowers - kTowers / devices, kTowers, cost) >= 0.95);
    }
}

void TestAcceleratorPhases::Delay_inAnotherRank_isNamedByAll()
{
    Slowness slowness{.device = 1, .stream = 0, .extra = 3'000'000, .isOn = true};
    const AcceleratorCase settings = caseOf(2, true);
    test::resetFakeLibraries();
    emulation::reset(settings.machine);
    emulation::setClock(clockOf(2, slowness));
    std::array<int, 2> named{};
    test::runRanks(2, [&](Ranks& own) {
        AcceleratorCase ofRank = settings;
        ofRank.share = {&own, {2 * own.rank(), 2}};
        ofRank.machine.devices = 1;
        ofRank.firstDevice = own.rank();
        AcceleratorRun run(ofRank);
        run.start();
        for (std::int64_t step = 0; step < kEnd; ++step) {
            const StepOutcome& outcome = run.stepper->next(kEnd);
            const double work = outcome.towers[2].seconds.arrival();
            const double lead = work - outcome.towers[0].seconds.arrival();
            named[static_cast<std::size_t>(own.rank())] +=
                lead > 20 * kMilli && isNear(lead, work - outcome.towers[3].seconds.arrival(), 0.01)
                        && isNear(work, outcome.computeSeconds, 0.01)
                    ? 1
                    : 0;
        }
    });
    QVERIFY(named[0] >= kEnd - 1 && named[1] >= kEnd - 1); // the first step compares the clocks
}

void TestAcceleratorPhases::Slowness_ofTheLink_isExchangeAndNoTower()
{
    for (const int devices : {2, 4}) {
        Slowness slowness;
        slowness.extraTogether = 5'000'000;
        const SlowSteps slow =
            takeSlowSteps(caseOf(devices, true), slowness, [](std::int64_t) { return 0; });
        QVERIFY(std::ranges::all_of(slow.records, addsUp));
        QVERIFY(isNear(slow.mean(&StepRecord::averagingSeconds), 5 * kMilli, 0.1));
        for (const ExchangeSeconds& exchange : slow.exchanges) {
            QVERIFY(isNear(exchange.underWay, 5 * kMilli, 0.1));
            QVERIFY(isNear(exchange.exposed, 5 * kMilli, 0.1));
        }
        QVERIFY(!clearStraggler(slow.summary, 0.01));
    }
}

void TestAcceleratorPhases::Slowness_ofTheInput_isDataAndNoTower()
{
    for (const int devices : {1, 2, 4}) {
        Slowness slowness;
        slowness.extraCopy = 5'000'000; // images, and labels
        AcceleratorCase settings = caseOf(devices, true);
        settings.shards = ShardKind::Poisoned; // whose rows the host makes
        const SlowSteps slow = takeSlowSteps(settings, slowness, [](std::int64_t) { return 0; });
        QVERIFY(std::ranges::all_of(slow.records, addsUp));
        const double step = slow.mean(&StepRecord::stepSeconds);
        QVERIFY(isNear(step, 10 * kMilli, 0.1));
        QVERIFY(slow.mean(&StepRecord::inputSeconds) > 0.7 * step);
        QVERIFY(!clearStraggler(slow.summary, 0.01));
    }
}

// A kernel for each of several towers on a device, and two for each sum over devices.
void TestAcceleratorPhases::Feature_off_tellsNothingAndAddsNothing()
{
    for (const int devices : {1, 2, 4}) {
        std::vector<std::int64_t> launches;
        for (const bool isOn : {true, false}) {
            AcceleratorCase settings = caseOf(devices, false);
            settings.features =
                isOn ? StepFeatures::all() : StepFeatures::all().without(StepFeature::PhaseClock);
            AcceleratorRun run(settings);
            run.start();
            run.losses(0, 1);
            const std::int64_t before = emulation::counters().kernelLaunches;
            const StepOutcome outcome = run.stepper->next(2);
            launches.push_back(emulation::counters().kernelLaunches - before);
            const StepRecord record = recordOf(outcome, *run.stepper);
            for (const TowerRecord& tower : record.towers) {
                QCOMPARE(waitingSeconds(record, tower).has_value(), isOn);
            }
            QCOMPARE(record.computeSeconds >= 0.0, isOn);
            QCOMPARE(record.averagingSeconds >= 0.0, isOn);
            QCOMPARE(record.updateSeconds >= 0.0, isOn);
            QCOMPARE(outcome.exchange.has_value(), isOn && devices > 1);
            QCOMPARE(run.stepper->clockUncertainty() > 0.0, isOn && devices > 1);
        }
        const int ofTowers = devices == kTowers ? 0 : kTowers;
        QCOMPARE(launches[0] - launches[1], ofTowers + (devices > 1 ? 2 * devices : 0));
    }
}

LOCKSTEP_TEST(TestAcceleratorPhases)
#include "test_accelerator_phases.moc"
