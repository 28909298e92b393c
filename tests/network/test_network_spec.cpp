// SPDX-License-Identifier: Apache-2.0
// Shapes, padding, what is trained and what gets a gradient.
#include "network/cost.h"
#include "network/network_spec.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "support/text_rows.h"

using namespace lockstep;
using test::convolution;
using test::fullyConnected;

namespace {

ParameterSettings inGroup(const std::string& group)
{
    ParameterSettings settings;
    settings.group = group;
    return settings;
}

Dense denseInGroup(std::int64_t units, const std::string& group)
{
    return {units, Activation::None, inGroup(group)};
}

std::vector<bool> flags(const QString& text)
{
    std::vector<bool> result;
    for (const QChar letter : text) {
        result.push_back(letter == '1');
    }
    return result;
}

/// input - first - second - third(logits), one group each.
NetworkBuilder threeGroups()
{
    NetworkBuilder builder("three", {1, 1, 4}, 3);
    const LayerId first = builder.add("first", denseInGroup(5, "a"), {0});
    const LayerId second = builder.add("second", denseInGroup(6, "b"), {first});
    builder.add("third", denseInGroup(3, "c"), {second});
    return builder;
}

/// Cells that windows of a pass over `size` cells touch, found by walking: the smallest padding,
/// the odd cell behind, with which ceil(size / stride) windows cover everything.
PaddingCells smallestPadding(std::int64_t size, std::int64_t window, std::int64_t stride)
{
    std::int64_t windows = 0;
    while (windows * stride < size) {
        ++windows;
    }
    std::int64_t total = 0;
    while (size + total < (windows - 1) * stride + window) {
        ++total;
    }
    return {total / 2, (total + 1) / 2};
}

} // namespace

class TestNetworkSpec : public QObject
{
    Q_OBJECT

private slots:
    void Padding_same_isAsTensorFlowHasIt_data()
    {
        test::addRows<int, int, int, int, int>(
            {"size", "window", "stride", "before", "after"},
            {{"pool 24 to 12: all of it behind", 24, 3, 2, 0, 1},
             {"pool 12 to 6", 12, 3, 2, 0, 1},
             {"odd size", 23, 3, 2, 1, 1},
             {"5 wide, stride 1", 24, 5, 1, 2, 2},
             {"even window", 24, 4, 1, 1, 2},
             {"1 wide", 7, 1, 1, 0, 0},
             {"stride beyond the window", 7, 1, 3, 0, 0},
             {"window beyond the size", 1, 7, 1, 3, 3}});
    }

    void Padding_same_isAsTensorFlowHasIt()
    {
        QFETCH(int, size);
        QFETCH(int, window);
        QFETCH(int, stride);
        QFETCH(int, before);
        QFETCH(int, after);
        const PaddingCells cells = paddingCells(Padding::Same, size, window, stride);
        QCOMPARE(cells.before, before);
        QCOMPARE(cells.after, after);
    }

    void Padding_same_isTheSmallestThatCoversEverything()
    {
        for (std::int64_t size = 1; size <= 30; ++size) {
            for (std::int64_t window = 1; window <= 7; ++window) {
                for (std::int64_t stride = 1; stride <= 4; ++stride) {
                    const auto cells = paddingCells(Padding::Same, size, window, stride);
                    const auto expected = smallestPadding(size, window, stride);
                    QCOMPARE(cells.before, expected.before);
                    QCOMPARE(cells.after, expected.after);
                    const auto valid = paddingCells(Padding::Valid, size, window, stride);
                    QCOMPARE(valid.before + valid.after, 0);
                }
            }
        }
    }

    void Shape_ofWindowedLayers_isAsTensorFlowHasIt_data()
    {
        test::addRows<int, int, Extent, Extent, Extent, Extent>(
            {"height", "width", "window", "stride", "same", "valid"},
            {{"even, 3/2", 24, 24, {3, 3}, {2, 2}, {12, 12}, {11, 11}},
             {"odd, 3/2", 25, 23, {3, 3}, {2, 2}, {13, 12}, {12, 11}},
             {"5/1", 24, 10, {5, 5}, {1, 1}, {24, 10}, {20, 6}},
             {"not square", 9, 7, {1, 7}, {1, 1}, {9, 7}, {9, 1}},
             {"strides differ", 9, 7, {3, 2}, {3, 1}, {3, 7}, {3, 6}},
             {"stride beyond the window", 10, 10, {1, 1}, {3, 4}, {4, 3}, {4, 3}},
             {"one cell", 1, 1, {1, 1}, {2, 2}, {1, 1}, {1, 1}}});
    }

