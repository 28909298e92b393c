// SPDX-License-Identifier: Apache-2.0
// Networks with normalisations, branches and masks on an emulated GPU: the same as on the CPU, and
// towers that meet are one tower.
#include "cuda/accelerator_run.h"
#include "cuda/branched_network.h"
#include "session/selftest/selftest_cases.h"
#include "session/selftest/selftest_trial.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "tower/replica.h"

#include <array>

using namespace lockstep;
using test::AcceleratorCase;
using test::BranchedNetwork;
using test::StepsTaken;
using test::takeSteps;

Q_DECLARE_METATYPE(lockstep::NormalizationMode)

namespace {

constexpr std::int64_t kSteps = 6;
/// A value next to a threshold (ReLU, the largest of a window) may fall to the other side.
constexpr double kAllowed = 5e-4;

AcceleratorCase caseOf(NormalizationMode mode, int towers, std::int64_t batchPerTower)
{
    AcceleratorCase settings;
    settings.towers = towers;
    settings.batchPerTower = batchPerTower;
    settings.network = BranchedNetwork{mode}.build();
    return settings;
}

double distance(const std::vector<float>& got, const std::vector<float>& expected)
{
    return test::relativeError<float, float>(got, expected);
}

/// Rows of a replica, and weights.
struct Rows
{
    std::vector<float> images;
    std::vector<std::int32_t> labels;
    std::vector<float> masks;
};

constexpr std::int64_t kRows = 3;

Rows randomRows(const NetworkSpec& network)
{
    test::Random random(80);
    const auto rows = static_cast<std::size_t>(kRows);
    const auto cells = static_cast<std::size_t>(network.maskShape->elements());
    Rows result;
    result.images =
        random.floats(rows * static_cast<std::size_t>(network.inputShape().elements()), -1.0, 1.0);
    result.labels.assign(rows, 0);
    result.masks = random.floats(rows * cells, -2.0, 1.0);
    for (std::size_t i = 0; i < result.masks.size(); ++i) {
        // The first row is clean.
        result.masks[i] = i < cells || result.masks[i] < 0.0F ? 0.0F : result.masks[i];
    }
    return result;
}

struct PassResult
{
    std::vector<ObjectiveResult> objectives;
    std::vector<float> map;
    std::vector<float> gradients; ///< of all parameters, in PyTorch's order
};

PassResult passOn(const Device& device, const NetworkSpec& network)
{
    const Rows rows = randomRows(network);
    const ParameterArena arena(device, network, Precision::Float32);
    arena.initialize(network, 5);
    ReplicaSettings settings;
    settings.examples = kRows;
    settings.isTraining = true;
    Replica replica(device, network, arena.layout(), settings);
    const BatchSlice host{rows.images, rows.labels, rows.masks};
    replica.forward(arena.weightsView(), host);
    replica.backward(arena.weightsView(), host, 1.0 / static_cast<double>(kRows));
    const auto results = replica.results();
    PassResult result{{results.begin(), results.end()}, replica.output("map"), {}};
    const auto updated = network.updatedParameters();
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        if (updated[i]) {
            const auto values = arena.read(replica.gradients(), static_cast<int>(i));
            result.gradients.insert(result.gradients.end(), values.begin(), values.end());
        }
    }
    return result;
}

} // namespace

class TestAcceleratorBranches : public QObject
{
    Q_OBJECT

private slots:
    void Layers_ofTheSelfTest_areTheReference_data();
    void Layers_ofTheSelfTest_areTheReference();
    void Steps_ofEveryMode_areThoseOfTheCpu_data();
    void Steps_ofEveryMode_areThoseOfTheCpu();
    void Steps_bfloat16_areNearThoseOfTheCpu();
    void Steps_withSyncPoints_haveTheSameBitsInAnyOrder();
    void Towers_synchronised_areOneTower();
    void Synchronised_onSeveralGpus_isThatOfOne_data();
    void Synchronised_onSeveralGpus_isThatOfOne();
    void Pass_withMasks_isThatOfTheCpu();
    void Pass_ofOneObjective_leavesTheOtherOut();
};

void TestAcceleratorBranches::Layers_ofTheSelfTest_areTheReference_data()
{
    QTest::addColumn<int>("precision");
    for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
        QTest::addRow("%s", toString(precision).c_str()) << static_cast<int>(precision);
    }
}

