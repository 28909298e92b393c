// SPDX-License-Identifier: Apache-2.0
// The whole inception_v3 on the CPU: the slope of its loss along the gradient by central difference
// in float64 (oracle 3), at a small size, and the loss that the trainer's logs begin with, at full
// size.
#include "base/thread_team.h"
#include "network/models/inception_v3.h"
#include "support/lockstep_test.h"
#include "support/loss_slope.h"

using namespace lockstep;
using test::Random;

namespace {

/// Sum of decay * |w|^2 / 2.
double weightDecayLoss(const NetworkSpec& network, const ReferenceParameters& parameters)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double length = test::norm<double>(parameters[i]);
        sum += network.parameters[i].weightDecay / 2.0 * length * length;
    }
    return sum;
}

} // namespace

class TestInceptionGradients : public QObject
{
    Q_OBJECT

private slots:
    void SlopeOfTheLoss_byGradientAndByDifference_agree_data()
    {
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("width");
        // Below, the last maps are single cells, and a batch has too few values to normalise for
        // float32; see the test by the reference.
        QTest::newRow("small") << 107 << 107;
        QTest::newRow("oblong") << 75 << 139;
    }

    void SlopeOfTheLoss_byGradientAndByDifference_agree()
    {
        QFETCH(int, height);
        QFETCH(int, width);
        InceptionV3Settings settings;
        settings.inputHeight = height;
        settings.inputWidth = width;
        settings.classes = 10;
        const NetworkSpec network = inceptionV3Network(settings);
        Random random(21);
        const auto errors = test::slopeErrors(network, test::randomExamples(network, 4, random));
        QVERIFY2(errors.bySums < 1e-3, errors.text().c_str());
        // 1.1e-3 and 1.8e-3: 94 layers that normalise by a few dozen values magnify what minimal
        // filtering rounds more.
        QVERIFY2(errors.asTrained < 1e-2, errors.text().c_str());
    }

    // Where the last maps are single cells, which the windows of pools and convolutions overlap.
    void Gradients_ofTheSmallest_areThoseOfTheReference_data()
    {
        QTest::addColumn<bool>("isDirect");
        QTest::addColumn<double>("most");
        QTest::newRow("sums") << true << 1e-4;
        // Rounding, some times as large, decides more ReLUs and maxima otherwise.
        QTest::newRow("minimal filtering") << false << 1e-3;
    }

    void Gradients_ofTheSmallest_areThoseOfTheReference()
    {
        QFETCH(bool, isDirect);
        QFETCH(double, most);
        InceptionV3Settings settings;
        settings.inputHeight = 75;
        settings.inputWidth = 75;
        settings.classes = 10;
        settings.normalization = NormalizationMode::Moving;
        const NetworkSpec network = inceptionV3Network(settings);
        Random random(22);
        const auto examples = test::randomExamples(network, 2, random);
        const auto errors = test::compareWithReference(
            network, referenceParameters(network, 5), examples,
            {.threads = ThreadTeam::processors(),
             .algorithms =
                 isDirect ? test::directConvolutions() : std::map<std::string, std::string>()});
        QVERIFY2(errors.forward < 1e-4, errors.text().c_str());
        QVERIFY2(errors.backward < most, errors.text().c_str());
    }

    // 1.4 ln 1001 + 3.388: the logits begin near 0.
    void FirstLoss_at299_isAsInTheTrainersLogs()
    {
        const NetworkSpec network = inceptionV3Network({});
        Random random(3);
        constexpr std::int64_t kRows = 2;
        const auto examples = test::randomExamples(network, kRows, random);
        const auto parameters = referenceParameters(network, 1);
        const test::CpuPass pass(
            network, parameters, examples, {Precision::Float32, true, ThreadTeam::processors()});
        const double loss = pass.lossSum(network) / static_cast<double>(kRows)
                            + weightDecayLoss(network, parameters);
        QVERIFY2(std::abs(loss - 13.06) < 0.2, qPrintable(QString::number(loss)));
    }
};

LOCKSTEP_TEST(TestInceptionGradients)
#include "test_inception_gradients.moc"
