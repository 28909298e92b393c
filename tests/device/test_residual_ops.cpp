// SPDX-License-Identifier: Apache-2.0
// What residual, mobile and other networks of today need, on the CPU against the float64 reference:
// sums, gates, convolutions in groups and transposed ones, PyTorch's padding and running variance,
// layer normalisation, activations and weights of classes.
#include "device/op_cases.h"
#include "device/op_check.h"
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

using namespace lockstep;
using test::behindConvolution;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

QString nameOf(const char* what, int number, const Shape& shape)
{
    return QString("%1, %2, %3").arg(what).arg(number).arg(QString::fromStdString(toString(shape)));
}

/// A layer that reads several others: convolutions with these channels of the same images.
NetworkSpec joined(
    const Shape& src, const LayerSpec& layer, const std::vector<std::int64_t>& channels)
{
    NetworkBuilder builder("joined", {src.height, src.width, 3}, 4);
    std::vector<LayerId> inputs;
    for (const std::int64_t wanted : channels) {
        inputs.push_back(
            builder.add("part" + std::to_string(inputs.size()), convolution(wanted, {1, 1}), {0}));
    }
    LayerId top = builder.add("joined", layer, inputs);
    builder.output("joined", top);
    top = builder.add("behind", convolution(5, {2, 2}), {top});
    top = builder.add("logits", fullyConnected(4), {top});
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {}});
    return builder.build();
}

} // namespace