/// Float64, written apart from the kernels. In bfloat16 a value next to a threshold may fall to
/// the other side.
void TestAcceleratorBranches::Layers_ofTheSelfTest_areTheReference()
{
    QFETCH(int, precision);
    const auto type = static_cast<Precision>(precision);
    emulation::reset();
    test::resetFakeLibraries();
    const cuda::CudaDevice device(0);
    const double tolerance = type == Precision::Float32 ? 1e-5 : 0.2;
    OpCaseMaker make(20160701);
    std::vector<OpCase> cases{
        make.concat(),
        make.elementwise(Activation::Relu),
        make.elementwise(Activation::Sigmoid),
        make.globalPool(Reduction::Average),
        make.globalPool(Reduction::Max),
        make.averagePool(),
        make.dropout(),
        make.smoothedLabels()};
    for (int mode = 0; mode < 4; ++mode) {
        cases.push_back(make.normalization(mode));
    }
    std::vector<std::pair<std::string, NetworkSpec>> networks{
        {"masks", maskTestNetwork()}, {"dropout", dropoutTestNetwork()}};
    for (const OpCase& one : cases) {
        networks.emplace_back(one.name, networkAround(one));
    }
    for (const auto& [name, network] : networks) {
        // The moments take it away again, unless they are the moving ones.
        const bool isBiasWithoutEffect =
            name.starts_with("normalization") && !name.starts_with("normalization moving");
        const Trial trial(device, network, {.examples = 3, .precision = type, .seed = 7});
        QVERIFY2(trial.lossError() < tolerance, name.c_str());
        for (int i = 0; i < static_cast<int>(network.parameters.size()); ++i) {
            const double error = trial.gradientError(i);
            const std::string& parameter = network.parameters[static_cast<std::size_t>(i)].name;
            if (isBiasWithoutEffect && parameter == "before.bias") {
                continue; // its gradient is 0, to which no error is relative
            }
            QVERIFY2(
                error < tolerance,
                qPrintable(QString("%1, %2: %3").arg(name.c_str(), parameter.c_str()).arg(error)));
        }
    }
    QCOMPARE(emulation::lastFault(), std::string());
}

void TestAcceleratorBranches::Steps_ofEveryMode_areThoseOfTheCpu_data()
{
    QTest::addColumn<NormalizationMode>("mode");
    QTest::addColumn<int>("towers");
    for (const auto& [name, mode] : std::array{
             std::pair{"per image", NormalizationMode::PerImage},
             std::pair{"batch", NormalizationMode::Batch},
             std::pair{"synchronised", NormalizationMode::Synchronised},
             std::pair{"moving", NormalizationMode::Moving}}) {
        for (const int towers : {1, 3}) {
            QTest::addRow("%s, %d towers", name, towers) << mode << towers;
        }
    }
}

void TestAcceleratorBranches::Steps_ofEveryMode_areThoseOfTheCpu()
{
    QFETCH(NormalizationMode, mode);
    QFETCH(int, towers);
    AcceleratorCase settings = caseOf(mode, towers, 2);
    const StepsTaken start = takeSteps(settings, 0);
    const StepsTaken got = takeSteps(settings, kSteps);
    settings.isOnHost = true;
    const StepsTaken expected = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < kAllowed * expected.losses[i]);
    }
    // Statistics are among the parameters.
    const double error = distance(got.weights, expected.weights);
    QVERIFY2(error < kAllowed, qPrintable(QString::number(error)));
    QVERIFY(distance(got.averages, expected.averages) < kAllowed);
    QVERIFY(distance(start.weights, expected.weights) > 10 * kAllowed);
}

void TestAcceleratorBranches::Steps_bfloat16_areNearThoseOfTheCpu()
{
    AcceleratorCase settings = caseOf(NormalizationMode::PerImage, 2, 2);
    settings.precision = Precision::Bfloat16;
    const StepsTaken got = takeSteps(settings, kSteps);
    settings.precision = Precision::Float32;
    settings.isOnHost = true;
    const StepsTaken expected = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < expected.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - expected.losses[i]) < 0.05 * expected.losses[i]);
    }
    QVERIFY(distance(got.weights, expected.weights) < 0.03);
}

void TestAcceleratorBranches::Steps_withSyncPoints_haveTheSameBitsInAnyOrder()
{
    AcceleratorCase settings = caseOf(NormalizationMode::Synchronised, 3, 2);
    const StepsTaken expected = takeSteps(settings, kSteps);
    settings.isCaptured = false;
    QVERIFY(takeSteps(settings, kSteps) == expected);
    settings.isCaptured = true;
    for (const std::uint64_t seed : {2U, 3U, 4U}) {
        settings.machine.seed = seed;
        settings.machine.eagerness = seed % 2 == 0 ? 0.3 : 0.0;
        QVERIFY(takeSteps(settings, kSteps) == expected);
        QCOMPARE(emulation::lastFault(), std::string());
    }
}

