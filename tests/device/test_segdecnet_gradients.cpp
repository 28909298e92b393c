// SPDX-License-Identifier: Apache-2.0
// The whole segdecnet on the CPU, at a small size: the slope of each objective's loss along a
// direction, by gradient and by central difference (oracle 3).
#include "base/thread_team.h"
#include "network/models/segdecnet.h"
#include "support/lockstep_test.h"
#include "support/loss_slope.h"
#include "support/precisions.h"

using namespace lockstep;
using test::Random;

namespace {

constexpr std::int64_t kRows = 2;

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
            {.threads = ThreadTeam::processors(), .algorithms = test::directConvolutions()});
        const double error = test::leastSlopeError(pass, network, examples);
        // What float32 leaves of a difference of losses: kernels of AVX2 measured up to 2.1e-3.
        QVERIFY2(error < 5e-3, qPrintable(QString::number(error)));
    }
};

LOCKSTEP_TEST(TestSegdecnetGradients)
#include "test_segdecnet_gradients.moc"
