// SPDX-License-Identifier: Apache-2.0
// The float64 reference against itself: what its backward pass says must be the slope of what its
// forward pass says. That makes it the oracle of every device.
#include "network/reference.h"
#include "support/compare.h"
#include "support/lockstep_test.h"
#include "support/mask_network.h"
#include "support/random_network.h"

#include <cmath>

using namespace lockstep;
using test::convolution;
using test::fullyConnected;

namespace {

/// Small enough that the curve is straight and few kinks of ReLU or pooling are crossed, large
/// enough that rounding (1e-16 / kStep) stays far below 1e-6.
constexpr double kStep = 1e-6;

double lossAt(
    const NetworkSpec& network, const ReferenceParameters& parameters,
    const test::Examples& examples)
{
    return referencePass(
               network, parameters, {examples.images, examples.labels, examples.masks}, 1.0,
               ReferenceKind::TrainingForward)
        .lossSum;
}

ReferenceParameters moved(
    ReferenceParameters parameters, std::size_t number, const std::vector<float>& direction,
    double step)
{
    for (std::size_t i = 0; i < direction.size(); ++i) {
        parameters[number][i] += step * static_cast<double>(direction[i]);
    }
    return parameters;
}

/// |slope by gradient - slope by central difference|, relative to the size that a random direction
/// gives the slope.
double slopeError(
    const NetworkSpec& network, const ReferenceParameters& parameters, const ReferencePass& pass,
    const test::Examples& examples, std::size_t number, test::Random& random)
{
    const auto direction = random.floats(parameters[number].size(), -1.0, 1.0);
    double analytic = 0.0;
    for (std::size_t i = 0; i < direction.size(); ++i) {
        analytic += pass.gradients[number][i] * static_cast<double>(direction[i]);
    }
    const double difference =
        (lossAt(network, moved(parameters, number, direction, kStep), examples)
         - lossAt(network, moved(parameters, number, direction, -kStep), examples))
        / (2.0 * kStep);
    const double usual = test::norm<double>(pass.gradients[number]) / std::sqrt(3.0);
    return std::abs(analytic - difference) / std::max(std::abs(analytic), usual);
}

NetworkSpec twoHeads()
{
    NetworkBuilder builder("heads", {5, 5, 2}, 3);
    const LayerId trunk = builder.add("trunk", convolution(4, {3, 3}), {0});
    const LayerId left = builder.add("left", Lrn{2, 1.0, 0.3, 0.75}, {trunk});
    const LayerId right = builder.add("right", MaxPool{{2, 2}, {2, 2}}, {trunk});
    const LayerId one = builder.add("one", fullyConnected(3), {left});
    const LayerId two = builder.add("two", fullyConnected(3), {right});
    builder.objective({"first", 1.0, SoftmaxCrossEntropy{one}, {}});
    builder.objective({"second", 0.25, SoftmaxCrossEntropy{two}, {}});
    builder.objective({"third", 2.0, SoftmaxCrossEntropy{one}, {}});
    return builder.build();
}

} // namespace

