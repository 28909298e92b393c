// SPDX-License-Identifier: Apache-2.0
// Conv2d and Dense of the CUDA device, with loops in place of cuDNN and cuBLASLt: what they ask of
// the libraries, what they do before and after, where they keep what.
#include "cuda/fake_libraries.h"
#include "cuda/kernel_test.h"
#include "cuda/op_trial.h"
#include "support/compare.h"
#include "support/failure_of.h"

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

Q_DECLARE_METATYPE(lockstep::test::OpTrialSettings)

namespace {

/// Every layer in the three precisions; in bfloat16 also behind a layer of float32 values.
void addRows(const char* name, const LayerSpec& layer, const Shape& src, bool isInput = false)
{
    for (const Precision precision : {Precision::Float32, Precision::Tf32, Precision::Bfloat16}) {
        OpTrialSettings settings;
        settings.layer = layer;
        settings.src = src;
        settings.precision = precision;
        settings.srcIsInput = isInput;
        QTest::addRow("%s, %s", name, toString(precision).c_str()) << settings;
        if (precision == Precision::Bfloat16 && !isInput) {
            settings.srcIsFloat32 = true;
            QTest::addRow("%s, behind float32", name) << settings;
        }
    }
}

Conv2d conv(Extent kernel, Extent stride, Padding padding, Activation activation)
{
    return test::convolution(6, kernel, stride, padding, activation);
}

Conv2d withoutBias(Extent kernel, Activation activation)
{
    Conv2d layer = conv(kernel, {1, 1}, Padding::Same, activation);
    layer.hasBias = false;
    return layer;
}

void addLayers()
{
    QTest::addColumn<OpTrialSettings>("settings");
    const Activation relu = Activation::Relu;
    const Activation none = Activation::None;
    addRows("5x5 same", conv({5, 5}, {1, 1}, Padding::Same, relu), {6, 7, 8});
    addRows("3x3 valid", conv({3, 3}, {1, 1}, Padding::Valid, none), {5, 4, 3});
    addRows("2x2 same: uneven", conv({2, 2}, {1, 1}, Padding::Same, relu), {4, 5, 5});
    addRows("3x3 by 2: uneven", conv({3, 3}, {2, 2}, Padding::Same, relu), {8, 6, 4});
    addRows("3x3 by 2: even", conv({3, 3}, {2, 2}, Padding::Same, none), {7, 5, 8});
    addRows("3x2 by 1x2", conv({3, 2}, {1, 2}, Padding::Same, relu), {5, 6, 3});
    addRows("1x1 by 3", conv({1, 1}, {3, 3}, Padding::Same, none), {7, 7, 2});
    addRows("without bias", withoutBias({3, 3}, none), {5, 6, 4});
    addRows("without bias, relu", withoutBias({2, 2}, relu), {4, 5, 8});
    addRows("5x5 on images", conv({5, 5}, {1, 1}, Padding::Same, relu), {6, 6, 3}, true);
    addRows("uneven on images", conv({4, 4}, {2, 2}, Padding::Same, relu), {7, 6, 3}, true);
    addRows("dense with relu", test::fullyConnected(9, relu), {3, 2, 5});
    addRows("dense with relu, 16", test::fullyConnected(16, relu), {1, 1, 32});
    addRows("logits", test::fullyConnected(10), {2, 2, 4});
    addRows("logits on images", test::fullyConnected(10), {3, 2, 3}, true);
}

/// Rounding of one value of the type that is written; sums are exact to float32.
double allowedError(bool isRounded)
{
    return isRounded ? 3e-3 : 2e-6;
}

void compare(
    const std::vector<float>& got, const std::vector<double>& expected, bool isRounded,
    const char* what)
{
    const double error = test::relativeError<float, double>(got, expected);
    QVERIFY2(
        error < allowedError(isRounded),
        qPrintable(QString("%1: relative error %2").arg(what).arg(error)));
}

} // namespace

class TestCudaLibraryOps : public QObject
{
    Q_OBJECT
private slots:
    static void init()
    {
        emulation::reset();
        test::resetFakeLibraries();
    }
    static void cleanup() { QCOMPARE(emulation::lastFault(), std::string()); }

    static void forward_anyLayer_matchesTheDefinition_data() { addLayers(); }
    static void forward_anyLayer_matchesTheDefinition()
    {
        QFETCH(OpTrialSettings, settings);
        OpTrial trial(settings);
        trial.forward();
        compare(trial.dst(), trial.expectedDst(), trial.isRounded(), "dst");
    }

    static void backward_anyLayer_matchesTheDefinition_data() { addLayers(); }
    static void backward_anyLayer_matchesTheDefinition()
    {
        QFETCH(OpTrialSettings, settings);
        OpTrial trial(settings);
        trial.forward();
        trial.backward();
        const auto expected = trial.expectedGradients();
        // In bfloat16 the gradient of float32 logits is rounded before it is multiplied.
        const bool hasRoundedDiff =
            settings.precision == Precision::Bfloat16 && trial.dstIsFloat32();
        compare(trial.diffWeights(), expected.weights, hasRoundedDiff, "diffWeights");
        compare(trial.diffBias(), expected.bias, false, "diffBias");
        if (!settings.srcIsInput) {
            compare(
                trial.diffSrc(), expected.src, settings.precision == Precision::Bfloat16,
                "diffSrc");
        }
    }

