// SPDX-License-Identifier: Apache-2.0
// Random networks on the CPU against the float64 reference: every layout that one op leaves meets
// every op that may follow, and the memory plan is that of real training (only the logits are
// kept).
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

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

NetworkSpec networkOf(int seed)
{
    Random random(static_cast<std::uint64_t>(seed));
    return randomNetwork(random);
}

test::PassErrors errorsOf(int seed, Precision precision)
{
    Random random(static_cast<std::uint64_t>(seed));
    const NetworkSpec network = randomNetwork(random);
    const auto parameters = test::randomParameters(network, random);
    const auto examples = test::randomExamples(network, random.integer(1, 4), random);
    return test::compareWithReference(network, parameters, examples, {precision});
}

/// Whether a layer decides by comparing: for values that lie within rounding of each other (or of
/// 0) otherwise in another precision.
bool decides(const NetworkSpec& network)
{
    return std::ranges::any_of(network.layers, [](const Layer& layer) {
        const auto* conv = std::get_if<Conv2d>(&layer.spec);
        const auto* dense = std::get_if<Dense>(&layer.spec);
        return std::holds_alternative<MaxPool>(layer.spec)
               || (conv != nullptr && conv->activation == Activation::Relu)
               || (dense != nullptr && dense->activation == Activation::Relu);
    });
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
    void initTestCase_data() { test::addPrecisions(); }

    void RandomNetwork_gradients_equalTheReference_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < kNetworks; ++seed) {
            QTest::newRow(QByteArray::number(seed) + ": " + text(networkOf(seed))) << seed;
        }
    }

    void RandomNetwork_gradients_equalTheReference()
    {
        QFETCH(int, seed);
        QFETCH_GLOBAL(Precision, precision);
        const NetworkSpec network = networkOf(seed);
        const auto errors = errorsOf(seed, precision);
        const QString message = QString::fromStdString(errors.text());
        using namespace test::tolerance;
        const bool isFloat = precision == Precision::Float32;
        QVERIFY2(errors.forward < (isFloat ? kChain : kChainBfloat16), qPrintable(message));
        // Decisions of networks as small as these move the whole gradient: they are counted below.
        const double allowed = decides(network) ? 1.0 : kChainBfloat16;
        QVERIFY2(errors.backward < (isFloat ? kChain : allowed), qPrintable(message));
    }

    void RandomNetworks_inBfloat16_mostDecideAsTheReference()
    {
        QFETCH_GLOBAL(Precision, precision);
        if (precision == Precision::Float32) {
            return;
        }
        int deciding = 0;
        int alike = 0;
        for (int seed = 0; seed < kNetworks; ++seed) {
            if (decides(networkOf(seed))) {
                ++deciding;
                const double error = errorsOf(seed, precision).backward;
                alike += error < test::tolerance::kChainBfloat16 ? 1 : 0;
            }
        }
        const auto message = QString("%1 of %2").arg(alike).arg(deciding);
        QVERIFY2(deciding > kNetworks / 2, qPrintable(message));
        // Measured: 95 of 106.
        QVERIFY2(4 * alike > 3 * deciding, qPrintable(message));
    }

    void EveryPairOfKinds_appearsInTheRandomNetworks()
    {
        QSet<QPair<std::size_t, std::size_t>> pairs;
        for (int seed = 0; seed < kNetworks; ++seed) {
            const NetworkSpec network = networkOf(seed);
            for (const Layer& layer : network.layers) {
                if (!layer.inputs.empty()) {
                    const auto source = static_cast<std::size_t>(layer.inputs.front());
                    pairs.insert({network.layers.at(source).spec.index(), layer.spec.index()});
                }
            }
        }
        constexpr int kKinds = 5; // those of test::randomLayer(), and the input
        // Every kind behind every kind; nothing stands before the input.
        QCOMPARE(pairs.size(), kKinds * (kKinds - 1));
    }

    void Inference_sameWeights_givesTheOutputOfTraining()
    {
        QFETCH_GLOBAL(Precision, precision);
        std::size_t saved = 0;
        for (const std::uint64_t seed : {3, 17, 40, 77}) {
            Random random(seed);
            const NetworkSpec network = randomNetwork(random);
            const auto parameters = test::randomParameters(network, random);
            const auto examples = test::randomExamples(network, 3, random);
            const test::CpuPass training(network, parameters, examples, {precision});
            const test::CpuPass inference(network, parameters, examples, {precision, false});
            const std::vector<float> got = inference.replica().output("logits");
            const std::vector<float> expected = training.replica().output("logits");
            const double allowed = precision == Precision::Float32 ? test::tolerance::kForward
                                                                   : test::tolerance::kOpBfloat16;
            QVERIFY((test::relativeError<float, float>(got, expected) < allowed));
            QCOMPARE(
                inference.replica().results()[0].correct, training.replica().results()[0].correct);
            // The same where the scratch space of one op is all that matters.
            QVERIFY(inference.replica().bytes() <= training.replica().bytes());
            saved += training.replica().bytes() - inference.replica().bytes();
        }
        QVERIFY(saved > 0);
    }

    void SecondPass_overOtherRows_leavesNothingOfTheFirst()
    {
        QFETCH_GLOBAL(Precision, precision);
        for (const std::uint64_t seed : {5, 21, 63}) {
            Random random(seed);
            const NetworkSpec network = randomNetwork(random);
            const auto parameters = test::randomParameters(network, random);
            const auto first = test::randomExamples(network, 3, random);
            const auto second = test::randomExamples(network, 3, random);
            test::CpuPass twice(network, parameters, first, {precision});
            twice.run(second);
            const test::CpuPass once(network, parameters, second, {precision});
            QCOMPARE(twice.lossSum(network), once.lossSum(network));
            for (std::size_t i = 0; i < parameters.size(); ++i) {
                QVERIFY(std::ranges::equal(twice.gradient(i), once.gradient(i)));
            }
        }
    }
};

LOCKSTEP_TEST(TestOpChains)
#include "test_op_chains.moc"
