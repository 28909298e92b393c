// SPDX-License-Identifier: Apache-2.0
// Steps that go wrong on emulated GPUs: nothing bad reaches the weights, and the text says whose
// fault it is.
#include "cuda/accelerator_run.h"
#include "cuda/spoilt_dataset.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cmath>

using namespace lockstep;
using test::AcceleratorCase;
using test::AcceleratorRun;
using test::failureOf;
using test::Place;
using test::placeOf;
using test::SpoiltDataset;
using test::takeSteps;

namespace {

/// Changes the weights so that the gradient of local3's overflows while the loss stays finite: the
/// logits are sums that cancel, of terms whose derivatives are huge, and what local3 reads is large
/// but, multiplied by zeros, does not show.
void overflowLocal3(const AcceleratorRun& run)
{
    const ParameterArena& arena = run.stepper->arena();
    for (std::size_t i = 0; i < run.network.parameters.size(); ++i) {
        const std::string& name = run.network.parameters[i].name;
        const auto number = static_cast<int>(i);
        auto values = arena.read(arena.weights(), number);
        const auto units = static_cast<std::size_t>(run.network.parameters[i].shape.back());
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (name == "conv2.weight") {
                values[k] *= 1e4F;
            } else if (name == "local3.weight" || name == "logits.bias") {
                values[k] = 0.0F;
            } else if (name == "local3.bias") {
                values[k] = 1.0F;
            } else if (name == "logits.weight") {
                const float size = k < units ? 1e37F : 0.0F; // of class 0
                values[k] = k % 2 == 0 ? size : -size;
            }
        }
        arena.write(arena.weights(), number, values);
    }
    run.stepper->parametersChanged();
}

} // namespace

class TestAcceleratorStepFailures : public QObject
{
    Q_OBJECT

private slots:
    void Loss_notANumber_stopsBeforeTheUpdate_data();
    void Loss_notANumber_stopsBeforeTheUpdate();
    void Gradient_notFinite_namesTheParameter();
    void Fault_afterIt_startGoesOn();
    void Memory_tooSmall_saysHowMuchAndWhose();
    void Planning_failed_namesTowerAndLayer();
    void Device_failed_isNamed_data();
    void Device_failed_isNamed();
    void Capture_failed_stepsAreEnqueuedAnew_data();
    void Capture_failed_stepsAreEnqueuedAnew();
    void Run_ended_leavesNothing();
};

void TestAcceleratorStepFailures::Loss_notANumber_stopsBeforeTheUpdate_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("towers");
    QTest::newRow("1 tower") << 1 << 1;
    QTest::newRow("3 towers") << 1 << 3;
    QTest::newRow("3 towers on 2 GPUs") << 2 << 3;
}

void TestAcceleratorStepFailures::Loss_notANumber_stopsBeforeTheUpdate()
{
    QFETCH(int, devices);
    QFETCH(int, towers);
    AcceleratorCase settings{towers, 2};
    settings.machine.devices = devices;
    SpoiltDataset dataset(37, {12, 11, 3});
    for (const std::int64_t example : {3, 20, 36}) {
        dataset.spoilt = -1;
        const Place place = placeOf(example, settings, dataset.size());
        const auto before = takeSteps(settings, place.step, &dataset);
        dataset.spoilt = example;
        AcceleratorRun run(settings, &dataset);
        run.start();
        constexpr std::int64_t kFarAhead = 1000;
        StepOutcome outcome;
        for (std::int64_t step = 0; step <= place.step; ++step) {
            QVERIFY(!outcome.fault);
            outcome = run.stepper->next(kFarAhead); // the devices have gone on meanwhile
        }
        QVERIFY(outcome.fault);
        QCOMPARE(outcome.fault->parameter, -1);
        QCOMPARE(outcome.fault->tower, place.tower);
        QVERIFY(run.parameters() == before.weights);
        QVERIFY(run.parameters(true) == before.averages);
    }
}

void TestAcceleratorStepFailures::Gradient_notFinite_namesTheParameter()
{
    for (const bool isOnHost : {true, false}) {
        AcceleratorCase settings{2, 4};
        settings.isOnHost = isOnHost;
        AcceleratorRun run(settings);
        run.start();
        overflowLocal3(run);
        run.stepper->start(0, 0);
        const auto before = run.parameters();
        const StepOutcome outcome = run.stepper->next(1);
        QVERIFY(outcome.fault);
        for (const TowerResult& tower : outcome.towers) {
            QVERIFY(std::isfinite(tower.lossSum));
        }
        QVERIFY(outcome.fault->parameter >= 0);
        const auto number = static_cast<std::size_t>(outcome.fault->parameter);
        QCOMPARE(run.network.parameters[number].name, std::string("local3.weight"));
        QVERIFY(outcome.fault->tower >= 0);
        QVERIFY(run.parameters() == before);
    }
}

