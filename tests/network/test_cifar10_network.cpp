// SPDX-License-Identifier: Apache-2.0
// The network of TensorFlow's CIFAR-10 tutorial, against its published description and against
// arithmetic and byte counts made by hand.
#include "network/cost.h"
#include "network/layer_named.h"
#include "network/models/catalog.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

using namespace lockstep;
using test::layerNamed;

namespace {

const LayerCost& costNamed(
    const NetworkSpec& network, const std::vector<LayerCost>& costs, const QString& name)
{
    const auto number = &layerNamed(network, name.toStdString()) - network.layers.data();
    return costs.at(static_cast<std::size_t>(number));
}

} // namespace

class TestCifar10Network : public QObject
{
    Q_OBJECT

private slots:
    void Cifar10_parameters_are1068298()
    {
        QCOMPARE(cifar10Network().parameterElements(), 1068298);
    }

    void Cifar10_layers_standInTheTutorialsOrder()
    {
        QStringList names;
        for (const Layer& layer : cifar10Network().layers) {
            names << QString::fromStdString(layer.name + " " + toString(layer.shape));
        }
        const QStringList expected{"input 24x24x3",        "conv1 24x24x64", "pool1 12x12x64",
                                   "norm1 12x12x64",       "conv2 12x12x64", "norm2 12x12x64",
                                   "pool2 6x6x64",         "local3 1x1x384", "local4 1x1x192",
                                   "softmax_linear 1x1x10"};
        QCOMPARE(names, expected);
    }

    void Parameter_ofCifar10_isAsPublished_data()
    {
        using Dims = std::vector<std::int64_t>;
        test::addRows<int, std::vector<std::int64_t>, double, double, double>(
            {"number", "shape", "stddev", "bias", "weightDecay"},
            {{"conv1", 0, Dims{64, 3, 5, 5}, 0.05, 0.0, 0.0},
             {"conv2", 2, Dims{64, 64, 5, 5}, 0.05, 0.1, 0.0},
             {"local3", 4, Dims{384, 2304}, 0.04, 0.1, 0.004},
             {"local4", 6, Dims{192, 384}, 0.04, 0.1, 0.004},
             {"softmax_linear", 8, Dims{10, 192}, 1.0 / 192.0, 0.0, 0.0}});
    }

    void Parameter_ofCifar10_isAsPublished()
    {
        QFETCH(int, number);
        QFETCH(std::vector<std::int64_t>, shape);
        QFETCH(double, stddev);
        QFETCH(double, bias);
        QFETCH(double, weightDecay);
        const std::string layer = QTest::currentDataTag();
        const NetworkSpec network = cifar10Network();
        QCOMPARE(network.parameters.size(), std::size_t{10});

        const ParameterSpec& weights = network.parameters.at(static_cast<std::size_t>(number));
        QCOMPARE(weights.name, layer + ".weight");
        QVERIFY(weights.shape == shape);
        QCOMPARE(std::get<TruncatedNormal>(weights.initializer).stddev, stddev);
        QCOMPARE(weights.weightDecay, weightDecay);

        const ParameterSpec& biases = network.parameters.at(static_cast<std::size_t>(number) + 1);
        QCOMPARE(biases.name, layer + ".bias");
        QVERIFY(biases.shape == std::vector<std::int64_t>{shape.front()});
        QCOMPARE(std::get<Constant>(biases.initializer).value, bias);
        QCOMPARE(biases.weightDecay, 0.0);
        QCOMPARE(network.layers.at(static_cast<std::size_t>(weights.layer)).name, layer);
    }

    void Lrn_ofCifar10_hasTensorFlowsConstants()
    {
        for (const char* name : {"norm1", "norm2"}) {
            const auto lrn = std::get<Lrn>(layerNamed(cifar10Network(), name).spec);
            QCOMPARE(lrn.depthRadius, 4);
            QCOMPARE(lrn.bias, 1.0);
            QCOMPARE(lrn.alpha, 0.001 / 9.0);
            QCOMPARE(lrn.beta, 0.75);
        }
    }

    void Layers_ofCifar10_useReluWhereTheTutorialDoes()
    {
        const NetworkSpec network = cifar10Network();
        for (const char* name : {"conv1", "conv2"}) {
            QVERIFY(
                std::get<Conv2d>(layerNamed(network, name).spec).activation == Activation::Relu);
        }
        for (const char* name : {"local3", "local4"}) {
            QVERIFY(std::get<Dense>(layerNamed(network, name).spec).activation == Activation::Relu);
        }
        const auto last = std::get<Dense>(layerNamed(network, "softmax_linear").spec);
        QVERIFY(last.activation == Activation::None);
    }

    void MultiplyAdds_perLayer_areTheHandCounts_data()
    {
        QTest::addColumn<qint64>("multiplyAdds");
        QTest::newRow("input") << qint64{0};
        QTest::newRow("conv1") << qint64{24 * 24 * 64} * (5 * 5 * 3);
        QTest::newRow("pool1") << qint64{0};
        QTest::newRow("norm1") << qint64{0};
        QTest::newRow("conv2") << qint64{12 * 12 * 64} * (5 * 5 * 64);
        QTest::newRow("norm2") << qint64{0};
        QTest::newRow("pool2") << qint64{0};
        QTest::newRow("local3") << qint64{2304 * 384};
        QTest::newRow("local4") << qint64{384 * 192};
        QTest::newRow("softmax_linear") << qint64{192 * 10};
    }

    void MultiplyAdds_perLayer_areTheHandCounts()
    {
        QFETCH(qint64, multiplyAdds);
        const QString name = QTest::currentDataTag();
        const NetworkSpec network = cifar10Network();
        const auto costs = layerCosts(network);
        const LayerCost& cost = costNamed(network, costs, name);
        QCOMPARE(cost.fpropFlop, 2 * multiplyAdds);
        QCOMPARE(cost.wgradFlop, 2 * multiplyAdds);
        QCOMPARE(cost.dgradFlop, name == "conv1" ? 0 : 2 * multiplyAdds);
    }

    void Cost_ofCifar10_isTheHandCount()
    {
        const LayerCost cost = totalCost(cifar10Network());
        QCOMPARE(cost.fpropFlop, 36941568);
        QCOMPARE(cost.dgradFlop, 31411968);
        QCOMPARE(cost.wgradFlop, 36941568);
        QCOMPARE(cost.trainingFlop(), 105295104);
        QCOMPARE(cost.parameterElements, 1068298);
        QCOMPARE(cost.parameterBytes, 4273192);
        QCOMPARE(cost.activationBytes, 4 * 78346);
        QCOMPARE(cost.activationBytes / 1024, 306);
    }

    void Catalog_knowsCifar10_andNamesItWhenAskedForAnother()
    {
        QCOMPARE(networkByName("cifar10").name, std::string("cifar10"));
        QCOMPARE(networkByName("shapes").parameterElements(), 117914);
        for (const std::string& name : networkNames()) {
            QCOMPARE(networkByName(name).name, name);
        }
        QVERIFY(test::tells(
            test::errorOf([&] { networkByName("cifar11"); }), ErrorCode::BadInput, "'cifar11'",
            "cifar10,"));
    }
};

LOCKSTEP_TEST(TestCifar10Network)
#include "test_cifar10_network.moc"