class TestReference : public QObject
{
    Q_OBJECT

private slots:
    void Gradient_ofEveryLayerKind_isTheSlopeOfTheLoss_data()
    {
        QTest::addColumn<NetworkSpec>("network");
        const auto relu = Activation::Relu;
        const auto front = convolution(3, {1, 1});
        const auto row = [&](const char* name, const Shape& input,
                             const std::vector<LayerSpec>& layers) {
            QTest::newRow(name) << test::chain(input, layers);
        };
        row("fully connected", {1, 1, 6}, {fullyConnected(5), fullyConnected(4, relu)});
        row("fully connected on a picture", {3, 4, 2}, {front, fullyConnected(5, relu)});
        row("convolution, same", {5, 4, 2}, {front, convolution(4, {3, 2})});
        row("convolution, valid", {5, 4, 2},
            {front, convolution(4, {3, 2}, {1, 1}, Padding::Valid)});
        row("convolution, stride", {6, 7, 2},
            {front, convolution(4, {5, 3}, {2, 3}, Padding::Same, relu)});
        row("pooling, same", {6, 5, 2}, {front, MaxPool{{3, 3}, {2, 2}}});
        row("pooling, valid", {6, 5, 2}, {front, MaxPool{{3, 2}, {1, 2}, Padding::Valid}});
        row("normalisation", {3, 2, 2}, {convolution(9, {1, 1}), Lrn{2, 1.5, 0.4, 0.75}});
        row("normalisation beyond the channels", {3, 2, 2}, {front, Lrn{5, 1.0, 1.0, 0.5}});
        row("many", {8, 9, 3},
            {convolution(6, {5, 5}, {1, 1}, Padding::Same, relu), MaxPool{{3, 3}, {2, 2}},
             Lrn{4, 1.0, 0.1, 0.75}, convolution(5, {3, 3}, {1, 1}, Padding::Same, relu),
             Lrn{4, 1.0, 0.1, 0.75}, MaxPool{{3, 3}, {2, 2}}, fullyConnected(7, relu)});
        QTest::newRow("two heads and three losses") << twoHeads();
        // Moments of the rows take out what a bias before them adds.
        auto plain = convolution(3, {2, 2});
        plain.hasBias = false;
        row("convolution without bias", {5, 4, 2}, {plain});
        for (const auto mode :
             {NormalizationMode::PerImage, NormalizationMode::Batch,
              NormalizationMode::Synchronised, NormalizationMode::Moving}) {
            Normalization norm;
            norm.mode = mode;
            norm.hasScale = mode != NormalizationMode::Synchronised;
            norm.activation = mode == NormalizationMode::Batch ? relu : Activation::None;
            QTest::addRow("batch normalisation, mode %d", int(mode))
                << test::chain({3, 4, 2}, {plain, norm});
        }
        row("sigmoid", {3, 4, 2}, {front, Elementwise{Activation::Sigmoid}});
        row("global average", {3, 4, 2}, {front, GlobalPool{Reduction::Average}});
        row("global maximum", {3, 4, 2}, {front, GlobalPool{Reduction::Max}});
        const auto masks = test::maskNetwork(NormalizationMode::PerImage);
        QTest::newRow("masks and branches")
            << masks.withObjectives(objectivesNamed(masks, "joint"), {});
    }

    void Gradient_ofEveryLayerKind_isTheSlopeOfTheLoss()
    {
        QFETCH(NetworkSpec, network);
        test::Random random(20);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 3, random);
        const auto pass = referencePass(
            network, parameters, {examples.images, examples.labels, examples.masks}, 1.0);
        for (std::size_t number = 0; number < parameters.size(); ++number) {
            if (network.parameters[number].isStatistic()) {
                continue; // they follow the rows, not the loss
            }
            QVERIFY(test::norm<double>(pass.gradients[number]) > 1e-6);
            for (int direction = 0; direction < 3; ++direction) {
                const double error =
                    slopeError(network, parameters, pass, examples, number, random);
                QVERIFY2(
                    error < 1e-6,
                    qPrintable(QString("%1: %2")
                                   .arg(QString::fromStdString(network.parameters[number].name))
                                   .arg(error)));
            }
        }
    }

    void LossScale_multipliesGradients_notTheLoss()
    {
        const NetworkSpec network = twoHeads();
        test::Random random(4);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 4, random);
        const auto whole = referencePass(
            network, parameters, {examples.images, examples.labels, examples.masks}, 1.0);
        const auto half = referencePass(
            network, parameters, {examples.images, examples.labels, examples.masks}, 0.5);
        QCOMPARE(half.lossSum, whole.lossSum);
        for (std::size_t number = 0; number < parameters.size(); ++number) {
            for (std::size_t i = 0; i < parameters[number].size(); ++i) {
                const double expected = 0.5 * whole.gradients[number][i];
                QVERIFY(std::abs(half.gradients[number][i] - expected) <= 1e-14);
            }
        }
    }

    void ForwardOnly_givesTheSameLoss_andNoGradient()
    {
        const NetworkSpec network = twoHeads();
        test::Random random(5);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 2, random);
        const auto pass = referencePass(
            network, parameters, {examples.images, examples.labels, examples.masks}, 1.0);
        const auto forward = referencePass(
            network, parameters, {examples.images, examples.labels, examples.masks}, 1.0,
            ReferenceKind::TrainingForward);
        QCOMPARE(forward.lossSum, pass.lossSum);
        QCOMPARE(forward.correct, pass.correct);
        for (const auto& gradient : forward.gradients) {
            QCOMPARE(test::norm<double>(gradient), 0.0);
        }
    }
};

LOCKSTEP_TEST(TestReference)
#include "test_reference.moc"
