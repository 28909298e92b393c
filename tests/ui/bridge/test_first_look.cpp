// SPDX-License-Identifier: GPL-3.0-or-later
// What the first card of the start page promises, in steps: nine of ten test pictures right after
// 1,250 of them, which take well under a minute on two idle cores, and nothing to warn of.
#include "cli/program.h"
#include "engine/storage.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>

using namespace lockstep;

class TestFirstLook : public QObject
{
    Q_OBJECT

private slots:
    void FirstLook_learnsWithinAMinutesSteps_withoutAWarning()
    {
        const test::TemporaryFolder folder;
        QStringList arguments{
            "train",   "--config", LOCKSTEP_SOURCE_DIR "/resources/presets/first_look.toml",
            "--steps", "1250",     "--device",
            "cpu",     "--run",    test::toText(folder / "run")};
        for (const char* const key : {"input_share", "tower_wait", "stuck_seconds"}) {
            arguments << "--set" << QString("alerts.%1=0").arg(key); // of how busy the machine is
        }
        const test::Outcome outcome = test::runProgram(arguments);
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY2(!outcome.text().contains("alert:"), qPrintable(outcome.text()));
        const RunStoreReader store(RunFolder::storeFileOf(folder / "run"));
        const auto evaluations = store.evaluations();
        const auto last = std::ranges::find_if(evaluations, [](const EvaluationRecord& record) {
            return record.step == 1250 && record.weights == WeightsKind::Average;
        });
        QVERIFY(last != evaluations.end());
        QVERIFY2(last->accuracy >= 0.9, qPrintable(QString::number(last->accuracy)));
    }
};
LOCKSTEP_TEST(TestFirstLook)
#include "test_first_look.moc"
