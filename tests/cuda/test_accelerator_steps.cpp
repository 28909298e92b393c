// SPDX-License-Identifier: Apache-2.0
// Whole steps on one emulated GPU: the same as on the CPU, however the device orders its work.
#include "base/clock.h"
#include "cuda/accelerator_run.h"
#include "session/config/run_config.h"
#include "support/compare.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <map>
#include <set>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::StepsTaken;
using test::takeSteps;

namespace {

constexpr std::int64_t kSteps = 10;

StepsTaken onHost(AcceleratorCase settings)
{
    settings.isOnHost = true;
    settings.precision = Precision::Float32;
    return takeSteps(settings, kSteps);
}

double distance(const std::vector<float>& got, const std::vector<float>& expected)
{
    return test::relativeError<float, float>(got, expected);
}

} // namespace

class TestAcceleratorSteps : public QObject
{
    Q_OBJECT

private slots:
    void Steps_float32_areThoseOfTheCpu_data();
    void Steps_float32_areThoseOfTheCpu();
    void Steps_ofEachOptimizer_areThoseOfTheCpu_data();
    void Steps_ofEachOptimizer_areThoseOfTheCpu();
    void Steps_ofAnExperiment_areThoseOfTheCpu_data();
    void Steps_ofAnExperiment_areThoseOfTheCpu();
    void Steps_bfloat16_areNearThoseOfTheCpu();
    void Steps_replayed_areThoseEnqueuedOneByOne();
    void Steps_anyOrderOfTheDevice_haveTheSameBits();
    void Steps_resumed_goOnAsIfNeverStopped();
    void Rows_streamed_areThoseOfTheResidentSet();
    void Rows_mixed_areThoseOfTheCpu();
    void Next_limit_isNotPassed();
    void Times_areThoseOfTheDevice();
    void Algorithms_areChosenOnceForAllTowers();
    void Loaders_followTheTowersAsFarAsProcessorsReach();
    void Algorithms_ofEveryLayer_areThoseOfLayersWithoutTheirOwn();
};

void TestAcceleratorSteps::Steps_float32_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("towers");
    for (const int towers : {1, 2, 3, 8}) {
        QTest::addRow("%d towers", towers) << towers;
    }
}

void TestAcceleratorSteps::Steps_float32_areThoseOfTheCpu()
{
    QFETCH(int, towers);
    // A value next to a threshold (ReLU, the largest of a window) may fall to the other side.
    constexpr double kAllowed = 2e-4;
    const AcceleratorCase settings{towers, 3};
    const StepsTaken expected = onHost(settings);
    const StepsTaken got = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY2(
            std::abs(got.losses[i] - expected.losses[i]) < kAllowed * expected.losses[i],
            qPrintable(QString("step %1: %2 instead of %3")
                           .arg(i)
                           .arg(got.losses[i])
                           .arg(expected.losses[i])));
    }
    QVERIFY(distance(got.weights, expected.weights) < kAllowed);
    QVERIFY(distance(got.averages, expected.averages) < kAllowed);
    const double moved = distance(takeSteps(settings, 0).weights, expected.weights);
    QVERIFY(moved > 5e-3); // or nothing was trained
}

void TestAcceleratorSteps::Steps_ofEachOptimizer_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("kind");
    for (const UpdateKind kind : updateKinds()) {
        QTest::newRow(toString(kind).c_str()) << static_cast<int>(kind);
    }
}

void TestAcceleratorSteps::Steps_ofEachOptimizer_areThoseOfTheCpu()
{
    QFETCH(int, kind);
    AcceleratorCase settings{2, 3};
    settings.optimizer.kind = static_cast<UpdateKind>(kind);
    settings.optimizer.momentum = 0.5;
    settings.optimizer.epsilon = 1.0;
    settings.machine.devices = 2;
    AcceleratorRun run(settings);
    run.start();
    const auto losses = run.losses(0, kSteps);
    const auto weights = run.parameters();
    std::vector<std::vector<float>> states;
    for (const float* part : run.stepper->arena().stateParts()) {
        states.push_back(run.valuesOf(part));
    }
    settings.isOnHost = true;
    AcceleratorRun host(settings);
    host.start();
    const auto expected = host.losses(0, kSteps);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        QVERIFY(std::abs(losses[i] - expected[i]) < 2e-4 * expected[i]);
    }
    const auto parts = host.stepper->arena().stateParts();
    QCOMPARE(parts.size(), 2 + slotsOf(settings.optimizer.kind).size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        QVERIFY(distance(states[i], host.valuesOf(parts[i])) < 2e-3);
    }
}

void TestAcceleratorSteps::Steps_ofAnExperiment_areThoseOfTheCpu_data()
{
    QTest::addColumn<int>("kind");
    for (const ShardKind kind : {ShardKind::Same, ShardKind::Skewed, ShardKind::Poisoned}) {
        QTest::addRow("%s", toString(kind).c_str()) << static_cast<int>(kind);
    }
}

