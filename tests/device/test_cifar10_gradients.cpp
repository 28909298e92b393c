// SPDX-License-Identifier: Apache-2.0
// The whole cifar10 network on the CPU: first loss (golden value), gradients against the reference,
// and the slope of the loss along a direction, by gradient and by central difference (oracle 3).
#include "network/models/catalog.h"
#include "support/replica_check.h"
#include "update/sgd.h"

#include <QtTest/QtTest>

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
    std::vector<float> moved(weights.size());
    std::ranges::transform(weights, direction, moved.begin(), [&](float weight, float slope) {
        return static_cast<float>(double{weight} + step * double{slope});
    });
    pass.replica().forward(moved.data(), examples.images, examples.labels);
    return pass.lossSum(network) / static_cast<double>(examples.rows());
}

} // namespace

class TestCifar10Gradients : public QObject
{
    Q_OBJECT

private slots:
    void FirstLoss_withWeightDecay_isTheGoldenValue()
    {
        const NetworkSpec network = cifar10Network();
        const auto examples = standardisedExamples(network, 32);
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            const test::CpuPass pass(network, referenceParameters(network, seed), examples, false);
            const cpu::CpuDevice device;
            const std::vector<bool> all(network.parameters.size(), true);
            Sgd sgd(device, network, pass.arena(), chunkParameters(pass.arena().layout(), all));
            ThreadTeam threads("test", 2, false);
            sgd.refreshWeightDecayLoss(threads);
            const double loss = pass.lossSum(network) / 32.0 + sgd.weightDecayLoss();
            QVERIFY2(std::abs(loss - 4.676) < 0.05, qPrintable(QString::number(loss)));
        }
    }

    void Gradients_ofCifar10_equalTheReference()
    {
        const NetworkSpec network = cifar10Network();
        const auto errors = test::compareWithReference(
            network, referenceParameters(network, 5), standardisedExamples(network, 2));
        const auto message = QString("forward %1, backward %2, worst in %3")
                                 .arg(errors.forward)
                                 .arg(errors.backward)
                                 .arg(QString::fromStdString(errors.where));
        QVERIFY2(errors.forward < test::tolerance::kForward, qPrintable(message));
        QVERIFY2(errors.backward < test::tolerance::kChain, qPrintable(message));
    }

    void SlopeOfTheLoss_byGradientAndByDifference_agree()
    {
        const NetworkSpec network = cifar10Network();
        const auto examples = standardisedExamples(network, 16);
        test::CpuPass pass(network, referenceParameters(network, 5), examples);
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
            QVERIFY2(error < 1e-3, qPrintable(QString::number(error)));
        }
    }
};

QTEST_GUILESS_MAIN(TestCifar10Gradients)
#include "test_cifar10_gradients.moc"
