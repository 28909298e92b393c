// SPDX-License-Identifier: Apache-2.0
// The whole cifar10 network on the CPU: first loss (golden value), gradients against the reference,
// and the slope of the loss along a direction, by gradient and by central difference (oracle 3).
#include "network/models/catalog.h"
#include "support/lockstep_test.h"
#include "support/precisions.h"
#include "support/replica_check.h"
#include "update/optimizer.h"

using namespace lockstep;
using test::Random;

namespace {

/// Images as the input pipeline makes them: mean 0, variance 1.
test::Examples standardisedExamples(const NetworkSpec& network, std::int64_t rows)
{
    Random random(12);
    auto examples = test::randomExamples(network, rows, random);
    for (float& value : examples.images) {
        // A uniform value in +-sqrt(3) has variance 1.
        value *= static_cast<float>(std::sqrt(3.0) / 1.7);
    }
    return examples;
}

double lossAlong(
    test::CpuPass& pass, const NetworkSpec& network, const test::Examples& examples,
    const std::vector<float>& weights, const std::vector<float>& direction, double step)
{
    float* moved = pass.arena().weights();
    std::ranges::transform(weights, direction, moved, [&](float weight, float slope) {
        return static_cast<float>(double{weight} + step * double{slope});
    });
    pass.arena().roundOperands();
    pass.replica().forward(pass.arena().weightsView(), {examples.images, examples.labels});
    return pass.lossSum(network) / static_cast<double>(examples.rows());
}

} // namespace

class TestCifar10Gradients : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { test::addPrecisions(); }

    void FirstLoss_withWeightDecay_isTheGoldenValue()
    {
        const NetworkSpec network = cifar10Network();
        const auto examples = standardisedExamples(network, 32);
        QFETCH_GLOBAL(Precision, precision);
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const test::CpuPass pass(
                network, referenceParameters(network, seed), examples, {precision, false});
            const cpu::CpuDevice device;
            const std::vector<bool> all(network.parameters.size(), true);
            Optimizer optimizer(
                device, network, pass.arena(), chunkParameters(pass.arena().layout(), all));
            ThreadTeam threads("test", 2, false);
            optimizer.refreshWeightDecayLoss(threads);
            const double loss = pass.lossSum(network) / 32.0 + optimizer.weightDecayLoss();
            QVERIFY2(std::abs(loss - 4.676) < 0.05, qPrintable(QString::number(loss)));
        }
    }

    void Gradients_ofCifar10_equalTheReference()
    {
        QFETCH_GLOBAL(Precision, precision);
        const NetworkSpec network = cifar10Network();
        const auto errors = test::compareWithReference(
            network, referenceParameters(network, 5), standardisedExamples(network, 2),
            {precision});
        const QString message = QString::fromStdString(errors.text());
        using namespace test::tolerance;
        const bool isFloat = precision == Precision::Float32;
        QVERIFY2(errors.forward < (isFloat ? kForward : kChainBfloat16), qPrintable(message));
        QVERIFY2(errors.backward < (isFloat ? kChain : kDecidedBfloat16), qPrintable(message));
    }

    void SlopeOfTheLoss_byGradientAndByDifference_agree()
    {
        const NetworkSpec network = cifar10Network();
        const auto examples = standardisedExamples(network, 16);
        QFETCH_GLOBAL(Precision, precision);
        test::CpuPass pass(network, referenceParameters(network, 5), examples, {precision});
        const auto elements = static_cast<std::size_t>(pass.arena().layout().elements);
        const std::vector<float> weights(pass.arena().weights(), pass.arena().weights() + elements);
        const std::vector<float> gradient(
            pass.replica().gradients(), pass.replica().gradients() + elements);
        // Along the gradient itself the slope is its norm: as large as it can be beside the
        // rounding of a float32 loss (3e-7). The second direction weighs the elements anew.
        Random random(13);
        for (const bool isWeighed : {false, true}) {
            std::vector<float> direction = gradient;
            for (float& value : direction) {
                value *= isWeighed ? static_cast<float>(random.uniform(0.0, 2.0)) : 1.0F;
            }
            double slope = 0.0;
            for (std::size_t i = 0; i < elements; ++i) {
                slope += double{gradient[i]} * double{direction[i]};
            }
            const double step = 0.02 / std::sqrt(slope);
            const double difference =
                (lossAlong(pass, network, examples, weights, direction, step)
                 - lossAlong(pass, network, examples, weights, direction, -step))
                / (2.0 * step);
            const double error = std::abs(difference / slope - 1.0);
            // Most weights move by less than a bfloat16 can tell: some jump, the others stay.
            const double allowed = precision == Precision::Float32 ? 1e-3 : 1e-2;
            QVERIFY2(error < allowed, qPrintable(QString::number(error)));
        }
    }
};

LOCKSTEP_TEST(TestCifar10Gradients)
#include "test_cifar10_gradients.moc"
