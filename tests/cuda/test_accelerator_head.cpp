// SPDX-License-Identifier: Apache-2.0
// Fully connected layers and the loss at the end of a network on an emulated GPU: in fewer kernels,
// with the results of the CPU.
#include "cuda/accelerator_run.h"
#include "support/compare.h"
#include "support/lockstep_test.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::Epilogues;
using test::StepsTaken;
using test::takeSteps;

Q_DECLARE_METATYPE(lockstep::StepFeatures)

namespace {

constexpr std::int64_t kSteps = 50;

/// Three fully connected layers, as the end of cifar10.
NetworkSpec denseNetwork(double labelSmoothing)
{
    NetworkBuilder net("dense", {6, 6, 3}, 10);
    const ParameterSettings settings{TruncatedNormal{0.2}, Constant{0.1}, 0.004, "network"};
    LayerId top =
        net.add("conv1", Conv2d{4, {3, 3}, {2, 2}, Padding::Same, Activation::Relu, settings}, {0});
    top = net.add("local3", Dense{20, Activation::Relu, settings}, {top});
    top = net.add("local4", Dense{16, Activation::Relu, settings}, {top});
    top = net.add("logits", Dense{10, Activation::None, settings}, {top});
    net.output("logits", top);
    net.objective({"cross_entropy", 0.5, SoftmaxCrossEntropy{top, labelSmoothing}, {}});
    return net.build();
}

AcceleratorCase caseOf(int towers, const StepFeatures& features)
{
    AcceleratorCase settings{towers, 5};
    settings.features = features;
    settings.learningRate = 0.5;
    settings.network = denseNetwork(towers == 1 ? 0.0 : 0.1);
    return settings;
}

/// The largest relative distance between two series of losses.
double distance(const std::vector<double>& got, const std::vector<double>& expected)
{
    double largest = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        largest = std::max(largest, std::abs(got[i] - expected[i]) / expected[i]);
    }
    return largest;
}

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

StepFeatures none()
{
    return StepFeatures::all()
        .without(StepFeature::Head)
        .without(StepFeature::Epilogues)
        .without(StepFeature::FinishedGradients);
}

void addFeatures()
{
    const StepFeatures all = StepFeatures::all();
    QTest::addColumn<StepFeatures>("features");
    QTest::newRow("all") << all;
    QTest::newRow("without head") << all.without(StepFeature::Head);
    QTest::newRow("without epilogues") << all.without(StepFeature::Epilogues);
    QTest::newRow("without finished gradients") << all.without(StepFeature::FinishedGradients);
    QTest::newRow("none") << none();
}

/// Tasks of a step that is not captured.
std::int64_t tasksOf(const StepFeatures& features, Epilogues known = Epilogues::All)
{
    std::vector<std::int64_t> tasks;
    for (const std::int64_t steps : {1, 2}) {
        AcceleratorCase settings = caseOf(1, features);
        settings.isCaptured = false;
        AcceleratorRun run(settings);
        test::knowEpilogues(known);
        run.start();
        const std::int64_t before = emulation::counters().tasksRun;
        static_cast<void>(run.losses(0, steps));
        tasks.push_back(emulation::counters().tasksRun - before);
    }
    return tasks[1] - tasks[0];
}

} // namespace

class TestAcceleratorHead : public QObject
{
    Q_OBJECT

private slots:
    static void Losses_withAnyFeatures_areThoseOfTheCpu_data() { addFeatures(); }
    static void Losses_withAnyFeatures_areThoseOfTheCpu()
    {
        QFETCH(StepFeatures, features);
        for (const int towers : {1, 3}) {
            AcceleratorCase settings = caseOf(towers, features);
            const StepsTaken got = takeSteps(settings, kSteps);
            settings.isOnHost = true;
            const StepsTaken expected = takeSteps(settings, kSteps);
            QVERIFY(distance(got.losses, expected.losses) < 1e-6);
            QVERIFY((test::relativeError<float, float>(got.weights, expected.weights) < 2e-6));
            QVERIFY(
                meanOf(std::span(expected.losses).last(10))
                < meanOf(std::span(expected.losses).first(10)));
        }
    }

    /// Operands are rounded as without them; sums are taken in another order.
    static void Losses_bfloat16_areThoseWithoutFeatures_data() { addFeatures(); }
    static void Losses_bfloat16_areThoseWithoutFeatures()
    {
        QFETCH(StepFeatures, features);
        AcceleratorCase settings = caseOf(3, features);
        settings.precision = Precision::Bfloat16;
        const StepsTaken got = takeSteps(settings, 1);
        const StepsTaken longer = takeSteps(settings, kSteps);
        settings.features = none();
        const StepsTaken expected = takeSteps(settings, 1);
        QVERIFY(distance(got.losses, expected.losses) < 1e-6);
        // A sum that falls to the other side is rounded otherwise.
        QVERIFY((test::relativeError<float, float>(got.weights, expected.weights) < 1e-4));
        QVERIFY(distance(longer.losses, takeSteps(settings, kSteps).losses) < 5e-3);
    }

    static void Epilogues_thatCublasltLacks_areKernels()
    {
        const std::int64_t tasks = tasksOf(StepFeatures::all());
        QVERIFY(tasksOf(StepFeatures::all(), Epilogues::OfMasks) > tasks);
        QVERIFY(tasksOf(StepFeatures::all(), Epilogues::OfForward) > tasks);
        for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
            AcceleratorCase settings = caseOf(3, StepFeatures::all());
            settings.precision = precision;
            const StepsTaken expected = takeSteps(settings, 5);
            for (const Epilogues known : {Epilogues::OfMasks, Epilogues::OfForward}) {
                AcceleratorRun run(settings);
                test::knowEpilogues(known);
                run.start();
                const std::vector<double> losses = run.losses(0, 5);
                QVERIFY(distance(losses, expected.losses) < 1e-6);
                QVERIFY(
                    (test::relativeError<float, float>(run.parameters(), expected.weights)
                     < (precision == Precision::Float32 ? 1e-6 : 1e-3)));
            }
        }
    }

    static void Steps_anyOrderOfTheDevice_haveTheSameBits()
    {
        AcceleratorCase settings = caseOf(3, StepFeatures::all());
        const StepsTaken expected = takeSteps(settings, 10);
        for (const bool isCaptured : {true, false}) {
            for (const std::uint64_t seed : {2U, 3U}) {
                settings.isCaptured = isCaptured;
                settings.machine.seed = seed;
                settings.machine.eagerness = seed == 3 ? 0.3 : 0.0;
                QVERIFY(takeSteps(settings, 10) == expected);
            }
        }
    }

    /// The logits and the loss both ways, local4's way back to local3, two biases.
    static void Features_makeStepsShorter()
    {
        const std::int64_t all = tasksOf(StepFeatures::all());
        const std::int64_t without = tasksOf(none());
        QCOMPARE(without - all, std::int64_t{6});
        // The tail: average, check of the losses, update, report.
        QCOMPARE(tasksOf(none().without(StepFeature::Tail)) - without, std::int64_t{3});
    }
};

LOCKSTEP_TEST(TestAcceleratorHead)
#include "test_accelerator_head.moc"
