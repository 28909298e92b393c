// SPDX-License-Identifier: Apache-2.0
// The self-test on an emulated GPU: what is wrong is named, and the rest runs all the same.
#include "cuda/emulated_runtime.h"
#include "cuda/fake_libraries.h"
#include "device/cuda/cuda_device.h"
#include "session/selftest/selftest.h"
#include "session/selftest/selftest_cases.h"
#include "session/selftest/selftest_trial.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

using namespace lockstep;

namespace {

std::vector<SelftestLine> runOnGpu(const SelftestSettings& settings)
{
    return runSelftest(cuda::CudaDevice(0), settings);
}

/// "name: failure" of each line that is not right.
QStringList failures(const std::vector<SelftestLine>& lines)
{
    QStringList texts;
    for (const SelftestLine& line : lines) {
        if (!line.isPassed()) {
            texts.append(QString::fromStdString(line.name + ": " + line.failure));
        }
    }
    return texts;
}

} // namespace

class TestEmulatedSelftest : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void Precisions_byDefault_beginWithBfloat16();
    void Only_withoutAMatch_namesSome();
    void Check_thatThrows_isALineAndTheNextGoesOn();
    void Gpu_lost_isNamedWithWhatIsNotRun();
    void Capture_failed_isNamed();
    void Gradient_wrong_isFound();
    void LargeCases_areSharedOutAmongBlocks();
    void LayersOfToday_areThoseOfTheReference_data();
    void LayersOfToday_areThoseOfTheReference();
    void EveryOptimizer_isThatOfTheReference();
};

void TestEmulatedSelftest::init()
{
    emulation::reset();
    test::resetFakeLibraries();
}

void TestEmulatedSelftest::Precisions_byDefault_beginWithBfloat16()
{
    const auto lines = runOnGpu({.only = "elementwise relu"});
    QCOMPARE(failures(lines), QStringList());
    QCOMPARE(lines.size(), std::size_t{9}); // of 3 precisions
    QVERIFY(lines.front().name.starts_with("bfloat16"));
    QVERIFY(lines.back().name.starts_with("float32"));
    const auto chosen =
        runOnGpu({.precisions = {Precision::Tf32, Precision::Float32}, .only = "elementwise relu"});
    QCOMPARE(chosen.size(), std::size_t{6});
    QVERIFY(chosen.front().name.starts_with("tf32") && chosen.back().name.starts_with("float32"));
}

void TestEmulatedSelftest::Only_withoutAMatch_namesSome()
{
    const QString text = test::failureOf([] { runOnGpu({.only = "lnr"}); });
    QVERIFY2(text.contains("'lnr'") && text.contains("conv"), qPrintable(text));
}

void TestEmulatedSelftest::Check_thatThrows_isALineAndTheNextGoesOn()
{
    const SelftestSettings settings{.precisions = {Precision::Float32}, .only = "lrn"};
    const std::size_t whole = runOnGpu(settings).size();
    constexpr int kInTheFirst = 3;
    emulation::failNext("cudaMalloc", cudaErrorMemoryAllocation, kInTheFirst);
    const auto lines = runOnGpu(settings);
    const QStringList failed = failures(lines);
    QCOMPARE(failed.size(), 1);
    QVERIFY2(failed.front().startsWith("float32 lrn radius"), qPrintable(failed.front()));
    QVERIFY2(failed.front().contains("memory"), qPrintable(failed.front()));
    // Of the first check one line is left of three.
    QCOMPARE(lines.size(), whole - 2);
}