    static void backward_frozenParameters_makesDiffSrcOnly()
    {
        for (const LayerSpec& layer :
             {LayerSpec(conv({3, 3}, {1, 1}, Padding::Same, Activation::Relu)),
              LayerSpec(test::fullyConnected(5, Activation::Relu))}) {
            OpTrialSettings settings;
            settings.layer = layer;
            settings.src = {4, 4, 3};
            settings.trainsParameters = false;
            OpTrial trial(settings);
            trial.forward();
            trial.backward();
            compare(trial.diffSrc(), trial.expectedGradients().src, false, "diffSrc");
            for (const float value : trial.diffWeights()) {
                QVERIFY(std::isnan(value)); // as new memory is: nobody wrote there
            }
        }
    }

    static void forward_nanInWeights_reachesDstThroughRelu()
    {
        for (const LayerSpec& layer :
             {LayerSpec(conv({3, 3}, {1, 1}, Padding::Valid, Activation::Relu)),
              LayerSpec(test::fullyConnected(5, Activation::Relu))}) {
            for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
                OpTrialSettings settings;
                settings.layer = layer;
                settings.src = {4, 4, 3};
                settings.precision = precision;
                OpTrial trial(settings);
                trial.spoilWeight();
                trial.forward();
                trial.backward();
                QVERIFY(std::isnan(trial.dst().front()));
                QVERIFY(std::isnan(trial.diffSrc().front()));
            }
        }
    }

    static void plan_inference_plansForwardOnly()
    {
        OpTrialSettings settings;
        settings.layer = conv({3, 3}, {1, 1}, Padding::Same, Activation::Relu);
        settings.src = {4, 4, 3};
        settings.isTraining = false;
        const OpTrial trial(settings);
        QCOMPARE(test::plannedSpecs().size(), std::size_t{1});
        QCOMPARE(
            test::plannedSpecs().front(),
            "fprop float32 2x4x4x3 * 6x3x3, stride 1x1, padding 1x1 + bias + relu");
    }

    static void plan_describeOfBefore_isAskedForAgain()
    {
        for (const LayerSpec& layer :
             {LayerSpec(conv({3, 3}, {1, 1}, Padding::Same, Activation::Relu)),
              LayerSpec(test::fullyConnected(5))}) {
            OpTrialSettings settings;
            settings.layer = layer;
            settings.src = {4, 4, 3};
            settings.algorithm = "fprop one k1=2; dgrad two + kernel; wgrad three";
            test::resetFakeLibraries();
            const OpTrial trial(settings);
            QCOMPARE(trial.describe(), settings.algorithm);
            QCOMPARE(test::plannedSpecs().size(), std::size_t{3});
            QVERIFY(test::plannedSpecs().at(0).ends_with(" <- one k1=2"));
        }
    }

    static void plan_algorithmWithoutBackward_choosesTheRest()
    {
        OpTrialSettings settings;
        settings.layer = test::fullyConnected(5);
        settings.src = {4, 4, 3};
        settings.algorithm = "fprop one";
        const OpTrial trial(settings);
        QCOMPARE(trial.describe(), std::string("fprop one; dgrad fake matmul; wgrad fake matmul"));
    }

    static void plan_libraryFails_passesTheErrorOn()
    {
        for (const ErrorCode code : {ErrorCode::Device, ErrorCode::OutOfMemory}) {
            for (int after = 0; after < 3; ++after) {
                test::failNextPlan(code, after);
                OpTrialSettings settings;
                settings.layer = conv({3, 3}, {1, 1}, Padding::Same, Activation::Relu);
                settings.src = {4, 4, 3};
                QVERIFY(tells(errorOf([&] { const OpTrial trial(settings); }), code));
            }
        }
    }

    static void step_captured_givesTheBitsOfTheEagerOne()
    {
        OpTrialSettings settings;
        settings.layer = conv({2, 2}, {1, 1}, Padding::Same, Activation::Relu);
        settings.src = {4, 5, 5};
        settings.precision = Precision::Bfloat16;
        OpTrial eager(settings);
        eager.forward();
        eager.backward();
        OpTrial captured(settings);
        captured.runCaptured();
        QCOMPARE(captured.dst(), eager.dst());
        QCOMPARE(captured.diffWeights(), eager.diffWeights());
        QCOMPARE(captured.diffBias(), eager.diffBias());
        QCOMPARE(captured.diffSrc(), eager.diffSrc());
    }
};

LOCKSTEP_TEST(TestCudaLibraryOps)
#include "test_cuda_library_ops.moc"