/// Rows of a set that lies on the device, except for a poisoned tower's, which are streamed.
void TestAcceleratorSteps::Steps_ofAnExperiment_areThoseOfTheCpu()
{
    QFETCH(int, kind);
    constexpr double kAllowed = 2e-4;
    AcceleratorCase settings{3, 3};
    const StepsTaken distinct = takeSteps(settings, kSteps);
    settings.shards = static_cast<ShardKind>(kind);
    const StepsTaken expected = onHost(settings);
    const StepsTaken got = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < kAllowed * expected.losses[i]);
    }
    QVERIFY(distance(got.weights, expected.weights) < kAllowed);
    QVERIFY(distance(got.weights, distinct.weights) > 10 * kAllowed);
}

void TestAcceleratorSteps::Steps_bfloat16_areNearThoseOfTheCpu()
{
    AcceleratorCase settings{2, 4};
    const StepsTaken expected = onHost(settings);
    settings.precision = Precision::Bfloat16;
    const StepsTaken got = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < 0.05 * expected.losses[i]);
    }
    const double error = distance(got.weights, expected.weights);
    QVERIFY2(error < 0.02 && error > 1e-6, qPrintable(QString::number(error)));
}

void TestAcceleratorSteps::Steps_replayed_areThoseEnqueuedOneByOne()
{
    for (const int towers : {1, 3}) {
        AcceleratorCase settings{towers, 4};
        const StepsTaken captured = takeSteps(settings, kSteps);
        QVERIFY(emulation::counters().graphLaunches >= kSteps - 1);
        settings.isCaptured = false;
        const StepsTaken eager = takeSteps(settings, kSteps);
        QCOMPARE(emulation::counters().graphLaunches, std::int64_t{0});
        QVERIFY(captured == eager);
    }
}

void TestAcceleratorSteps::Steps_anyOrderOfTheDevice_haveTheSameBits()
{
    AcceleratorCase settings{4, 2};
    const StepsTaken expected = takeSteps(settings, kSteps);
    for (const std::uint64_t seed : {2U, 3U, 4U, 5U}) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed % 2 == 0 ? 0.3 : 0.0;
        QVERIFY(takeSteps(settings, kSteps) == expected);
        QCOMPARE(emulation::lastFault(), std::string());
    }
}

void TestAcceleratorSteps::Steps_resumed_goOnAsIfNeverStopped()
{
    AcceleratorCase settings{2, 4};
    settings.optimizer.kind = UpdateKind::RmsProp;
    settings.optimizer.momentum = 0.9;
    settings.optimizer.epsilon = 1.0;
    const StepsTaken straight = takeSteps(settings, kSteps);
    AcceleratorRun run(settings);
    run.start();
    auto losses = run.losses(0, kSteps / 2);
    // What a checkpoint does: out of the device and back again.
    const ParameterArena& arena = run.stepper->arena();
    for (std::size_t i = 0; i < run.network.parameters.size(); ++i) {
        const auto number = static_cast<int>(i);
        for (float* part : arena.stateParts()) {
            const auto values = arena.read(part, number);
            arena.write(part, number, std::vector<float>(values.size(), 7.0F));
            arena.write(part, number, values);
        }
    }
    run.stepper->parametersChanged();
    run.stepper->start(kSteps / 2, kSteps / 2 * 8);
    const auto rest = run.losses(kSteps / 2, kSteps);
    losses.insert(losses.end(), rest.begin(), rest.end());
    QVERIFY(losses == straight.losses);
    QVERIFY(run.parameters() == straight.weights);
    QVERIFY(run.parameters(true) == straight.averages);
}

void TestAcceleratorSteps::Rows_streamed_areThoseOfTheResidentSet()
{
    // A set of more than a quarter of the device's memory is fed by the host.
    const test::FakeDataset large(40'000, {12, 11, 3});
    AcceleratorCase settings{2, 4};
    const StepsTaken resident = takeSteps(settings, kSteps, &large);
    settings.machine.memoryPerDevice = std::size_t{40} << 20U;
    for (const std::uint64_t seed : {1U, 2U}) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed == 2 ? 0.3 : 0.0;
        AcceleratorRun run(settings, &large);
        run.start();
        QVERIFY(run.stepper->describe().find("host feeds") != std::string::npos);
        const auto losses = run.losses(0, kSteps);
        for (std::size_t i = 0; i < losses.size(); ++i) {
            QVERIFY(std::abs(losses[i] - resident.losses[i]) < 2e-5 * losses[i]);
        }
        QVERIFY(distance(run.parameters(), resident.weights) < 2e-5);
    }
}

