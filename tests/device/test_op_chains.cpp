// SPDX-License-Identifier: Apache-2.0
// Random networks on the CPU against the float64 reference: every layout that one op leaves meets
// every op that may follow, and the memory plan is that of real training (only the logits are
// kept).
#include "support/replica_check.h"

#include <QtTest/QtTest>

using namespace lockstep;
using test::Random;

namespace {

constexpr int kNetworks = 120;

NetworkSpec randomNetwork(Random& random)
{
    Shape top{random.integer(1, 10), random.integer(1, 10), random.oneOf<std::int64_t>({1, 3, 8})};
    const Shape input = top;
    std::vector<LayerSpec> layers;
    const auto count = random.integer(2, 6);
    for (std::int64_t i = 0; i < count; ++i) {
        layers.push_back(test::randomLayer(top, random));
        top = test::chain(input, layers).layers.at(layers.size()).shape;
    }
    return test::chain(input, layers);
}

QByteArray text(const NetworkSpec& network)
{
    QStringList kinds;
    for (const Layer& layer : network.layers) {
        kinds << QString::fromStdString(kindName(layer.spec) + " " + toString(layer.shape));
    }
    return kinds.join(" - ").toLatin1();
}

} // namespace

class TestOpChains : public QObject
{
    Q_OBJECT

private slots:
    void RandomNetwork_gradients_equalTheReference_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < kNetworks; ++seed) {
            Random random(static_cast<std::uint64_t>(seed));
            QTest::newRow(QByteArray::number(seed) + ": " + text(randomNetwork(random))) << seed;
        }
    }

    void RandomNetwork_gradients_equalTheReference()
    {
        QFETCH(int, seed);
        Random random(static_cast<std::uint64_t>(seed));
        const NetworkSpec network = randomNetwork(random);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, random.integer(1, 4), random);
        const auto errors = test::compareWithReference(network, parameters, examples);
        const auto message = QString("forward %1, backward %2, worst in %3")
                                 .arg(errors.forward)
                                 .arg(errors.backward)
                                 .arg(QString::fromStdString(errors.where));
        QVERIFY2(errors.forward < test::tolerance::kChain, qPrintable(message));
        QVERIFY2(errors.backward < test::tolerance::kChain, qPrintable(message));
    }

    void EveryPairOfKinds_appearsInTheRandomNetworks()
    {
        QSet<QPair<std::size_t, std::size_t>> pairs;
        for (int seed = 0; seed < kNetworks; ++seed) {
            Random random(static_cast<std::uint64_t>(seed));
            const NetworkSpec network = randomNetwork(random);
            for (const Layer& layer : network.layers) {
                if (!layer.inputs.empty()) {
                    const auto source = static_cast<std::size_t>(layer.inputs.front());
                    pairs.insert({network.layers.at(source).spec.index(), layer.spec.index()});
                }
            }
        }
        constexpr auto Kinds = static_cast<int>(std::variant_size_v<LayerSpec>);
        // Every kind behind every kind; nothing stands before the input.
        QCOMPARE(pairs.size(), Kinds * (Kinds - 1));
    }

    void Inference_sameWeights_givesTheOutputOfTraining()
    {
        for (const std::uint64_t seed : {3, 17, 40, 77}) {
            Random random(seed);
            const NetworkSpec network = randomNetwork(random);
            const auto parameters = test::randomParameters(network, random);
            const auto examples = test::randomExamples(network, 3, random);
            const test::CpuPass training(network, parameters, examples);
            const test::CpuPass inference(network, parameters, examples, false);
            const std::vector<float> got = inference.replica().output("logits");
            const std::vector<float> expected = training.replica().output("logits");
            QVERIFY((test::relativeError<float, float>(got, expected) < test::tolerance::kForward));
            QCOMPARE(
                inference.replica().results()[0].correct, training.replica().results()[0].correct);
            QVERIFY(inference.replica().bytes() < training.replica().bytes());
        }
    }

    void SecondPass_overOtherRows_leavesNothingOfTheFirst()
    {
        for (const std::uint64_t seed : {5, 21, 63}) {
            Random random(seed);
            const NetworkSpec network = randomNetwork(random);
            const auto parameters = test::randomParameters(network, random);
            const auto first = test::randomExamples(network, 3, random);
            const auto second = test::randomExamples(network, 3, random);
            test::CpuPass twice(network, parameters, first);
            twice.run(second);
            const test::CpuPass once(network, parameters, second);
            QCOMPARE(twice.lossSum(network), once.lossSum(network));
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                QVERIFY(std::ranges::equal(twice.gradient(i), once.gradient(i)));
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestOpChains)
#include "test_op_chains.moc"