void TestEmulatedSelftest::Gpu_lost_isNamedWithWhatIsNotRun()
{
    emulation::MachineSettings machine;
    machine.trapAt = 0;
    emulation::reset(machine);
    const QStringList failed =
        failures(runOnGpu({.precisions = {Precision::Float32}, .only = "lrn"}));
    QCOMPARE(failed.size(), 3);
    QVERIFY2(failed[0].contains("cudaErrorLaunchFailure"), qPrintable(failed[0]));
    QVERIFY2(failed[0].contains("cuda:0 no longer answers"), qPrintable(failed[0]));
    QVERIFY2(failed[1].startsWith("float32 lrn radius"), qPrintable(failed[1]));
    QVERIFY2(failed[2].contains("not run, the device failed before"), qPrintable(failed[2]));
}

void TestEmulatedSelftest::Capture_failed_isNamed()
{
    emulation::failNext("cudaStreamEndCapture", cudaErrorStreamCaptureUnsupported);
    const auto lines =
        runOnGpu({.precisions = {Precision::Float32}, .only = "captured against eager"});
    const QStringList failed = failures(lines);
    QCOMPARE(failed.size(), 1);
    QVERIFY2(failed[0].startsWith("float32 cifar10, captured"), qPrintable(failed[0]));
    QVERIFY2(failed[0].contains("can't be captured"), qPrintable(failed[0]));
    QCOMPARE(lines.size(), std::size_t{3}); // that one, and both of the other network
}

void TestEmulatedSelftest::Gradient_wrong_isFound()
{
    test::spoilWeightGradients();
    const QStringList failed =
        failures(runOnGpu({.precisions = {Precision::Bfloat16}, .only = "conv2d 3x3"}));
    QVERIFY(failed.size() >= 4);
    for (const QString& text : failed) {
        // That of src is shown by the weights of a convolution before it.
        QVERIFY2(
            text.contains("gradient of weight") || text.contains("gradient of src"),
            qPrintable(text));
    }
}

void TestEmulatedSelftest::LargeCases_areSharedOutAmongBlocks()
{
    const cuda::CudaDevice device(0);
    const auto tallLaunches = [&](const OpCase& one, Precision precision) {
        const std::int64_t before = emulation::counters().tallLaunches;
        const Trial trial(
            device, networkAround(one),
            {.examples = one.rows,
             .precision = precision,
             .seed = 7,
             // Or cuBLASLt, or the op behind it, takes the sums of a fully connected layer.
             .features = StepFeatures::all()
                             .without(StepFeature::Epilogues)
                             .without(StepFeature::FinishedGradients)});
        return emulation::counters().tallLaunches - before;
    };
    for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
        for (const OpCase& one : largeCases()) {
            if (std::holds_alternative<GlobalPool>(one.spec)) {
                continue; // a block takes whole planes
            }
            // Around the layer are others, of which some add up, too.
            OpCase plain = one;
            plain.spec = Elementwise{};
            QVERIFY2(
                tallLaunches(one, precision) > tallLaunches(plain, precision), one.name.c_str());
        }
    }
    QCOMPARE(emulation::lastFault(), std::string());
}

void TestEmulatedSelftest::LayersOfToday_areThoseOfTheReference_data()
{
    QTest::addColumn<QString>("only");
    for (const char* only :
         {"groups", "conv_transpose2d", "with padding", "layer_norm", "unbiased", "add", "scale",
          "silu", "gelu", "hard_swish", "hard_sigmoid", "classes with weights"}) {
        QTest::newRow(only) << only;
    }
}

void TestEmulatedSelftest::LayersOfToday_areThoseOfTheReference()
{
    QFETCH(QString, only);
    const auto lines = runOnGpu({.only = only.toStdString()});
    QVERIFY(lines.size() >= 3); // of 3 precisions
    QCOMPARE(failures(lines), QStringList());
}

void TestEmulatedSelftest::EveryOptimizer_isThatOfTheReference()
{
    const auto lines = runOnGpu({.precisions = {Precision::Float32}, .only = "update by"});
    QVERIFY(lines.size() >= 5);
    QCOMPARE(failures(lines), QStringList());
}

LOCKSTEP_TEST(TestEmulatedSelftest)
#include "test_emulated_selftest.moc"
