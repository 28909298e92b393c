// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "network/cost.h"
#include "network/model_file.h"
#include "network/models/catalog.h"
#include "session/bench/bench.h"
#include "session/bench/bench_work.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/tower_run.h"

#include <algorithm>
#include <cmath>

using namespace lockstep;

namespace {

NetworkSpec network()
{
    return test::chain(
        {8, 8, 3},
        {test::convolution(16, {3, 3}, {1, 1}, Padding::Same, Activation::Relu),
         MaxPool{{2, 2}, {2, 2}}, Lrn{2, 1.0, 0.1, 0.75}},
        4);
}

constexpr const char* kSmallModel = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";

NetworkSpec smallModel()
{
    return readModelFile(kSmallModel);
}

NodeWork workOf(const std::vector<NodeWork>& nodes, const std::string& name)
{
    return *std::ranges::find(nodes, name, &NodeWork::name);
}

/// Of the small model: two towers, profiled.
const BenchResult& profiledResult()
{
    static const BenchResult result = [] {
        RunConfig config;
        config.model.name = kSmallModel;
        config.device = "cpu";
        config.towers = 2;
        config.batchPerTower = 16;
        BenchSettings settings;
        settings.seconds = 0.1;
        settings.isProfiled = true;
        return runBench(config, settings);
    }();
    return result;
}

/// The sum of what the lines have of something.
template<class Get>
double sumOf(const StepProfile& profile, Get get)
{
    double sum = 0.0;
    for (const ProfileLine& line : profile.lines) {
        sum += get(line);
    }
    return sum;
}

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * std::abs(expected);
}

} // namespace

class TestBenchProfile : public QObject
{
    Q_OBJECT

private slots:
    void nodeWork_cifar10_isThatCountedByHand();
    void nodeWork_flop_isTheCostOfTheNetwork();
    void nodeSeconds_notAskedFor_areEmpty();
    void nodeSeconds_ofPasses_areThoseOfEveryNode();
    void timeNodes_changesNoBit();
    void profile_lines_addUpToTheStep();
    void profile_lines_areAllNodesInOrder();
    void profile_rates_areWorkOverTime();
    void profile_floors_addUpToTheFloor();
    void profileOf_slowSteps_areLeftOut();
    void runBench_traceOnTheHost_namesProfile();
};