void TestAcceleratorStepFailures::Fault_afterIt_startGoesOn()
{
    const AcceleratorCase settings{2, 4};
    SpoiltDataset dataset(37, {12, 11, 3});
    dataset.spoilt = 0;
    while (placeOf(dataset.spoilt, settings, dataset.size()).step < 3) {
        ++dataset.spoilt;
    }
    AcceleratorRun run(settings, &dataset);
    run.start();
    const auto first = run.losses(0, 3);
    while (!run.stepper->next(1000).fault) {
    }
    run.stepper->arena().initialize(run.network, 3);
    run.stepper->parametersChanged();
    run.stepper->start(0, 0);
    QVERIFY(run.losses(0, 3) == first);
}

void TestAcceleratorStepFailures::Memory_tooSmall_saysHowMuchAndWhose()
{
    AcceleratorCase settings{4, 64};
    settings.machine.memoryPerDevice = std::size_t{2} << 20U;
    AcceleratorRun run(settings);
    const QString text = failureOf([&] { run.make(); });
    QVERIFY2(text.contains("cuda:0"), qPrintable(text));
    QVERIFY2(text.contains("tower "), qPrintable(text));
    QVERIFY2(text.contains("MiB of memory were asked for"), qPrintable(text));
    QVERIFY2(text.contains("free"), qPrintable(text));
}

void TestAcceleratorStepFailures::Planning_failed_namesTowerAndLayer()
{
    AcceleratorRun run({2, 4});
    test::failNextPlan(ErrorCode::Device, 3);
    const QString text = failureOf([&] { run.make(); });
    QVERIFY2(text.contains("tower 0") && text.contains("layer '"), qPrintable(text));
}

void TestAcceleratorStepFailures::Device_failed_isNamed_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("after");
    QTest::newRow("kernel") << "cudaLaunchKernel" << 15;
    QTest::newRow("graph") << "cudaGraphLaunch" << 2;
    QTest::newRow("waiting") << "cudaEventSynchronize" << 3;
}

void TestAcceleratorStepFailures::Device_failed_isNamed()
{
    QFETCH(QString, function);
    QFETCH(int, after);
    AcceleratorCase settings{2, 4};
    AcceleratorRun run(settings);
    run.start();
    emulation::failNext(function.toStdString(), cudaErrorLaunchFailure, after);
    const QString text = failureOf([&] {
        for (int i = 0; i < 50; ++i) {
            run.stepper->next(1000);
        }
    });
    QVERIFY2(text.contains("cuda:0 (towers 0 to 1): "), qPrintable(text));
    QVERIFY2(text.contains("cudaErrorLaunchFailure"), qPrintable(text));
}

void TestAcceleratorStepFailures::Capture_failed_stepsAreEnqueuedAnew_data()
{
    QTest::addColumn<QString>("function");
    QTest::addColumn<int>("after");
    QTest::addColumn<int>("devices");
    for (const int devices : {1, 2}) {
        const auto row = [&](const char* function, int after) {
            QTest::addRow("%s, %d devices", function, devices) << function << after << devices;
        };
        row("cudaStreamBeginCapture", 0);
        row("cudaStreamBeginCapture", devices == 1 ? 0 : 3); // some parts are captured
        row("cudaStreamEndCapture", 0);
        row("cudaGraphInstantiate", 0);
    }
    // In the middle of what is captured.
    QTest::addRow("kernel") << "cudaLaunchKernel" << 8 << 1;
}

/// With the same bits.
void TestAcceleratorStepFailures::Capture_failed_stepsAreEnqueuedAnew()
{
    QFETCH(QString, function);
    QFETCH(int, after);
    QFETCH(int, devices);
    constexpr std::int64_t kSteps = 6;
    AcceleratorCase settings{3, 4};
    settings.machine.devices = devices;
    AcceleratorRun run(settings);
    run.start();
    QVERIFY(std::isfinite(run.losses(0, 1).front())); // nothing is captured yet
    emulation::failNext(function.toStdString(), cudaErrorStreamCaptureUnsupported, after);
    static_cast<void>(run.losses(1, kSteps));
    const QString text = QString::fromStdString(run.stepper->captureFailure());
    QVERIFY2(text.contains("can't be captured") && text.contains("cuda:"), qPrintable(text));
    const auto got = run.parameters();
    settings.isCaptured = false;
    QVERIFY(got == takeSteps(settings, kSteps).weights);
}

void TestAcceleratorStepFailures::Run_ended_leavesNothing()
{
    {
        AcceleratorRun run({3, 4});
        run.start();
        run.stepper->next(1000);
    }
    const emulation::Counters left = emulation::counters();
    QCOMPARE(left.allocations, 0);
    QCOMPARE(left.hostAllocations, 0);
    QCOMPARE(left.streams, 0);
    QCOMPARE(left.events, 0);
    QCOMPARE(left.graphs, 0);
}

LOCKSTEP_TEST(TestAcceleratorStepFailures)
#include "test_accelerator_step_failures.moc"