void TestAcceleratorBranches::Towers_synchronised_areOneTower()
{
    const auto apart = [](NormalizationMode mode) {
        const StepsTaken two = takeSteps(caseOf(mode, 2, 2), kSteps);
        const StepsTaken one = takeSteps(caseOf(mode, 1, 4), kSteps);
        return distance(two.weights, one.weights);
    };
    QVERIFY(apart(NormalizationMode::Synchronised) < kAllowed);
    QVERIFY(apart(NormalizationMode::PerImage) < kAllowed);
    QVERIFY(apart(NormalizationMode::Batch) > 10 * kAllowed);
}

void TestAcceleratorBranches::Synchronised_onSeveralGpus_isThatOfOne_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("towers");
    for (const auto& [devices, towers] : {std::pair{2, 2}, {2, 3}, {2, 4}, {4, 4}, {4, 8}}) {
        QTest::addRow("%d towers on %d GPUs", towers, devices) << devices << towers;
    }
}

/// But for the rounding of a sum of the GPUs' sums, in double.
void TestAcceleratorBranches::Synchronised_onSeveralGpus_isThatOfOne()
{
    QFETCH(int, devices);
    QFETCH(int, towers);
    AcceleratorCase settings = caseOf(NormalizationMode::Synchronised, towers, 2);
    const StepsTaken one = takeSteps(settings, kSteps);
    settings.machine.devices = devices;
    const StepsTaken got = takeSteps(settings, kSteps);
    QVERIFY(distance(got.weights, one.weights) < 1e-6);
    QVERIFY(distance(got.averages, one.averages) < 1e-6);
    settings.isCaptured = false;
    QVERIFY(takeSteps(settings, kSteps) == got);
    settings.isCaptured = true;
    settings.machine.seed = 2;
    settings.machine.eagerness = 0.3;
    QVERIFY(takeSteps(settings, kSteps) == got);
    QCOMPARE(emulation::lastFault(), std::string());
    settings.isOnHost = true;
    const StepsTaken host = takeSteps(settings, kSteps);
    for (std::size_t i = 0; i < got.losses.size(); ++i) {
        QVERIFY(std::abs(got.losses[i] - one.losses[i]) < 1e-6 * one.losses[i]);
        QVERIFY(std::abs(got.losses[i] - host.losses[i]) < kAllowed * host.losses[i]);
    }
    QVERIFY(distance(got.weights, host.weights) < kAllowed);
}

void TestAcceleratorBranches::Pass_withMasks_isThatOfTheCpu()
{
    BranchedNetwork branched;
    branched.hasMasks = true;
    for (const bool hasScale : {true, false}) {
        branched.hasScale = hasScale;
        const NetworkSpec network = branched.build();
        emulation::reset();
        test::resetFakeLibraries();
        const PassResult got = passOn(cuda::CudaDevice(0), network);
        const PassResult expected = passOn(cpu::CpuDevice(), network);
        QCOMPARE(got.objectives.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) {
            const ObjectiveResult& result = expected.objectives[i];
            QVERIFY(std::abs(got.objectives[i].lossSum - result.lossSum) < 1e-5 * result.lossSum);
            QCOMPARE(got.objectives[i].correct, result.correct);
        }
        QVERIFY(distance(got.map, expected.map) < 1e-5);
        QVERIFY(distance(got.gradients, expected.gradients) < 1e-4);
        QVERIFY(!got.gradients.empty());
    }
}

void TestAcceleratorBranches::Pass_ofOneObjective_leavesTheOtherOut()
{
    BranchedNetwork branched;
    branched.hasMasks = true;
    const NetworkSpec both = branched.build();
    const NetworkSpec one = both.withObjectives({"segmentation"}, {});
    emulation::reset();
    test::resetFakeLibraries();
    const PassResult ofBoth = passOn(cuda::CudaDevice(0), both);
    const PassResult got = passOn(cuda::CudaDevice(0), one);
    const PassResult expected = passOn(cpu::CpuDevice(), one);
    // Its loss is reported all the same.
    QCOMPARE(got.objectives[1].lossSum, ofBoth.objectives[1].lossSum);
    QVERIFY(distance(got.gradients, expected.gradients) < 1e-4);
    QVERIFY(distance(got.gradients, ofBoth.gradients) > 1e-3);
}

LOCKSTEP_TEST(TestAcceleratorBranches)
#include "test_accelerator_branches.moc"
