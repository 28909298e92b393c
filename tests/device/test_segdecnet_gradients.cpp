// SPDX-License-Identifier: Apache-2.0
// The whole segdecnet on the CPU, at a small size: the slope of each objective's loss along the
// gradient, by it and by central difference in float64 (oracle 3).
#include "network/models/segdecnet.h"
#include "support/lockstep_test.h"
#include "support/loss_slope.h"

using namespace lockstep;
using test::Random;

namespace {

constexpr std::int64_t kRows = 1;

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
        settings.inputHeight = 128;
        settings.inputWidth = 64;
        const NetworkSpec whole = segdecnetNetwork(settings);
        const NetworkSpec network =
            whole.withObjectives(objectivesNamed(whole, objectives.toStdString()), {});
        Random random(21);
        const auto errors =
            test::slopeErrors(network, test::randomExamples(network, kRows, random));
        QVERIFY2(errors.bySums < 1e-3, errors.text().c_str());
        QVERIFY2(errors.asTrained < 1e-3, errors.text().c_str());
    }
};

LOCKSTEP_TEST(TestSegdecnetGradients)
#include "test_segdecnet_gradients.moc"
