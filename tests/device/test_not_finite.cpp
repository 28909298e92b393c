// SPDX-License-Identifier: Apache-2.0
// A value that is no number must not get lost on its way to the loss: the check before the update
// rests on that.
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"

#include <limits>

using namespace lockstep;
using test::convolution;
using test::fullyConnected;
using test::Random;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A pass in the precision of this run of the test.
test::CpuPass passOver(
    const NetworkSpec& network, const ReferenceParameters& parameters,
    const test::Examples& examples)
{
    QFETCH_GLOBAL(Precision, precision);
    return {network, parameters, examples, {precision}};
}

bool isLost(const test::CpuPass& pass, const NetworkSpec& network, const std::string& output)
{
    const auto values = pass.replica().output(output);
    const bool outputIsFinite =
        std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
    return outputIsFinite || std::isfinite(pass.lossSum(network));
}

} // namespace

class TestNotFinite : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void Op_thatReadsNoNumber_givesNoNumberAndNoLoss_data()
    {
        QTest::addColumn<NetworkSpec>("network");
        QTest::addColumn<float>("bad");
        const auto relu = Activation::Relu;
        const auto reluConv = [&](std::int64_t channels) {
            return convolution(channels, {3, 3}, {1, 1}, Padding::Same, relu);
        };
        const std::vector<std::pair<const char*, std::vector<LayerSpec>>> networks{
            {"convolution", {convolution(16, {3, 3})}},
            {"convolution with relu", {reluConv(16)}},
            {"convolution with relu, odd channels", {reluConv(5)}},
            {"convolution with relu on blocks", {convolution(16, {1, 1}), reluConv(17)}},
            {"normalisation, beta 3/4", {convolution(32, {1, 1}), Lrn{4, 1.0, 0.1, 0.75}}},
            {"normalisation, beta 1/2", {convolution(32, {1, 1}), Lrn{4, 1.0, 0.1, 0.5}}},
            {"normalisation of the input", {Lrn{1, 1.0, 0.1, 0.75}}},
            {"normalisation of relu", {reluConv(17), Lrn{4, 1.0, 0.1, 0.75}}},
            {"max pool on blocks", {convolution(16, {1, 1}), MaxPool{{3, 3}, {2, 2}}}},
            {"max pool of relu", {reluConv(16), MaxPool{{3, 3}, {2, 2}}}},
            {"max pool of relu, odd channels", {reluConv(5), MaxPool{{2, 2}, {2, 2}}}},
            {"fully connected", {fullyConnected(5)}},
            {"fully connected with relu", {fullyConnected(64, relu)}},
            {"fully connected with relu, odd units", {fullyConnected(3, relu)}}};
        // Where only the logits are kept, a convolution may leave its ReLU to the next layer.
        for (const bool allOutputs : {true, false}) {
            const auto row = [&](const char* name, const std::vector<LayerSpec>& layers,
                                 float bad) {
                QTest::addRow("%s: %g%s", name, double{bad}, allOutputs ? "" : ", only logits kept")
                    << test::chain({7, 7, 3}, layers, 4, allOutputs) << bad;
            };
            for (const auto& [name, layers] : networks) {
                for (const float bad : {kNan, kInfinity, -kInfinity}) {
                    row(name, layers, bad);
                }
            }
            // The largest of a window is rightly not -infinity.
            row("max pool", {MaxPool{{3, 3}, {2, 2}}}, kNan);
            row("max pool", {MaxPool{{3, 3}, {2, 2}}}, kInfinity);
        }
    }

    void Op_thatReadsNoNumber_givesNoNumberAndNoLoss()
    {
        QFETCH(NetworkSpec, network);
        QFETCH(float, bad);
        Random random(3);
        const auto parameters = test::randomParameters(network, random);
        auto examples = test::randomExamples(network, 2, random);
        examples.images.at((3 * 7 + 3) * 3 + 1) = bad;
        const test::CpuPass pass = passOver(network, parameters, examples);
        // The layer under test stands before the logits.
        const auto last = static_cast<LayerId>(network.layers.size()) - 2;
        const auto kept = std::ranges::find(network.outputs, last, &NamedOutput::layer);
        QVERIFY(!isLost(pass, network, kept != network.outputs.end() ? kept->name : "logits"));
    }

    void Weight_thatIsNoNumber_givesNoLoss_data()
    {
        QTest::addColumn<NetworkSpec>("network");
        const auto relu = Activation::Relu;
        QTest::newRow("convolution")
            << test::chain({5, 5, 3}, {convolution(16, {3, 3}, {1, 1}, Padding::Same, relu)});
        QTest::newRow("fully connected") << test::chain({5, 5, 3}, {fullyConnected(16, relu)});
        QTest::newRow("logits") << test::chain({5, 5, 3}, {});
    }

    void Weight_thatIsNoNumber_givesNoLoss()
    {
        QFETCH(NetworkSpec, network);
        Random random(4);
        const auto examples = test::randomExamples(network, 2, random);
        for (const std::size_t parameter : {0U, 1U}) {
            auto parameters = test::randomParameters(network, random);
            parameters.at(parameter).front() = double{kNan};
            const test::CpuPass pass = passOver(network, parameters, examples);
            QVERIFY(!isLost(pass, network, "logits"));
            QCOMPARE(pass.replica().results()[0].correct, 0);
        }
    }

    void MaxPool_infinity_givesInfinity()
    {
        const NetworkSpec network = test::chain({6, 6, 16}, {MaxPool{{3, 3}, {2, 2}}}, 4, true);
        Random random(5);
        const auto parameters = test::randomParameters(network, random);
        auto examples = test::randomExamples(network, 1, random);
        examples.images.at(40) = kInfinity;
        const test::CpuPass pass = passOver(network, parameters, examples);
        QVERIFY(!isLost(pass, network, "1-max_pool"));
    }

    void MaxPool_aNaN_isTheLargest()
    {
        const NetworkSpec network = test::chain({2, 2, 1}, {MaxPool{{2, 2}, {2, 2}}}, 4, true);
        Random random(6);
        const auto parameters = test::randomParameters(network, random);
        for (std::size_t place = 0; place < 4; ++place) {
            test::Examples examples{{1.0F, -3.0F, kInfinity, -1.0F}, {0}, {}};
            examples.images.at(place) = kNan;
            const test::CpuPass pass = passOver(network, parameters, examples);
            QVERIFY(std::isnan(pass.replica().output("1-max_pool").front()));
            QVERIFY(std::isnan(pass.lossSum(network)));
        }
    }

    void Loss_ofInfiniteLogits_isNotFinite()
    {
        const NetworkSpec network = test::chain({1, 1, 1}, {}, 3);
        const auto infinity = static_cast<double>(kInfinity);
        for (const auto& logits :
             {std::vector<double>{infinity, 0.0, 0.0},
              {-infinity, 0.0, 0.0},
              {infinity, infinity, 0.0}}) {
            const test::CpuPass pass =
                passOver(network, {std::vector<double>(3), logits}, {{1.0F}, {0}, {}});
            QVERIFY(!std::isfinite(pass.lossSum(network)));
        }
    }

    void Loss_ofHugeLogits_isFiniteAndRight()
    {
        const NetworkSpec network = test::chain({1, 1, 1}, {}, 3);
        const test::CpuPass pass = passOver(
            network, {std::vector<double>(3), {1e30, 0.0, -1e30}}, {{1.0F, 1.0F}, {0, 1}, {}});
        QCOMPARE(pass.lossSum(network), static_cast<double>(1e30F));
        QCOMPARE(pass.replica().results()[0].correct, 1);
    }
};

LOCKSTEP_TEST(TestNotFinite)
#include "test_not_finite.moc"
