// SPDX-License-Identifier: Apache-2.0
// Average pooling, dropout and smoothed labels on the CPU, in every precision, against the float64
// reference; smoothed labels also against the formula, worked out here.
#include "device/op_cases.h"
#include "device/op_check.h"
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

#include <numeric>

using namespace lockstep;
using test::behindConvolution;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

constexpr DropoutDraw kDraw{77, 12, 5};

/// One layer between images and loss: its dst are the logits.
NetworkSpec smoothedLogits(std::int64_t classes, double smoothing)
{
    NetworkBuilder builder("smoothed", {1, 1, 3}, classes);
    const LayerId top = builder.add("logits", fullyConnected(classes), {0});
    builder.output("logits", top);
    builder.objective({"loss", 1.0, SoftmaxCrossEntropy{top, smoothing}, {}});
    return builder.build();
}

} // namespace

class TestRegularisedOps : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void AveragePool_randomShapes_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(501);
        for (int number = 0; number < 40; ++number) {
            const Shape src = test::randomShape(random, 9, 11);
            const Extent window{random.integer(1, 5), random.integer(1, 5)};
            const Extent stride{random.integer(1, 3), random.integer(1, 3)};
            const bool fits = window.height <= src.height && window.width <= src.width;
            const Padding padding =
                fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
            QTest::newRow(qPrintable(QString("%1: %2, window %3x%4, stride %5x%6, %7")
                                         .arg(number)
                                         .arg(QString::fromStdString(toString(src)))
                                         .arg(window.height)
                                         .arg(window.width)
                                         .arg(stride.height)
                                         .arg(stride.width)
                                         .arg(padding == Padding::Same ? "same" : "valid")))
                << behindConvolution(src, AveragePool{window, stride, padding});
        }
        QTest::newRow("on the input")
            << test::chain({5, 4, 3}, {AveragePool{{3, 3}, {1, 1}}}, 4, true);
        QTest::newRow("of a pending ReLU") << test::chain(
            {6, 7, 3},
            {convolution(16, {3, 3}, {1, 1}, Padding::Same, Activation::Relu),
             AveragePool{{3, 3}, {1, 1}}},
            4, true);
        QTest::newRow("all cells, then dropout and logits") << behindConvolution(
            {8, 8, 48}, AveragePool{{8, 8}, {1, 1}, Padding::Valid}, Dropout{0.8});
    }
    void AveragePool_randomShapes_equalsTheReference() { test::checkFetchedNetwork(kDraw); }

    /// A NaN that pooling drops would let a training go on with a finite loss.
    void AveragePool_ofANotANumber_isOne_inEveryWindowOverIt()
    {
        QFETCH_GLOBAL(Precision, precision);
        const AveragePool pool{{3, 3}, {1, 1}};
        for (const std::int64_t channels : {16, 17}) {
            const NetworkSpec network = test::chain({6, 6, channels}, {pool}, 4, true);
            QCOMPARE(notANumbers(network, "1-average_pool", precision), 9);
            // All channels behind it; a product of bfloat16 numbers has the neighbour's, too.
            const NetworkSpec blocked =
                test::chain({6, 6, 1}, {convolution(channels, {1, 1}), pool}, 4, true);
            QCOMPARE(notANumbers(blocked, "2-average_pool", Precision::Float32), 9 * channels);
        }
    }

    void Dropout_anyLayout_equalsTheReference_data()
    {
        test::addNetworkColumns();
        Random random(502);
        for (int number = 0; number < 16; ++number) {
            const Shape src = test::randomShape(random, 9, 11);
            const auto keep = random.oneOf<double>({0.5, 0.8, 0.25, 1.0});
            QTest::newRow(qPrintable(QString("%1: %2, keep %3")
                                         .arg(number)
                                         .arg(QString::fromStdString(toString(src)))
                                         .arg(keep)))
                << behindConvolution(src, Dropout{keep});
        }
        QTest::newRow("on the input") << test::chain({5, 4, 3}, {Dropout{0.5}}, 4, true);
        QTest::newRow("on a vector, twice") << test::chain(
            {5, 4, 3}, {fullyConnected(33), Dropout{0.5}, fullyConnected(9), Dropout{0.5}}, 4,
            true);
        QTest::newRow("behind pooled channels")
            << behindConvolution({5, 4, 32}, GlobalPool{Reduction::Average}, Dropout{0.5});
        QTest::newRow("many values") << behindConvolution({67, 71, 3}, Dropout{0.7});
    }
    void Dropout_anyLayout_equalsTheReference() { test::checkFetchedNetwork(kDraw); }

    void Dropout_inEvaluation_isTheIdentity()
    {
        QFETCH_GLOBAL(Precision, precision);
        const NetworkSpec network = behindConvolution({4, 5, 16}, Dropout{0.3});
        Random random(503);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 3, random);
        const test::CpuPass pass(network, parameters, examples, {precision, false, 1, kDraw});
        QCOMPARE(pass.replica().output("2-dropout"), pass.replica().output("1-conv2d"));
    }

    void Dropout_ofAnotherStepRowSeedOrLayer_isAnother()
    {
        // The same dropout twice: of what the first one keeps the second drops a part.
        const NetworkSpec network = test::chain({8, 8, 3}, {Dropout{0.5}, Dropout{0.5}}, 4, true);
        Random random(504);
        const auto parameters = test::randomParameters(network, random);
        test::Examples examples = test::randomExamples(network, 1, random);
        std::ranges::fill(examples.images, 1.0F);
        const auto mask = [&](const DropoutDraw& draw, const std::string& layer = "1-dropout") {
            return test::CpuPass(network, parameters, examples, {Precision::Float32, true, 1, draw})
                .replica()
                .output(layer);
        };
        const auto first = mask({1, 2, 3});
        QCOMPARE(mask({1, 2, 3}), first);
        for (const DropoutDraw& other : {DropoutDraw{2, 2, 3}, {1, 3, 3}, {1, 2, 4}}) {
            QVERIFY(mask(other) != first);
        }
        const auto both = mask({1, 2, 3}, "2-dropout");
        QVERIFY(std::ranges::count(both, 0.0F) > std::ranges::count(first, 0.0F));
    }

    void Dropout_lossAlongTheGradient_hasItsSlope()
    {
        const NetworkSpec network = test::chain(
            {6, 6, 3}, {convolution(16, {3, 3}), AveragePool{{3, 3}, {1, 1}}, Dropout{0.6},
                        fullyConnected(20), Dropout{0.5}});
        Random random(505);
        ReferenceParameters parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 4, random);
        const test::PassSettings settings{Precision::Float32, true, 1, kDraw};
        const test::CpuPass pass(network, parameters, examples, settings);
        double squares = 0.0;
        std::vector<std::vector<double>> gradient;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const auto values = pass.gradient(i);
            gradient.emplace_back(values.begin(), values.end());
            squares += std::inner_product(
                values.begin(), values.end(), values.begin(), 0.0, std::plus<>(),
                [](float a, float b) { return double{a} * double{b}; });
        }
        const auto lossAt = [&](double distance) {
            ReferenceParameters moved = parameters;
            for (std::size_t i = 0; i < moved.size(); ++i) {
                for (std::size_t k = 0; k < moved[i].size(); ++k) {
                    moved[i][k] += distance * gradient[i][k] / std::sqrt(squares);
                }
            }
            return test::CpuPass(network, moved, examples, settings).lossSum(network)
                   / static_cast<double>(examples.rows());
        };
        constexpr double kDistance = 0.01;
        const double slope = (lossAt(kDistance) - lossAt(-kDistance)) / (2.0 * kDistance);
        QVERIFY(std::abs(slope / std::sqrt(squares) - 1.0) < 2e-3);
    }

    void LabelSmoothing_equalsTheReference_data()
    {
        test::addNetworkColumns();
        for (const std::int64_t classes : {2, 10, 1001}) {
            for (const double smoothing : {0.0, 0.1, 0.9}) {
                QTest::addRow("%d classes, %g", static_cast<int>(classes), smoothing)
                    << smoothedLogits(classes, smoothing);
            }
        }
    }
    void LabelSmoothing_equalsTheReference() { test::checkFetchedNetwork(kDraw); }

    void LabelSmoothing_ofEqualLogits_costsTheLogarithmOfTheClasses()
    {
        // All probabilities are 1 / classes: so is the loss's logarithm, whatever the target.
        const NetworkSpec network = smoothedLogits(8, 0.2);
        test::Examples examples{{1.0F, 2.0F, 3.0F}, {5}, {}};
        const test::CpuPass pass(
            network, {std::vector<double>(24, 0.0), std::vector<double>(8, 0.5)}, examples);
        QVERIFY(std::abs(pass.replica().results().front().lossSum - std::log(8.0)) < 1e-6);
        // softmax - target: 1/8 - 0.2/8, and 0.8 less for the label.
        const auto bias = pass.gradient(1);
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(std::abs(double{bias[i]} - (0.1 - (i == 5 ? 0.8 : 0.0))) < 1e-6);
        }
    }

private:
    /// How many an output has where one value of one image, not at its border, is none.
    static std::int64_t notANumbers(
        const NetworkSpec& network, const std::string& output, Precision precision)
    {
        Random random(506);
        const auto parameters = test::randomParameters(network, random);
        test::Examples examples = test::randomExamples(network, 1, random);
        const auto cell = static_cast<std::size_t>((2 * 6 + 3) * network.inputShape().channels);
        examples.images[cell] = std::numeric_limits<float>::quiet_NaN();
        const test::CpuPass pass(network, parameters, examples, {precision});
        const auto values = pass.replica().output(output);
        return std::ranges::count_if(values, [](float value) { return std::isnan(value); });
    }
};

LOCKSTEP_TEST(TestRegularisedOps)
#include "test_regularised_ops.moc"