/// conv1 makes 24 x 24 x 64 of 24 x 24 x 3, and the images need no gradient; pool1 makes
/// 12 x 12 x 64 of it.
void TestBenchProfile::nodeWork_cifar10_isThatCountedByHand()
{
    const auto nodes = nodeWork(networkByName("cifar10"));
    const NodeWork conv1 = workOf(nodes, "conv1");
    QCOMPARE(conv1.forward.flop, 2 * 2'764'800);
    QCOMPARE(conv1.backward.flop, 2 * 2'764'800);
    QCOMPARE(conv1.forward.values, 1728 + 36'864);
    // Reads src, dst for the activation and the gradient of dst.
    QCOMPARE(conv1.backward.values, 1728 + 36'864 + 36'864);
    const NodeWork pool1 = workOf(nodes, "pool1");
    QCOMPARE(pool1.forward.flop, 0);
    QCOMPARE(pool1.forward.values, 36'864 + 9216);
    QCOMPARE(pool1.backward.values, 36'864 + 9216 + 9216);
    const NodeWork conv2 = workOf(nodes, "conv2");
    QCOMPARE(conv2.backward.flop, 2 * conv2.forward.flop);
    // As conv1; the gradient of dst is read once more, and that of src written.
    QCOMPARE(conv2.backward.values, 5 * 9216);
}

void TestBenchProfile::nodeWork_flop_isTheCostOfTheNetwork()
{
    const NetworkSpec cifar10 = networkByName("cifar10");
    std::int64_t flop = 0;
    for (const NodeWork& node : nodeWork(cifar10)) {
        flop += node.forward.flop + node.backward.flop;
    }
    QCOMPARE(flop, totalCost(cifar10).trainingFlop());
    QCOMPARE(nodeWork(cifar10).size(), cifar10.layers.size() + cifar10.objectives.size());
}

void TestBenchProfile::nodeSeconds_notAskedFor_areEmpty()
{
    test::TowerRun run(network(), {2, 1, 4}, 1);
    run.step(test::randomBatch(network(), 8, 1));
    QVERIFY(run.team().nodeSeconds().empty());
}

void TestBenchProfile::nodeSeconds_ofPasses_areThoseOfEveryNode()
{
    test::TowerRun run(network(), {3, 1, 4}, 1);
    const Batch rows = test::randomBatch(network(), 12, 1);
    run.team().timeNodes();
    const Stopwatch watch;
    for (int i = 0; i < 5; ++i) {
        run.step(rows);
    }
    const double elapsed = watch.seconds();
    const auto seconds = run.team().nodeSeconds();
    QCOMPARE(seconds.size(), network().layers.size() + network().objectives.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < seconds.size(); ++i) {
        QVERIFY(seconds[i].forward > 0.0);
        // The input has no backward pass.
        QCOMPARE(seconds[i].backward > 0.0, i > 0);
        sum += seconds[i].forward + seconds[i].backward;
    }
    QVERIFY(sum < elapsed);
    // Asked for anew, they begin anew.
    run.team().timeNodes();
    QCOMPARE(run.team().nodeSeconds().front().forward, 0.0);
}

void TestBenchProfile::timeNodes_changesNoBit()
{
    const Batch rows = test::randomBatch(network(), 8, 1);
    test::TowerRun plain(network(), {2, 1, 4}, 1);
    test::TowerRun timed(network(), {2, 1, 4}, 1);
    timed.team().timeNodes();
    plain.step(rows);
    timed.step(rows);
    QVERIFY(plain.average() == timed.average());
}

void TestBenchProfile::profile_lines_addUpToTheStep()
{
    const StepProfile& profile = *profiledResult().profile;
    QVERIFY(profile.steps > 0);
    QVERIFY(isNear(
        sumOf(profile, [](const ProfileLine& line) { return line.milliseconds; }),
        profile.milliseconds));
    QVERIFY(isNear(sumOf(profile, [](const ProfileLine& line) { return line.share; }), 1.0));
    for (const ProfileLine& line : profile.lines) {
        QVERIFY2(line.fastest >= 0.0 && line.fastest <= line.milliseconds, line.name.c_str());
    }
    QVERIFY(profile.slowestTower > 0.0 && profile.slowestTower <= profile.milliseconds);
}

void TestBenchProfile::profile_lines_areAllNodesInOrder()
{
    const NetworkSpec small = smallModel();
    std::vector<std::string> expected;
    for (const NodeWork& node : nodeWork(small)) {
        expected.push_back(node.name + " forward");
        if (node.name != "input") {
            expected.push_back(node.name + " backward");
        }
    }
    for (const char* phase :
         {"waiting for input", "waiting for threads", "averaging and check", "update", "rest"}) {
        expected.push_back(std::string(phase) + " ");
    }
    std::vector<std::string> names;
    for (const ProfileLine& line : profiledResult().profile->lines) {
        names.push_back(line.name + " " + line.direction);
        QCOMPARE(line.algorithm.empty(), line.direction.empty());
    }
    QVERIFY(names == expected);
}

void TestBenchProfile::profile_rates_areWorkOverTime()
{
    const auto nodes = nodeWork(smallModel());
    const BenchResult& result = profiledResult();
    constexpr double kExamples = 32.0;
    int matrixLines = 0;
    for (const ProfileLine& line : result.profile->lines) {
        if (line.direction.empty()) {
            continue;
        }
        const NodeWork node = workOf(nodes, line.name);
        const PassWork& pass = line.direction == "forward" ? node.forward : node.backward;
        const bool isMatrixWork = pass.flop > 0;
        QCOMPARE(line.gigaflopsPerSecond.has_value(), isMatrixWork);
        QCOMPARE(line.gigabytesPerSecond.has_value(), !isMatrixWork);
        const double rate = isMatrixWork ? *line.gigaflopsPerSecond : *line.gigabytesPerSecond;
        const double work =
            isMatrixWork ? static_cast<double>(pass.flop) : 4.0 * static_cast<double>(pass.values);
        QVERIFY2(
            isNear(1e9 * rate * 1e-3 * line.milliseconds, kExamples * work), line.name.c_str());
        const RateRange& ceiling = isMatrixWork ? result.ceilings->float32 : result.ceilings->copy;
        QVERIFY(isNear(*line.ceilingShare * ceiling.maximum, 1e9 * rate));
        matrixLines += isMatrixWork ? 1 : 0;
    }
    QVERIFY(matrixLines >= 6);
}

void TestBenchProfile::profile_floors_addUpToTheFloor()
{
    const BenchResult& result = profiledResult();
    const double sum = sumOf(*result.profile, [](const ProfileLine& line) {
        return line.floorMilliseconds.value_or(0.0);
    });
    QVERIFY(result.floorMilliseconds.has_value());
    QVERIFY(isNear(sum, *result.floorMilliseconds));
    const auto expected =
        floorSeconds(smallModel(), {32, Precision::Float32}, ceilingsOf(*result.ceilings));
    QVERIFY(isNear(1e-3 * *result.floorMilliseconds, *expected));
    QCOMPARE(result.profile->oneThread.threads, 1);
}

/// Of 1, 2, 30 and 40 s those of 1 and 2 s count.
void TestBenchProfile::profileOf_slowSteps_areLeftOut()
{
    const NetworkSpec model = network();
    const auto nodes = nodeWork(model).size();
    std::vector<ProfiledStep> steps;
    for (const double seconds : {30.0, 1.0, 40.0, 2.0}) {
        ProfiledStep step;
        step.nodes.assign(nodes, {seconds / 100.0, seconds / 50.0});
        step.record.stepSeconds = seconds;
        step.record.inputSeconds = 0.125 * seconds;
        step.record.computeSeconds = 0.5 * seconds;
        step.record.averagingSeconds = 0.0625 * seconds;
        step.record.updateSeconds = 0.25 * seconds;
        step.record.towers = {
            {0.0, 0, 8, 0.0, 0.0, 0.125 * seconds, 0.125 * seconds},
            {0.0, 0, 8, 0.0, 0.125 * seconds, 0.125 * seconds, 0.125 * seconds}};
        steps.push_back(step);
    }
    const std::vector<OpReport> ops(nodes);
    const StepProfile profile =
        profileOf(steps, {model, ops, {8, Precision::Float32}, DeviceCeilings{}});
    QCOMPARE(profile.steps, 2);
    QCOMPARE(profile.milliseconds, 1500.0);
    QCOMPARE(profile.slowestTower, 562.5);
    QCOMPARE(profile.lines[1].direction, std::string("forward"));
    QVERIFY(isNear(profile.lines[1].milliseconds, 15.0));
    QVERIFY(isNear(profile.lines[2].milliseconds, 30.0));
    QVERIFY(isNear(profile.lines[2].fastest, 20.0));
    const auto ofLine = [&](const std::string& name) {
        return std::ranges::find(profile.lines, name, &ProfileLine::name)->milliseconds;
    };
    QVERIFY(isNear(ofLine("waiting for input"), 187.5));
    QVERIFY(isNear(ofLine("averaging and check"), 93.75));
    QVERIFY(isNear(ofLine("update"), 375.0));
    QVERIFY(isNear(ofLine("rest"), 93.75));
    const double passes = 15.0 * static_cast<double>(nodes) + 30.0 * static_cast<double>(nodes - 1);
    QVERIFY(isNear(ofLine("waiting for threads"), 750.0 - passes));
    // Nothing is known of the device.
    QVERIFY(!profile.lines[1].ceilingShare && !profile.lines[1].floorMilliseconds);
}

void TestBenchProfile::runBench_traceOnTheHost_namesProfile()
{
    RunConfig config;
    config.device = "cpu";
    BenchSettings settings;
    settings.isTraced = true;
    const QString failure = test::failureOf([&] { runBench(config, settings); });
    QVERIFY2(failure.contains("--profile"), qPrintable(failure));
}

LOCKSTEP_TEST(TestBenchProfile)
#include "test_bench_profile.moc"
