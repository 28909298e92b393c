// SPDX-License-Identifier: Apache-2.0
// The float64 reference against numbers worked out by hand: that it computes the right thing, not
// only the slope of what it computes.
#include "network/reference.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

using namespace lockstep;
using test::convolution;
using test::fullyConnected;

namespace {

using Values = std::vector<double>;

/// What the first layer behind the input makes of one image; parameters are those of that layer.
Values firstLayer(
    const Shape& input, const LayerSpec& layer, const std::vector<float>& image,
    const ReferenceParameters& own = {})
{
    const NetworkSpec network = test::chain(input, {layer}, 2);
    ReferenceParameters parameters = own;
    for (std::size_t i = parameters.size(); i < network.parameters.size(); ++i) {
        parameters.emplace_back(static_cast<std::size_t>(network.parameters[i].elements()));
    }
    const std::vector<std::int32_t> labels{0};
    return referencePass(network, parameters, {image, labels}, 1.0, ReferenceKind::TrainingForward)
        .activations.at(1);
}

/// A network of one fully connected layer with three classes: its bias is its logits.
NetworkSpec onlyLogits()
{
    return test::chain({1, 1, 1}, {}, 3);
}

ReferencePass passWithLogits(
    const Values& logits, const std::vector<std::int32_t>& labels, double lossScale)
{
    const std::vector<float> images(labels.size(), 1.0F);
    return referencePass(onlyLogits(), {Values(3), logits}, {images, labels}, lossScale);
}

std::vector<float> picture(
    std::int64_t side, const std::function<double(std::int64_t, std::int64_t)>& value)
{
    std::vector<float> values;
    for (std::int64_t y = 0; y < side; ++y) {
        for (std::int64_t x = 0; x < side; ++x) {
            values.push_back(static_cast<float>(value(y, x)));
        }
    }
    return values;
}

} // namespace

class TestReferenceCases : public QObject
{
    Q_OBJECT

private slots:
    void Lrn_threeChannels_isTheFormula()
    {
        // s = 1 + sum / 2 over the neighbours: 1 + 5/2, 1 + 14/2, 1 + 13/2.
        const Values dst = firstLayer({1, 1, 3}, Lrn{1, 1.0, 0.5, 1.0}, {1.0F, 2.0F, 3.0F});
        QCOMPARE(dst.at(0), 1.0 / 3.5);
        QCOMPARE(dst.at(1), 2.0 / 8.0);
        QCOMPARE(dst.at(2), 3.0 / 7.5);
    }

    void Lrn_betaOfOneHalf_isASquareRoot()
    {
        const Values dst = firstLayer({1, 1, 2}, Lrn{1, 7.0, 1.0, 0.5}, {3.0F, 0.0F});
        QCOMPARE(dst.at(0), 3.0 / 4.0);
        QCOMPARE(dst.at(1), 0.0);
    }

    void Lrn_alpha_isNotDividedByTheWindow()
    {
        // Sixteen equal channels, radius 4: inside, nine of them count.
        const Values dst =
            firstLayer({1, 1, 16}, Lrn{4, 1.0, 0.001 / 9.0, 0.75}, std::vector<float>(16, 10.0F));
        QCOMPARE(dst.at(8), 10.0 / std::pow(1.0 + 0.001 * 100.0, 0.75));
        QCOMPARE(dst.at(0), 10.0 / std::pow(1.0 + 0.001 / 9.0 * 500.0, 0.75));
    }

    void MaxPool_sameOnEvenSize_padsBehindOnly()
    {
        const MaxPool pool{{3, 3}, {2, 2}, Padding::Same};
        const Values largestIsBelow = firstLayer(
            {24, 24, 1}, pool, picture(24, [](auto y, auto) { return static_cast<double>(y); }));
        const Values largestIsAbove = firstLayer(
            {24, 24, 1}, pool, picture(24, [](auto y, auto) { return -static_cast<double>(y); }));
        QCOMPARE(largestIsBelow.size(), std::size_t{144});
        // The first window covers rows 0 to 2, the last one rows 22 and 23 only.
        QCOMPARE(largestIsBelow.front(), 2.0);
        QCOMPARE(largestIsAbove.front(), 0.0);
        QCOMPARE(largestIsBelow.back(), 23.0);
        QCOMPARE(largestIsAbove.back(), -22.0);
    }

    void MaxPool_padding_doesNotCount()
    {
        const Values dst = firstLayer(
            {3, 3, 1}, MaxPool{{3, 3}, {1, 1}, Padding::Same}, std::vector<float>(9, -5.0F));
        QVERIFY(dst == Values(9, -5.0));
    }

    void MaxPool_aNaN_isTheLargest()
    {
        for (std::size_t place = 0; place < 4; ++place) {
            std::vector<float> image{1.0F, -3.0F, std::numeric_limits<float>::infinity(), 2.0F};
            image.at(place) = std::numeric_limits<float>::quiet_NaN();
            const Values dst = firstLayer({2, 2, 1}, MaxPool{{2, 2}, {2, 2}}, image);
            QVERIFY(std::isnan(dst.at(0)));
        }
    }

