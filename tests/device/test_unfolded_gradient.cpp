// SPDX-License-Identifier: Apache-2.0
// The gradients of a convolution by products over the unfolded source, which processors with AMX
// use, against oneDNN's own kernel on the same bfloat16 numbers: another order of the same sums.
#include "support/lockstep_test.h"
#include "support/replica_check.h"

#include <fmt/core.h>

#include <cmath>

using namespace lockstep;
using test::convolution;
using test::Random;

namespace {

constexpr const char* kUnfolded = "wgrad unfolded product";

struct Gradients
{
    std::vector<std::vector<float>> values; ///< by parameter
    std::string algorithm;                  ///< of the convolution under test
};

Gradients gradientsOf(
    const NetworkSpec& network, const test::Examples& examples, const std::string& algorithm)
{
    const cpu::CpuDevice device;
    device.enterThread(1);
    const ParameterArena arena(device, network, Precision::Bfloat16);
    Random random(4);
    test::load(arena, arena.weights(), test::randomParameters(network, random));
    arena.roundOperands();
    ReplicaSettings settings;
    settings.examples = examples.rows();
    settings.isTraining = true;
    settings.precision = Precision::Bfloat16;
    settings.algorithms[network.layers[2].name] = algorithm;
    Replica replica(device, network, arena.layout(), settings);
    replica.forward(arena.weightsView(), {examples.images, examples.labels});
    replica.backward(
        arena.weightsView(), {examples.images, examples.labels},
        1.0 / static_cast<double>(examples.rows()));
    Gradients gradients{{}, replica.report()[2].algorithm};
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        const auto values = arena.of(replica.gradients(), static_cast<int>(i));
        gradients.values.emplace_back(values.begin(), values.end());
    }
    return gradients;
}

bool isClose(const std::vector<float>& got, const std::vector<float>& wanted)
{
    const std::vector<double> exact(wanted.begin(), wanted.end());
    // Sums of at most some ten thousand float32 products.
    return test::relativeError<float, double>(got, exact, 1e-6) < 2e-5;
}

} // namespace

class TestUnfoldedGradient : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (cpu::CpuDevice().operandBytes(Precision::Bfloat16) == 0) {
            QSKIP("this processor does not multiply bfloat16 numbers");
        }
    }

    void Unfolded_randomShapes_equalsTheDirectKernel_data()
    {
        QTest::addColumn<NetworkSpec>("network");
        QTest::addColumn<int>("rows");
        Random random(77);
        for (int number = 0; number < 60; ++number) {
            const Shape image{random.integer(1, 13), random.integer(1, 13), 3};
            const Extent kernel{random.integer(1, 7), random.integer(1, 7)};
            const Extent stride{random.integer(1, 3), random.integer(1, 3)};
            const bool fits = kernel.height <= image.height && kernel.width <= image.width;
            const auto padding = fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
            const auto before = random.oneOf<std::int64_t>({1, 3, 5, 16, 17, 64});
            const auto channels = random.oneOf<std::int64_t>({1, 3, 5, 16, 17, 64});
            const auto relu = random.integer(0, 1) == 1 ? Activation::Relu : Activation::None;
            QTest::addRow("case %d", number) << test::chain(
                image,
                {convolution(before, {1, 1}), convolution(channels, kernel, stride, padding, relu)},
                4, true) << static_cast<int>(random.integer(1, 5));
        }
        // Several pieces, the last one shorter: 1 MiB holds some 27 rows of 12 positions.
        QTest::newRow("conv2 of cifar10, 5 images")
            << test::chain({12, 12, 3}, {convolution(64, {1, 1}), convolution(64, {5, 5})}, 4, true)
            << 5;
    }
    void Unfolded_randomShapes_equalsTheDirectKernel()
    {
        QFETCH(NetworkSpec, network);
        QFETCH(int, rows);
        Random random(5);
        const auto examples = test::randomExamples(network, rows, random);
        const Gradients unfolded = gradientsOf(network, examples, asked());
        const Gradients direct = gradientsOf(network, examples, "direct, of oneDNN");
        QVERIFY(unfolded.algorithm.ends_with(kUnfolded));
        QVERIFY(!direct.algorithm.ends_with(kUnfolded));
        for (std::size_t i = 0; i < direct.values.size(); ++i) {
            QVERIFY2(
                isClose(unfolded.values[i], direct.values[i]), network.parameters[i].name.c_str());
        }
    }

    void Unfolded_imagesOfOneCell_equalsTheReference()
    {
        // 1 x 1 images: the window meets one cell, and every product is a single one.
        const NetworkSpec network =
            test::chain({1, 1, 3}, {convolution(3, {1, 1}), convolution(5, {3, 3})}, 4, true);
        Random random(4);
        const auto parameters = test::randomParameters(network, random);
        Random more(5);
        const auto examples = test::randomExamples(network, 4, more);
        const auto expected =
            referencePass(network, parameters, {examples.images, examples.labels}, 0.25);
        const Gradients got = gradientsOf(network, examples, asked());
        for (std::size_t i = 0; i < got.values.size(); ++i) {
            const double error =
                test::relativeError<float, double>(got.values[i], expected.gradients[i], 1e-3);
            QVERIFY2(error < test::tolerance::kOpBfloat16, network.parameters[i].name.c_str());
        }
    }

    void Unfolded_aNaNOfTheImage_reachesTheWeightsThatMeetIt()
    {
        const NetworkSpec network =
            test::chain({5, 5, 3}, {convolution(16, {1, 1}), convolution(16, {3, 3})}, 4, true);
        Random random(5);
        auto examples = test::randomExamples(network, 2, random);
        examples.images.at((2 * 5 + 2) * 3) = std::nanf("");
        const Gradients got = gradientsOf(network, examples, asked());
        const auto isNan = [](float value) { return std::isnan(value); };
        // All channels of the cell in the middle are NaN, and every tap of the window meets it.
        QVERIFY(std::ranges::all_of(got.values[2], isNan));
    }

private:
    static std::string asked() { return fmt::format("direct, {}", kUnfolded); }
};

LOCKSTEP_TEST(TestUnfoldedGradient)
#include "test_unfolded_gradient.moc"
