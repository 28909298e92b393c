// SPDX-License-Identifier: Apache-2.0
// A convolution may leave its ReLU to its only reader, a max pooling or normalisation. That may
// change no bit: the same network in which the convolution is an output, and therefore finished by
// itself, is the oracle.
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"
#include "support/text_rows.h"

using namespace lockstep;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

struct Pair
{
    Shape input;
    Conv2d conv;
    std::vector<LayerSpec> readers; ///< the first one leads to the first loss
    bool isOutput = false;          ///< the convolution's values can be asked for
    bool isFrozen = false;          ///< nothing up to the convolution is trained
};

/// input - 1 x 1 convolution - convolution - readers, with a loss behind each reader.
NetworkSpec networkOf(const Pair& pair)
{
    const auto inGroup = [](auto layer, const char* group) {
        layer.parameters.group = group;
        return layer;
    };
    const char* below = pair.isFrozen ? "frozen" : "moving";
    NetworkBuilder builder("pair", pair.input, 4);
    const LayerId front = builder.add("front", inGroup(convolution(5, {1, 1}), below), {0});
    const LayerId conv = builder.add("conv", inGroup(pair.conv, below), {front});
    if (pair.isOutput) {
        builder.output("conv", conv);
    }
    for (std::size_t i = 0; i < pair.readers.size(); ++i) {
        const std::string number = std::to_string(i);
        const LayerId reader = builder.add("reader" + number, pair.readers[i], {conv});
        const LayerId logits =
            builder.add("logits" + number, inGroup(fullyConnected(4), "moving"), {reader});
        builder.output("logits" + number, logits);
        builder.objective(
            {"loss" + number, i == 0 ? 1.0 : 0.5, SoftmaxCrossEntropy{logits}, {"moving"}});
    }
    return builder.build();
}

bool appliesRelu(const test::CpuPass& pass, const std::string& layer)
{
    for (const OpReport& report : pass.replica().report()) {
        if (report.layer == layer) {
            return report.algorithm.find("with ReLU") != std::string::npos;
        }
    }
    return false;
}

/// Whether two passes found the same loss, logits and gradients, to the last bit.
bool areSame(const NetworkSpec& network, const test::CpuPass& one, const test::CpuPass& other)
{
    bool isSame = one.lossSum(network) == other.lossSum(network)
                  && one.replica().output("logits0") == other.replica().output("logits0");
    for (std::size_t i = 0; i < network.parameters.size() && one.replica().settings().isTraining;
         ++i) {
        isSame = isSame && std::ranges::equal(one.gradient(i), other.gradient(i));
    }
    return isSame;
}

Pair randomPair(Random& random, bool isPool)
{
    Pair pair;
    pair.input = {
        random.oneOf<std::int64_t>({1, 2, 5, 7, 9}), random.oneOf<std::int64_t>({1, 3, 4, 8}), 3};
    pair.conv = convolution(
        random.oneOf<std::int64_t>({1, 3, 5, 8, 16, 17, 24, 64}),
        {random.integer(1, 5), random.integer(1, 5)}, {random.integer(1, 2), 1}, Padding::Same,
        Activation::Relu);
    if (isPool) {
        const auto extent = [&](std::int64_t most) {
            return Extent{random.integer(1, most), random.integer(1, most)};
        };
        pair.readers = {MaxPool{extent(4), extent(3)}};
    } else {
        pair.readers = {
            Lrn{random.integer(1, 9), random.uniform(0.5, 2.0), random.uniform(0.05, 0.5),
                random.oneOf<double>({0.75, 0.5})}};
    }
    return pair;
}

} // namespace