    void MaxPool_minusInfinityOnly_isIt()
    {
        const float lowest = -std::numeric_limits<float>::infinity();
        const Values dst =
            firstLayer({2, 2, 1}, MaxPool{{2, 2}, {2, 2}}, std::vector<float>(4, lowest));
        QCOMPARE(dst.at(0), double{lowest});
    }

    void MaxPool_twoByTwo_takesTheLargestOfEachChannel()
    {
        // Two channels, the second one the negative of the first.
        std::vector<float> image;
        for (const float value : {1.0F, 4.0F, 3.0F, 2.0F}) {
            image.push_back(value);
            image.push_back(-value);
        }
        const Values dst = firstLayer({2, 2, 2}, MaxPool{{2, 2}, {2, 2}}, image);
        QVERIFY((dst == Values{4.0, -1.0}));
    }

    void Convolution_evenKernel_padsBehind_andIsNotFlipped()
    {
        // | 1 2 |   with weights | 10 100 |, bias 0.5; what lies outside is 0.
        // | 3 4 |                | 1000 10000 |
        const Values dst = firstLayer(
            {2, 2, 1}, convolution(1, {2, 2}), {1.0F, 2.0F, 3.0F, 4.0F},
            {{10.0, 100.0, 1000.0, 10000.0}, {0.5}});
        QVERIFY((dst == Values{43210.5, 4020.5, 430.5, 40.5}));
    }

    void Convolution_channels_areSummed_andStrideSkips()
    {
        // Two channels, kernel 1 x 1, stride 2: cells 0 and 2 of three.
        const Values dst = firstLayer(
            {1, 3, 2}, convolution(2, {1, 1}, {1, 2}), {1.0F, 10.0F, 2.0F, 20.0F, 3.0F, 30.0F},
            {{1.0, 2.0, 3.0, 4.0}, {0.0, 100.0}});
        QVERIFY((dst == Values{21.0, 143.0, 63.0, 229.0}));
    }

    void Convolution_relu_cutsAtZero()
    {
        const Values dst = firstLayer(
            {1, 2, 1}, convolution(1, {1, 1}, {1, 1}, Padding::Same, Activation::Relu),
            {3.0F, -3.0F}, {{2.0}, {1.0}});
        QVERIFY((dst == Values{7.0, 0.0}));
    }

    void Dense_readsAPicture_channelByChannelRowByRow()
    {
        // 2 x 3 cells of 2 channels; weight k counts cell k of that order, as PyTorch flattens.
        Values weights(12);
        std::vector<float> image(12);
        for (std::size_t channel = 0; channel < 2; ++channel) {
            for (std::size_t cell = 0; cell < 6; ++cell) {
                weights.at(channel * 6 + cell) =
                    std::pow(2.0, static_cast<double>(channel * 6 + cell));
                image.at(cell * 2 + channel) = static_cast<float>(channel * 6 + cell);
            }
        }
        double expected = 0.0;
        for (int k = 0; k < 12; ++k) {
            expected += k * std::pow(2.0, k);
        }
        QVERIFY(
            (firstLayer({2, 3, 2}, fullyConnected(1), image, {weights, {0.25}})
             == Values{expected + 0.25}));
    }

    void Loss_ofKnownProbabilities_isTheirLogarithm()
    {
        // softmax(0, ln 2, ln 5) = 1/8, 2/8, 5/8.
        const Values logits{0.0, std::log(2.0), std::log(5.0)};
        const auto pass = passWithLogits(logits, {0, 2}, 0.5);
        QVERIFY(std::abs(pass.lossSum - (std::log(8.0) + std::log(8.0 / 5.0))) < 1e-14);
        QCOMPARE(pass.correct, 1);
        // d(loss)/d(logit) = (probability - [class = label]) / 2, summed over both rows.
        const Values expected{(2.0 / 8.0 - 1.0) / 2.0, (4.0 / 8.0) / 2.0, (10.0 / 8.0 - 1.0) / 2.0};
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(pass.gradients.at(1).at(i) - expected[i]) < 1e-15);
            // The input is 1, so the weights have the gradient of the bias.
            QCOMPARE(pass.gradients.at(0).at(i), pass.gradients.at(1).at(i));
        }
    }

    void Loss_ofHugeLogits_doesNotOverflow()
    {
        const auto pass = passWithLogits({1000.0, 0.0, -1000.0}, {0, 1, 2}, 1.0);
        QCOMPARE(pass.lossSum, 0.0 + 1000.0 + 2000.0);
        QCOMPARE(pass.correct, 1);
    }

    void Correct_equalLogits_countTheFirstClass()
    {
        QCOMPARE(passWithLogits({1.0, 1.0, 1.0}, {0, 1, 2}, 1.0).correct, 1);
    }

    void InitialParameters_ofTheReference_areThoseOfTheInitialiser()
    {
        const NetworkSpec network = test::chain({3, 3, 2}, {convolution(4, {3, 3})});
        const auto parameters = referenceParameters(network, 9);
        QCOMPARE(parameters.size(), network.parameters.size());
        std::vector<float> expected(parameters.at(2).size());
        initialize(network.parameters.at(2).initializer, 9, 2, expected);
        QVERIFY(std::equal(expected.begin(), expected.end(), parameters.at(2).begin()));
    }
};

LOCKSTEP_TEST(TestReferenceCases)
#include "test_reference_cases.moc"
