// SPDX-License-Identifier: Apache-2.0
// The whole segdecnet on the CPU, at a small size: the slope of each objective's loss along a
// direction, by gradient and by central difference (oracle 3).
#include "base/thread_team.h"
#include "network/models/segdecnet.h"
#include "support/precisions.h"
#include "support/replica_check.h"

#include <QtTest/QtTest>

using namespace lockstep;
using test::Random;

namespace {

constexpr std::int64_t kRows = 2;

/// A gradient of the whole arena; 0 for statistics, which follow the rows and not the loss.
std::vector<float> lossGradient(const test::CpuPass& pass, const NetworkSpec& network)
{
    const ParameterLayout& layout = pass.arena().layout();
    std::vector<float> gradient(
        pass.replica().gradients(), pass.replica().gradients() + layout.elements);
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        if (network.parameters[i].isStatistic()) {
            std::fill_n(gradient.begin() + layout.offsets[i], layout.counts[i], 0.0F);
        }
    }
    return gradient;
}

/// |loss at weights + step * direction - loss at weights - step * direction|, relative to what the
/// gradient says of it: of the weights as float32 has them, as most move by little.
double slopeError(
    test::CpuPass& pass, const NetworkSpec& network, const test::Examples& examples, double change)
{
    const auto gradient = lossGradient(pass, network);
    float* moved = pass.arena().weights();
    const std::vector<float> weights(moved, moved + gradient.size());
    const double slope = std::pow(test::norm<float>(gradient), 2);
    double said = 0.0;
    double difference = 0.0;
    for (const double sign : {1.0, -1.0}) {
        const double step = sign * change / (2.0 * slope);
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            moved[i] = static_cast<float>(double{weights[i]} + step * double{gradient[i]});
            said += sign * double{gradient[i]} * double{moved[i]};
        }
        pass.replica().forward(
            pass.arena().weightsView(), {examples.images, examples.labels, examples.masks});
        difference += sign * pass.lossSum(network) / static_cast<double>(examples.rows());
    }
    std::ranges::copy(weights, moved);
    return std::abs(difference / said - 1.0);
}

} // namespace

class TestSegdecnetGradients : public QObject
{
    Q_OBJECT

private slots:
    void SlopeOfTheLoss_byGradientAndByDifference_agree_data()
    {
        QTest::addColumn<QString>("variant");
        QTest::addColumn<QString>("objectives");
        for (const char* objectives : {"segmentation", "decision", "joint"}) {
            QTest::addRow("authors, %s", objectives) << "authors" << objectives;
        }
        QTest::newRow("third party, joint") << "third_party"
                                            << "joint";
    }

    void SlopeOfTheLoss_byGradientAndByDifference_agree()
    {
        QFETCH(QString, variant);
        QFETCH(QString, objectives);
        SegdecnetSettings settings =
            segdecnetSettings(segdecnetVariantByName(variant.toStdString()));
        settings.inputHeight = 256;
        settings.inputWidth = 256;
        const NetworkSpec whole = segdecnetNetwork(settings);
        const NetworkSpec network =
            whole.withObjectives(objectivesNamed(whole, objectives.toStdString()), {});
        Random random(21);
        const auto examples = test::randomExamples(network, kRows, random);
        test::CpuPass pass(
            network, referenceParameters(network, 5), examples,
            {Precision::Float32, true, ThreadTeam::processors()});
        // Along the gradient the slope is largest beside rounding. A large step crosses many kinks
        // of ReLUs and maxima, a small one drowns in float32's rounding: one between them fits.
        double least = 1.0;
        for (const double change : {3e-3, 1e-3, 3e-4, 1e-4}) {
            least = std::min(least, slopeError(pass, network, examples, change));
            if (least < 1e-3) {
                return;
            }
        }
        QFAIL(qPrintable(QString::number(least)));
    }
};

QTEST_GUILESS_MAIN(TestSegdecnetGradients)
#include "test_segdecnet_gradients.moc"
