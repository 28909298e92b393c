// SPDX-License-Identifier: Apache-2.0
// What a network with masks needs beside normalisation, on the CPU against the float64 reference:
// activations as layers, joined channels, global pooling, sigmoid cross entropy, convolutions
// without bias and with wide filters; and a whole small network of them.
#include "device/op_cases.h"
#include "device/op_check.h"
#include "support/lockstep_test.h"
#include "support/mask_network.h"
#include "support/precisions.h"
#include "support/replica_check.h"

using namespace lockstep;
using test::behindConvolution;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

Conv2d withoutBias(Conv2d conv)
{
    conv.hasBias = false;
    return conv;
}

} // namespace

class TestMaskOps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void Elementwise_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(401);
        for (const auto activation : {Activation::Relu, Activation::Sigmoid, Activation::None}) {
            for (int number = 0; number < 8; ++number) {
                const Shape src = test::randomShape(random, 8, 9);
                QTest::newRow(qPrintable(QString("%1, %2, %3")
                                             .arg(int(activation))
                                             .arg(number)
                                             .arg(QString::fromStdString(toString(src)))))
                    << behindConvolution(src, Elementwise{activation});
            }
        }
        QTest::newRow("on the input")
            << test::chain({5, 4, 3}, {Elementwise{Activation::Sigmoid}}, 4, true);
        QTest::newRow("on a vector")
            << test::chain({5, 4, 3}, {fullyConnected(7), Elementwise{Activation::Relu}}, 4, true);
        QTest::newRow("many values")
            << behindConvolution({67, 71, 3}, Elementwise{Activation::Sigmoid});
    }
    void Elementwise_equalsTheReference() { test::checkFetchedNetwork(); }

    void GlobalPool_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(402);
        for (const auto reduction : {Reduction::Average, Reduction::Max}) {
            for (int number = 0; number < 8; ++number) {
                const Shape src = test::randomShape(random, 8, 9);
                QTest::newRow(qPrintable(QString("%1, %2, %3")
                                             .arg(int(reduction))
                                             .arg(number)
                                             .arg(QString::fromStdString(toString(src)))))
                    << behindConvolution(src, GlobalPool{reduction});
            }
        }
        QTest::newRow("on the input")
            << test::chain({5, 4, 3}, {GlobalPool{Reduction::Max}}, 4, true);
    }
    void GlobalPool_equalsTheReference() { test::checkFetchedNetwork(); }

    void Concat_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(403);
        for (int number = 0; number < 16; ++number) {
            const auto inputs = random.integer(1, 4);
            NetworkBuilder builder("joined", {random.integer(1, 6), random.integer(1, 6), 3}, 4);
            std::vector<LayerId> parts;
            QString name = QString::number(number);
            for (std::int64_t i = 0; i < inputs; ++i) {
                const auto channels = random.oneOf(test::kOpChannels);
                parts.push_back(
                    builder.add("part" + std::to_string(i), convolution(channels, {1, 1}), {0}));
                name += QString(", %1").arg(channels);
            }
            if (number % 4 == 0) {
                parts.push_back(0); // the images themselves
            }
            if (number % 4 == 1) {
                parts.push_back(parts.front()); // one of them twice
            }
            LayerId top = builder.add("joined", Concat{}, parts);
            builder.output("joined", top);
            top = builder.add("behind", convolution(5, {2, 2}), {top});
            top = builder.add("logits", fullyConnected(4), {top});
            builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {}});
            QTest::newRow(qPrintable(name)) << builder.build();
        }
    }
    void Concat_equalsTheReference() { test::checkFetchedNetwork(); }

    void Conv2d_wideOrWithoutBias_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(404);
        for (const std::int64_t width : {1, 5, 14, 15, 16, 17}) {
            for (int number = 0; number < 3; ++number) {
                const Shape src{
                    random.integer(3, 17), random.integer(16, 20),
                    random.oneOf<std::int64_t>({1, 8, 16, 17})};
                auto conv = convolution(
                    random.oneOf<std::int64_t>({1, 8, 24}), {random.integer(1, 15), width});
                conv.hasBias = number == 1;
                QTest::newRow(qPrintable(QString("%1 wide, %2, %3")
                                             .arg(width)
                                             .arg(number)
                                             .arg(QString::fromStdString(toString(src)))))
                    << behindConvolution(src, conv);
            }
        }
        // Where a half would need less than no padding, the whole filter is worked out at once.
        QTest::newRow("wide, no padding") << behindConvolution(
            {4, 20, 16}, withoutBias(convolution(8, {3, 15}, {1, 1}, Padding::Valid)));
        // Large enough for transforms of tiles: one tile and several, cut off at the borders.
        QTest::newRow("transformed, 15x15")
            << behindConvolution({20, 24, 16}, withoutBias(convolution(48, {15, 15})));
        QTest::newRow("transformed, 11x13")
            << behindConvolution({41, 23, 32}, withoutBias(convolution(16, {11, 13})));
        QTest::newRow("transformed, 16x16")
            << behindConvolution({17, 35, 16}, withoutBias(convolution(32, {16, 16})));
        QTest::newRow("wide, strides")
            << behindConvolution({9, 20, 16}, withoutBias(convolution(8, {3, 15}, {2, 2})));
    }
    void Conv2d_wideOrWithoutBias_equalsTheReference() { test::checkFetchedNetwork(); }

    void Conv2d_transformedWithRelu_equalsTheReference()
    {
        auto conv = withoutBias(convolution(48, {15, 15}));
        conv.activation = Activation::Relu;
        using namespace test::tolerance;
        // Sums of coarse values are often 0, and no more than all but 0 by way of transforms.
        test::checkNetwork(
            behindConvolution({20, 24, 16}, conv),
            {2, 2, kBackward, kOpBfloat16, kDecidedBfloat16});
    }

    void MaskNetwork_everyPhase_equalsTheReference_data()
    {
        QTest::addColumn<QString>("objectives");
        QTest::addColumn<NormalizationMode>("mode");
        QTest::addColumn<bool>("hasScale");
        for (const char* objectives : {"segmentation", "decision", "joint"}) {
            QTest::addRow("%s, per image", objectives)
                << objectives << NormalizationMode::PerImage << true;
            QTest::addRow("%s, batch, no gamma", objectives)
                << objectives << NormalizationMode::Batch << false;
        }
    }

    void MaskNetwork_everyPhase_equalsTheReference()
    {
        QFETCH(QString, objectives);
        QFETCH(NormalizationMode, mode);
        QFETCH(bool, hasScale);
        const NetworkSpec whole = test::maskNetwork(mode, hasScale);
        const NetworkSpec network =
            whole.withObjectives(objectivesNamed(whole, objectives.toStdString()), {});
        using namespace test::tolerance;
        test::checkNetwork(network, {3, 2, kChain, kChainBfloat16, kDecidedBfloat16});

        // Objectives that only report do so, and train nothing.
        QFETCH_GLOBAL(Precision, precision);
        Random random(405);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 3, random);
        const test::CpuPass pass(network, parameters, examples, {precision});
        const auto updated = network.updatedParameters();
        for (std::size_t i = 0; i < updated.size(); ++i) {
            QCOMPARE(test::norm(pass.gradient(i)) > 0.0, bool(updated[i]));
        }
        for (const ObjectiveResult& result : pass.replica().results()) {
            QVERIFY(std::isfinite(result.lossSum) && result.lossSum > 0.0);
        }
    }

    void Correct_ofASigmoid_countsRowsThatAgreeWithTheirMask()
    {
        // The logits are the images: no layer but a convolution by one.
        NetworkBuilder builder("plain", {2, 3, 1}, 2);
        const LayerId map = builder.add("map", withoutBias(convolution(1, {1, 1})), {0});
        builder.mask(2, 3);
        builder.objective({"loss", 1.0, SigmoidCrossEntropy{map}, {}});
        const NetworkSpec network = builder.build();
        test::Examples examples;
        examples.labels = {0, 0, 0, 0};
        const float h = 0.5F;
        examples.images = {-1, -1, -1, -1, -1, 0,   // nothing found, nothing there
                           -1, -1, -1, -1, -1, 3,   // found, but not there
                           -1, -1, -1, -1, -1, -3,  // there, but not found
                           -1, 2,  -1, -1, -1, -1}; // both, elsewhere
        examples.masks = {0, 0, 0, 0, 0, 0.4F, 0, 0, 0, 0, 0, 0.4F,
                          h, 0, 0, 0, 0, 0,    h, 0, 0, 0, 0, 0};
        QFETCH_GLOBAL(Precision, precision);
        const test::CpuPass pass(network, {{1.0}}, examples, {precision});
        QCOMPARE(pass.replica().results().front().correct, 2);
    }

    void SigmoidCrossEntropy_ofHugeLogits_isFinite()
    {
        NetworkBuilder builder("plain", {1, 2, 1}, 2);
        const LayerId map = builder.add("map", withoutBias(convolution(1, {1, 1})), {0});
        builder.mask(1, 2);
        builder.objective({"loss", 1.0, SigmoidCrossEntropy{map}, {}});
        const NetworkSpec network = builder.build();
        test::Examples examples;
        examples.labels = {0};
        examples.images = {1000.0F, -2000.0F};
        examples.masks = {0.0F, 0.5F};
        const test::CpuPass pass(network, {{1.0}}, examples);
        // max(z, 0) - z * t of each cell, and their mean.
        QCOMPARE(pass.replica().results().front().lossSum, (1000.0 + 1000.0) / 2.0);
        // (s - t) * x / cells, summed: (1 - 0) * 1000 and (0 - 0.5) * -2000, halved.
        QCOMPARE(pass.gradient(0).front(), 1000.0F);
    }
};

LOCKSTEP_TEST(TestMaskOps)
#include "test_mask_ops.moc"
