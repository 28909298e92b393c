// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"
#include "support/lockstep_test.h"

#include <vector>

using namespace lockstep;

class TestNearestName : public QObject
{
    Q_OBJECT

private slots:
    void NearestName_ofASlip_isTheOneThatWasMeant()
    {
        const std::vector<std::string> names{"train", "control", "pause", "resume", "--steps"};
        QCOMPARE(nearestName("trian", names), std::string("train"));      // two letters
        QCOMPARE(nearestName("pauze", names), std::string("pause"));      // one replaced
        QCOMPARE(nearestName("contrl", names), std::string("control"));   // one missing
        QCOMPARE(nearestName("--stepps", names), std::string("--steps")); // one too many
        QCOMPARE(nearestName("resume", names), std::string("resume"));
    }

    /// "pain" is two from "train" and three from "pause".
    void NearestName_betweenTwo_needsTheFewestEdits()
    {
        const std::vector<std::string> names{"pause", "train"};
        QCOMPARE(nearestName("pain", names), std::string("train"));
        QCOMPARE(nearestName("", names), std::string("pause")); // five each: the first
    }
};

LOCKSTEP_TEST(TestNearestName)
#include "test_nearest_name.moc"