class TestResidualOps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void Add_anyInputs_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(501);
        for (int number = 0; number < 16; ++number) {
            const Shape src = test::randomShape(random, 7, 8);
            // Fewer channels: whole blocks of 8 and 16, and others.
            std::vector<std::int64_t> channels{src.channels};
            for (std::int64_t i = random.integer(0, 2); i >= 0; --i) {
                const bool isNarrow = random.integer(0, 1) == 0;
                channels.push_back(isNarrow ? random.integer(1, src.channels) : src.channels);
            }
            const auto activation = number % 2 == 0 ? Activation::Relu : Activation::None;
            QTest::newRow(qPrintable(nameOf("sum", number, src)))
                << joined(src, Add{activation}, channels);
        }
        QTest::newRow("half the blocks") << joined({5, 4, 32}, Add{Activation::Relu}, {32, 16});
        QTest::newRow("one input") << joined({5, 4, 17}, Add{Activation::Relu}, {17});
        QTest::newRow("many values") << joined({40, 41, 8}, Add{Activation::Relu}, {8, 8});
    }
    void Add_anyInputs_equalsTheReference() { test::checkFetchedNetwork(); }

    void Add_ofALayerAndWhatComesOfIt_equalsTheReference()
    {
        NetworkBuilder builder("residual", {6, 5, 3}, 4);
        LayerId top = builder.add("stem", convolution(16, {3, 3}), {0});
        for (const char* name : {"first", "second"}) {
            const LayerId begin = top;
            top = builder.add(std::string(name) + ".conv", convolution(16, {3, 3}), {top});
            top = builder.add(name, Add{Activation::Relu}, {top, begin});
        }
        builder.output("top", top);
        top = builder.add("logits", fullyConnected(4), {top});
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {}});
        using namespace test::tolerance;
        test::checkNetwork(builder.build(), {3, 2, kBackward, kDecidedBfloat16, kDecidedBfloat16});
    }

    void Scale_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(502);
        for (int number = 0; number < 10; ++number) {
            const Shape src = test::randomShape(random, 8, 9);
            NetworkBuilder builder("gate", {src.height, src.width, 3}, 4);
            const LayerId map = builder.add("map", convolution(src.channels, {1, 1}), {0});
            LayerId gate = builder.add("mean", GlobalPool{}, {map});
            gate = builder.add("gate", fullyConnected(src.channels), {gate});
            LayerId top = builder.add("scaled", Scale{}, {map, gate});
            builder.output("scaled", top);
            top = builder.add("logits", fullyConnected(4), {top});
            builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top}, {}});
            QTest::newRow(qPrintable(nameOf("gate", number, src))) << builder.build();
        }
    }
    void Scale_equalsTheReference() { test::checkFetchedNetwork(); }

    void Conv2d_inGroups_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(503);
        for (int number = 0; number < 24; ++number) {
            Conv2d conv;
            conv.groups = random.oneOf<std::int64_t>({1, 2, 3, 8, 17, 32});
            const bool isDepthwise = number % 2 == 0;
            const std::int64_t width = isDepthwise ? 1 : random.integer(1, 9);
            const Shape src{
                random.integer(1, 9), random.integer(1, 9),
                conv.groups * (isDepthwise ? 1 : random.integer(1, 9))};
            conv.channels = conv.groups * width;
            const auto size = random.oneOf<std::int64_t>({1, 3, 5});
            conv.kernel = {size, random.oneOf<std::int64_t>({1, 3})};
            conv.stride = {random.integer(1, 2), random.integer(1, 2)};
            conv.padding = number % 3 == 0 ? Padding::Same : Padding::Half;
            conv.activation = number % 5 == 0 ? Activation::Relu : Activation::None;
            conv.hasBias = number % 4 < 2;
            QTest::newRow(
                qPrintable(nameOf(qPrintable(QString("%1 groups").arg(conv.groups)), number, src)))
                << behindConvolution(src, conv);
        }
    }
    void Conv2d_inGroups_equalsTheReference() { test::checkFetchedNetwork(); }

    void Conv2d_whoseStrideSkipsRows_equalsTheReference_data()
    {
        test::addNetworkColumns();
        for (const std::int64_t columns : {1, 2, 3, 4}) {
            for (const std::int64_t channels : {3, 17, 48, 64}) {
                Conv2d conv;
                conv.channels = 32;
                conv.kernel = {1, columns};
                conv.stride = {2, 2};
                const Shape src{9, 8, channels};
                QTest::newRow(qPrintable(nameOf("columns", static_cast<int>(columns), src)))
                    << behindConvolution(src, conv);
            }
        }
    }
    void Conv2d_whoseStrideSkipsRows_equalsTheReference() { test::checkFetchedNetwork(); }

    void ConvTranspose2d_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(504);
        for (int number = 0; number < 24; ++number) {
            const Shape src = test::randomShape(random, 5, 6);
            ConvTranspose2d conv;
            conv.channels = random.oneOf(test::kOpChannels);
            conv.kernel = {random.integer(1, 4), random.integer(2, 4)};
            conv.stride = {random.integer(1, 2), random.integer(1, 3)};
            conv.padding = random.oneOf<Padding>({Padding::Same, Padding::Valid});
            conv.hasBias = number % 3 > 0;
            QTest::newRow(qPrintable(nameOf("transposed", number, src)))
                << behindConvolution(src, conv);
        }
        ConvTranspose2d half;
        half.channels = 8;
        half.kernel = {3, 3};
        half.stride = {2, 2};
        half.padding = Padding::Half;
        QTest::newRow("half") << behindConvolution({4, 5, 16}, half);
    }
    void ConvTranspose2d_equalsTheReference() { test::checkFetchedNetwork(); }

    void Windows_paddedByHalf_equalTheReference_data()
    {
        test::addNetworkColumns();
        Random random(505);
        for (int number = 0; number < 12; ++number) {
            const Shape src{random.integer(2, 9), random.integer(2, 9), 16};
            const auto size = random.oneOf<std::int64_t>({1, 2, 3, 5});
            const Extent window{size, size};
            const Extent stride{random.integer(1, 3), random.integer(1, 3)};
            QTest::newRow(qPrintable(nameOf("conv", number, src)))
                << behindConvolution(src, convolution(8, window, stride, Padding::Half));
            QTest::newRow(qPrintable(nameOf("max", number, src)))
                << behindConvolution(src, MaxPool{window, stride, Padding::Half});
            for (const bool countsPadding : {false, true}) {
                QTest::newRow(qPrintable(nameOf(countsPadding ? "mean, all" : "mean", number, src)))
                    << behindConvolution(
                           src, AveragePool{window, stride, Padding::Half, countsPadding});
            }
        }
    }
    void Windows_paddedByHalf_equalTheReference() { test::checkFetchedNetwork(); }

    void LayerNorm_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(506);
        for (int number = 0; number < 10; ++number) {
            const Shape src = test::randomShape(random, 8, 9);
            QTest::newRow(qPrintable(nameOf("norm", number, src)))
                << behindConvolution(src, LayerNorm{0.01});
        }
        QTest::newRow("on the input") << test::chain({5, 4, 3}, {LayerNorm{0.01}}, 4, true);
    }
    void LayerNorm_equalsTheReference() { test::checkFetchedNetwork(); }

    void Normalization_unbiased_followsPyTorchsVariance_data()
    {
        test::addNetworkColumns();
        for (const std::int64_t cells : {1, 3}) {
            Normalization norm;
            norm.isUnbiased = true;
            QTest::addRow("%d cells", static_cast<int>(cells))
                << behindConvolution({cells, 1, 16}, norm);
        }
    }
    void Normalization_unbiased_followsPyTorchsVariance() { test::checkFetchedNetwork(); }

    void Elementwise_everyActivation_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(507);
        for (const auto activation :
             {Activation::Silu, Activation::Gelu, Activation::HardSwish, Activation::HardSigmoid}) {
            for (int number = 0; number < 4; ++number) {
                const Shape src = test::randomShape(random, 8, 9);
                QTest::newRow(qPrintable(nameOf(toString(activation).c_str(), number, src)))
                    << behindConvolution(src, Elementwise{activation});
            }
        }
    }
    void Elementwise_everyActivation_equalsTheReference() { test::checkFetchedNetwork(); }

    void SoftmaxCrossEntropy_weightedClasses_equalsTheReference_data()
    {
        QTest::addColumn<double>("labelSmoothing");
        QTest::newRow("labels") << 0.0;
        QTest::newRow("smoothed") << 0.2;
    }
    void SoftmaxCrossEntropy_weightedClasses_equalsTheReference()
    {
        QFETCH(double, labelSmoothing);
        NetworkSpec network = test::chain({3, 4, 3}, {}, 4, true);
        network.objectives.front().loss = SoftmaxCrossEntropy{
            sourceOf(network.objectives.front()), labelSmoothing, {2.0F, 0.5F, 0.0F, 1.25F}};
        test::checkNetwork(network, {9, 1});
    }
};

LOCKSTEP_TEST(TestResidualOps)
#include "test_residual_ops.moc"