/// By the kernel of the head and by those of its parts; two towers mix as one does.
void TestAcceleratorSteps::Rows_mixed_areThoseOfTheCpu()
{
    AcceleratorCase settings{2, 4};
    const StepsTaken plain = takeSteps(settings, kSteps);
    settings.mixup = 0.4;
    const StepsTaken expected = onHost(settings);
    QVERIFY(distance(plain.weights, expected.weights) > 1e-3);
    AcceleratorCase one = settings;
    one.towers = 1;
    one.batchPerTower = 8;
    AcceleratorCase parts = settings;
    parts.features = settings.features.without(StepFeature::Head);
    for (const AcceleratorCase& each : {settings, one, parts}) {
        const StepsTaken got = takeSteps(each, kSteps);
        for (std::size_t i = 0; i < expected.losses.size(); ++i) {
            QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < 2e-4 * expected.losses[i]);
        }
        QVERIFY(distance(got.weights, expected.weights) < 2e-4);
    }
}

void TestAcceleratorSteps::Next_limit_isNotPassed()
{
    const AcceleratorCase settings{2, 4};
    constexpr std::int64_t kLimit = 7;
    std::vector<float> atLimit;
    {
        AcceleratorRun run(settings);
        run.start();
        for (std::int64_t step = 0; step < kLimit; ++step) {
            run.stepper->next(kLimit);
            QVERIFY(run.stepper->stepsAhead() <= kLimit - step - 1);
        }
        QCOMPARE(run.stepper->stepsAhead(), std::int64_t{0});
        QVERIFY_THROWS_EXCEPTION(Error, run.stepper->next(kLimit));
        atLimit = run.parameters();
    }
    QVERIFY(atLimit == takeSteps(settings, kLimit).weights);
    QVERIFY(atLimit != takeSteps(settings, kLimit + 1).weights);
}

void TestAcceleratorSteps::Times_areThoseOfTheDevice()
{
    AcceleratorRun run({2, 4});
    run.start();
    const Stopwatch watch;
    double sum = 0.0;
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const StepOutcome outcome = run.stepper->next(kSteps);
        QVERIFY(outcome.seconds > 0.0);
        sum += outcome.seconds;
    }
    QVERIFY(sum > 0.2 * watch.seconds() && sum < 1.1 * watch.seconds());
}

void TestAcceleratorSteps::Algorithms_areChosenOnceForAllTowers()
{
    AcceleratorRun run({3, 4});
    run.start();
    const std::vector<OpReport> ops = run.stepper->report();
    std::map<std::string, std::string> chosen;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const bool isDoneByAnother =
            std::ranges::count(ops, static_cast<int>(i), &OpReport::inner) > 0;
        QCOMPARE(ops[i].algorithm.empty(), isDoneByAnother);
        chosen[ops[i].layer] = ops[i].algorithm;
    }
    for (const char* layer : {"conv1", "pool1 + norm1", "local3", "logits + cross_entropy"}) {
        QVERIFY2(chosen.contains(layer), layer);
    }
    int asked = 0;
    for (const std::string& spec : test::plannedSpecs()) {
        asked += spec.find(" <- ") != std::string::npos ? 1 : 0;
    }
    QVERIFY(asked > 0);
}

void TestAcceleratorSteps::Loaders_followTheTowersAsFarAsProcessorsReach()
{
    const cuda::CudaDevice gpu(0);
    const cpu::CpuDevice processor;
    RunConfig config;
    for (const int towers : {1, 2, 64}) {
        config.towers = towers;
        QCOMPARE(config.loaderThreads(gpu), std::min(4 * towers, ThreadTeam::processors()));
        QCOMPARE(config.loaderThreads(processor), std::max(1, ThreadTeam::processors() / 4));
    }
    config.inputThreads = 3;
    QCOMPARE(config.loaderThreads(gpu), 3);
    QCOMPARE(config.loaderThreads(processor), 3);
}

void TestAcceleratorSteps::Algorithms_ofEveryLayer_areThoseOfLayersWithoutTheirOwn()
{
    const StepFeatures all = StepFeatures::all();
    for (const bool hasHead : {true, false}) {
        AcceleratorRun run(
            {.towers = 1,
             .features = hasHead ? all : all.without(StepFeature::Head),
             .algorithms = {{"*", "first"}, {"local3", "fprop mine; dgrad yours"}}});
        run.make();
        std::multiset<std::string> asked;
        for (const std::string& spec : test::plannedSpecs()) {
            asked.insert(spec.substr(spec.find(" <- ") + 4));
        }
        // conv1 without a data gradient, conv2 and logits, unless they are the head, with it,
        // local3's weight gradient.
        const std::size_t ofLogits = hasHead ? 0 : 3;
        QCOMPARE(asked.count("first"), 2 + 3 + ofLogits + 1);
        QCOMPARE(asked.count("mine"), std::size_t{1});
        QCOMPARE(asked.count("yours"), std::size_t{1});
        QCOMPARE(asked.size(), 2 + 3 + ofLogits + 3);
    }
}

LOCKSTEP_TEST(TestAcceleratorSteps)
#include "test_accelerator_steps.moc"