    void Shape_ofWindowedLayers_isAsTensorFlowHasIt()
    {
        QFETCH(int, height);
        QFETCH(int, width);
        QFETCH(Extent, window);
        QFETCH(Extent, stride);
        QFETCH(Extent, same);
        QFETCH(Extent, valid);
        for (const Padding padding : {Padding::Same, Padding::Valid}) {
            const Extent expected = padding == Padding::Same ? same : valid;
            const NetworkSpec network = test::chain(
                {height, width, 3},
                {convolution(5, window, stride, padding), MaxPool{{1, 1}, {1, 1}, padding}});
            QVERIFY((network.layers.at(1).shape == Shape{expected.height, expected.width, 5}));
            const NetworkSpec pooled =
                test::chain({height, width, 3}, {MaxPool{window, stride, padding}});
            QVERIFY((pooled.layers.at(1).shape == Shape{expected.height, expected.width, 3}));
        }
    }

    void Parameters_haveTheShapesOfPyTorch()
    {
        const NetworkSpec network =
            test::chain({5, 7, 3}, {convolution(8, {2, 3}), Lrn{}, fullyConnected(6)}, 4);
        QCOMPARE(network.parameters.size(), std::size_t{6});
        using Dims = std::vector<std::int64_t>;
        QVERIFY((network.parameters.at(0).shape == Dims{8, 3, 2, 3}));
        QVERIFY((network.parameters.at(1).shape == Dims{8}));
        QVERIFY((network.parameters.at(2).shape == Dims{6, 8 * 5 * 7}));
        QVERIFY((network.parameters.at(4).shape == Dims{4, 6}));
        QCOMPARE(network.parameterElements(), 8 * 3 * 2 * 3 + 8 + 6 * 280 + 6 + 4 * 6 + 4);
    }

    void Training_followsGroupsAndLayers_data()
    {
        // Parameters: first, second, third; each weight and bias. Layers: input, first, second,
        // third.
        test::addTextRows(
            {"groups", "trained", "withGradient"},
            {{"all", "", "111111", "0111"},
             {"first frozen", "bc", "001111", "0011"},
             {"only the last", "c", "000011", "0001"},
             {"only the first: the gradient passes all", "a", "110000", "0111"},
             {"middle frozen", "ac", "110011", "0111"}});
    }

    void Training_followsGroupsAndLayers()
    {
        QFETCH(QString, groups);
        QFETCH(QString, trained);
        QFETCH(QString, withGradient);
        NetworkBuilder builder = threeGroups();
        Objective objective{"loss", 1.0, SoftmaxCrossEntropy{3}, {}};
        for (const QChar group : groups) {
            objective.groups.emplace_back(1, group.toLatin1());
        }
        builder.objective(objective);
        const NetworkSpec network = builder.build();
        QVERIFY(network.trainedParameters() == flags(trained));
        QVERIFY(network.layersWithGradient() == flags(withGradient));
    }

    void Training_ofLayersThatNoObjectiveReads_doesNotHappen()
    {
        NetworkBuilder builder("branch", {4, 4, 2}, 3);
        const LayerId trunk = builder.add("trunk", convolution(4, {1, 1}), {0});
        const LayerId dead = builder.add("dead", convolution(4, {1, 1}), {trunk});
        const LayerId logits = builder.add("logits", fullyConnected(3), {trunk});
        builder.add("deadToo", MaxPool{{2, 2}, {2, 2}}, {dead});
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{logits}, {}});
        const NetworkSpec network = builder.build();
        QVERIFY(network.trainedParameters() == flags("110011"));
        QVERIFY(network.layersWithGradient() == flags("01010"));

        const auto costs = layerCosts(network);
        QCOMPARE(costs.at(2).fpropFlop, 2 * 4 * 4 * 4 * 4);
        QCOMPARE(costs.at(2).dgradFlop + costs.at(2).wgradFlop, 0);
        QCOMPARE(costs.at(1).dgradFlop, 0);
        QCOMPARE(costs.at(1).wgradFlop, costs.at(1).fpropFlop);
    }

    void Cost_ofFrozenLayers_leavesOutTheirGradients()
    {
        NetworkBuilder builder = threeGroups();
        builder.objective({"loss", 1.0, SoftmaxCrossEntropy{3}, {"a", "c"}});
        const auto costs = layerCosts(builder.build());
        QCOMPARE(costs.at(2).wgradFlop, 0);
        QCOMPARE(costs.at(2).dgradFlop, 2 * 5 * 6);
        QCOMPARE(costs.at(1).wgradFlop, 2 * 4 * 5);
    }
};

LOCKSTEP_TEST(TestNetworkSpec)
#include "test_network_spec.moc"