class TestPendingActivation : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void ReLU_ofAnOnlyReader_changesNoBit_data()
    {
        QTest::addColumn<Pair>("pair");
        QTest::addColumn<int>("rows");
        Random random(31);
        for (int number = 0; number < 60; ++number) {
            const bool isPool = number % 2 == 0;
            Pair pair = randomPair(random, isPool);
            pair.isFrozen = number % 10 >= 8;
            const auto rows = static_cast<int>(random.integer(1, 3));
            QTest::newRow(qPrintable(QString("%1: %2 x %3, %4x%5 to %6 channels, %7%8")
                                         .arg(number)
                                         .arg(rows)
                                         .arg(QString::fromStdString(toString(pair.input)))
                                         .arg(pair.conv.kernel.height)
                                         .arg(pair.conv.kernel.width)
                                         .arg(pair.conv.channels)
                                         .arg(isPool ? "max pooling" : "normalisation")
                                         .arg(pair.isFrozen ? ", frozen" : "")))
                << pair << rows;
        }
    }

    void ReLU_ofAnOnlyReader_changesNoBit()
    {
        QFETCH_GLOBAL(Precision, precision);
        QFETCH(Pair, pair);
        QFETCH(int, rows);
        const NetworkSpec network = networkOf(pair);
        pair.isOutput = true;
        const NetworkSpec finished = networkOf(pair);
        Random random(7);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, rows, random);
        for (const bool isTraining : {true, false}) {
            const test::CpuPass left(network, parameters, examples, {precision, isTraining});
            const test::CpuPass done(finished, parameters, examples, {precision, isTraining});
            QVERIFY(appliesRelu(left, "reader0"));
            QVERIFY(!appliesRelu(done, "reader0"));
            QVERIFY(areSame(network, left, done));
            const auto values = done.replica().output("conv");
            QVERIFY(std::ranges::none_of(values, [](float value) { return value < 0.0F; }));
        }
        if (precision == Precision::Float32) {
            const auto errors =
                test::compareWithReference(network, parameters, examples, {precision});
            QVERIFY2(errors.forward < test::tolerance::kChain, errors.where.c_str());
            QVERIFY2(errors.backward < test::tolerance::kChain, errors.where.c_str());
        }
    }

    void ReLU_ofOtherReaders_isDoneByTheConvolution_data()
    {
        const MaxPool pool{{3, 3}, {2, 2}};
        const Lrn lrn{2, 1.0, 0.3, 0.75};
        test::addRows<std::vector<LayerSpec>>(
            {"readers"}, {{"fully connected", {fullyConnected(9)}},
                          {"convolution", {convolution(6, {3, 3})}},
                          {"two max poolings", {pool, MaxPool{{2, 2}, {1, 1}}}},
                          {"max pooling and normalisation", {pool, lrn}},
                          {"normalisation and fully connected", {lrn, fullyConnected(3)}},
                          {"max pooling and convolution", {pool, convolution(17, {1, 1})}}});
    }

    void ReLU_ofOtherReaders_isDoneByTheConvolution()
    {
        QFETCH_GLOBAL(Precision, precision);
        QFETCH(std::vector<LayerSpec>, readers);
        for (const std::int64_t channels : {3, 16, 17}) {
            Pair pair;
            pair.input = {7, 6, 3};
            pair.conv = convolution(channels, {3, 3}, {1, 1}, Padding::Same, Activation::Relu);
            pair.readers = readers;
            const NetworkSpec network = networkOf(pair);
            pair.isOutput = true;
            const NetworkSpec finished = networkOf(pair);
            Random random(9);
            const auto parameters = test::randomParameters(network, random);
            const auto examples = test::randomExamples(network, 2, random);
            const test::CpuPass pass(network, parameters, examples, {precision});
            for (std::size_t i = 0; i < readers.size(); ++i) {
                QVERIFY(!appliesRelu(pass, "reader" + std::to_string(i)));
            }
            const test::CpuPass done(finished, parameters, examples, {precision});
            QVERIFY(areSame(network, pass, done));
            if (precision == Precision::Float32) {
                const auto errors =
                    test::compareWithReference(network, parameters, examples, {precision});
                QVERIFY2(errors.forward < test::tolerance::kChain, errors.text().c_str());
                QVERIFY2(errors.backward < test::tolerance::kChain, errors.text().c_str());
            }
        }
    }

    void Convolution_withoutReLU_leavesNothing()
    {
        QFETCH_GLOBAL(Precision, precision);
        Pair pair;
        pair.input = {7, 6, 3};
        pair.conv = convolution(16, {3, 3});
        pair.readers = {MaxPool{{3, 3}, {2, 2}}};
        const NetworkSpec network = networkOf(pair);
        Random random(9);
        const auto parameters = test::randomParameters(network, random);
        const auto examples = test::randomExamples(network, 2, random);
        const test::CpuPass pass(network, parameters, examples, {precision});
        QVERIFY(!appliesRelu(pass, "reader0"));
    }
};

LOCKSTEP_TEST(TestPendingActivation)
#include "test_pending_activation.moc"
