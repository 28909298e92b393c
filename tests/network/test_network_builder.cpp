// SPDX-License-Identifier: Apache-2.0
// What the builder refuses, and in which words.
#include "network/network_spec.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"

#include <functional>

using namespace lockstep;
using test::convolution;
using test::fullyConnected;

namespace {

/// input - first - second - third(logits): 5, 6 and 3 values.
NetworkBuilder threeLayers()
{
    NetworkBuilder builder("three", {1, 1, 4}, 3);
    const LayerId first = builder.add("first", fullyConnected(5), {0});
    const LayerId second = builder.add("second", fullyConnected(6), {first});
    builder.add("third", fullyConnected(3), {second});
    return builder;
}

} // namespace

class TestNetworkBuilder : public QObject
{
    Q_OBJECT

private slots:
    void Builder_badNetwork_isRefusedByName_data()
    {
        QTest::addColumn<std::function<void()>>("build");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, const std::function<void()>& build,
                            const QStringList& named) { QTest::newRow(name) << build << named; };
        row("empty input", [] { NetworkBuilder("net", {0, 4, 3}, 2); }, {"'net'", "0x4x3"});
        row("name used twice",
            [] {
                NetworkBuilder builder("net", {4, 4, 3}, 2);
                builder.add("twin", Lrn{}, {0});
                builder.add("twin", Lrn{}, {1});
            },
            {"'twin'", "twice"});
        row("a second input",
            [] {
                NetworkBuilder("net", {4, 4, 3}, 2).add("again", Input{{4, 4, 3}}, {0});
            },
            {"'again'", "one input"});
        row("unknown layer",
            [] {
                NetworkBuilder("net", {4, 4, 3}, 2).add("far", Lrn{}, {7});
            },
            {"'far'"});
        row("joined maps of two sizes",
            [] {
                NetworkBuilder builder("net", {4, 4, 3}, 2);
                const LayerId pool = builder.add("pool", MaxPool{{2, 2}, {2, 2}}, {0});
                builder.add("both", Concat{}, {0, pool});
            },
            {"'both'", "4x4x3", "2x2x3"});
        row("nothing to join",
            [] {
                NetworkBuilder("net", {4, 4, 3}, 2).add("both", Concat{}, {});
            },
            {"'both'", "at least one"});
        row("sigmoid inside a layer",
            [] {
                Conv2d conv = convolution(2, {1, 1});
                conv.activation = Activation::Sigmoid;
                NetworkBuilder("net", {4, 4, 3}, 2).add("conv", conv, {0});
            },
            {"'conv'", "elementwise"});
        row("target without a mask",
            [] {
                NetworkBuilder builder("net", {4, 4, 1}, 2);
                builder.objective({"cells", 1.0, SigmoidCrossEntropy{0}, {}});
            },
            {"'cells'", "mask"});
        row("no layer",
            [] {
                NetworkBuilder("net", {4, 4, 3}, 2).add("none", Lrn{}, {});
            },
            {"'none'"});
        row("valid window beyond the input",
            [] {
                test::chain({4, 9, 3}, {MaxPool{{5, 5}, {1, 1}, Padding::Valid}});
            },
            {"'1-max_pool'", "5x5", "4x9x3"});
        row("no channels",
            [] {
                test::chain({4, 4, 3}, {convolution(0, {3, 3})});
            },
            {"'1-conv2d'", "channels", "0"});
        row("empty window",
            [] {
                test::chain({4, 4, 3}, {MaxPool{{0, 2}, {1, 1}}});
            },
            {"'1-max_pool'", "window"});
        row("no stride",
            [] {
                test::chain({4, 4, 3}, {MaxPool{{2, 2}, {1, 0}}});
            },
            {"'1-max_pool'", "stride"});
        row("no radius",
            [] {
                test::chain({4, 4, 3}, {Lrn{0, 1.0, 1.0, 0.5}});
            },
            {"'1-lrn'", "depth_radius"});
        row("lrn that divides by 0",
            [] {
                test::chain({4, 4, 3}, {Lrn{2, 0.0, 1.0, 0.5}});
            },
            {"'1-lrn'", "bias"});
        row("lrn of a negative base",
            [] {
                test::chain({4, 4, 3}, {Lrn{2, 1.0, -1.0, 0.5}});
            },
            {"'1-lrn'", "alpha"});
        row("no units",
            [] {
                test::chain({4, 4, 3}, {fullyConnected(-1)});
            },
            {"'1-dense'", "units", "-1"});
    }

    void Builder_badNetwork_isRefusedByName()
    {
        QFETCH(std::function<void()>, build);
        QFETCH(QStringList, named);
        expectRefusal(build, named);
    }

    void Builder_badObjective_isRefusedByName_data()
    {
        QTest::addColumn<std::function<void()>>("build");
        QTest::addColumn<QStringList>("named");
        const auto row = [](const char* name, const std::function<void(NetworkBuilder&)>& finish,
                            const QStringList& named) {
            QTest::newRow(name) << std::function<void()>([finish] {
                NetworkBuilder builder = threeLayers();
                finish(builder);
            }) << named;
        };
        row("none", [](NetworkBuilder& net) { (void)net.build(); }, {"'three'", "objective"});
        row("layer that does not exist",
            [](NetworkBuilder& net) {
                net.objective({"far", 1.0, SoftmaxCrossEntropy{9}, {}});
            },
            {"'far'"});
        row("another number of classes",
            [](NetworkBuilder& net) {
                net.objective({"wide", 1.0, SoftmaxCrossEntropy{2}, {}});
            },
            {"'wide'", "'second'", "6", "3 classes"});
        row("logits that are a picture",
            [](NetworkBuilder& net) {
                const LayerId top = net.add("top", convolution(3, {1, 1}), {2});
                net.objective({"picture", 1.0, SoftmaxCrossEntropy{top}, {}});
            },
            {"'picture'", "'top'", "fully connected"});
        row("name used twice",
            [](NetworkBuilder& net) {
                net.objective({"same", 1.0, SoftmaxCrossEntropy{3}, {}});
                net.objective({"same", 1.0, SoftmaxCrossEntropy{3}, {}});
            },
            {"'same'", "twice"});
        row("trains nothing",
            [](NetworkBuilder& net) {
                net.objective({"idle", 1.0, SoftmaxCrossEntropy{3}, {"nobody"}});
                (void)net.build();
            },
            {"'three'", "no parameter"});
        row("output used twice",
            [](NetworkBuilder& net) {
                net.output("values", 1);
                net.output("values", 2);
            },
            {"'values'", "twice"});
        row("output of a layer that does not exist",
            [](NetworkBuilder& net) { net.output("nothing", 4); }, {"'nothing'"});
    }

    void Builder_badObjective_isRefusedByName()
    {
        QFETCH(std::function<void()>, build);
        QFETCH(QStringList, named);
        expectRefusal(build, named);
    }

private:
    static void expectRefusal(const std::function<void()>& build, const QStringList& named)
    {
        const auto error = test::errorOf(build);
        QVERIFY(test::tells(error, ErrorCode::BadInput));
        for (const QString& word : named) {
            QVERIFY(test::tells(error, ErrorCode::BadInput, word.toStdString()));
        }
    }
};

LOCKSTEP_TEST(TestNetworkBuilder)
#include "test_network_builder.moc"
