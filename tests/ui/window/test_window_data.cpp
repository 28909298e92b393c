// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "support/test_data.h"
#include "ui/csv_table.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// The window on the real CIFAR-10.
class TestWindowData : public WindowTest
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_data = test::testData("cifar-10-batches-bin");
        if (!fs::exists(m_data / "test_batch.bin")) {
            QSKIP("CIFAR-10 is not in LOCKSTEP_TEST_DATA");
        }
    }

    void Cifar10_500Steps_chartsEqualTheExportedCsv()
    {
        RunConfig config = m_scene->config(500);
        config.datasetPath = m_data.string();
        train(config);
        QCOMPARE(m_scene->shownSteps(), 500);
        const fs::path file = m_scene->folder() / "metrics.csv";
        m_scene->choose(actions().exportCsv, file);
        QTRY_VERIFY(m_scene->message().startsWith("Written"));
        const CsvTable table(file);
        QCOMPARE(table.rows(), 500U);
        QCOMPARE(table.differenceFrom(*m_scene->run().series()), QString());
        // And it is the training that lockstep-train makes.
        const fs::path run = m_scene->folder() / "run";
        const test::Outcome outcome = test::runProgram(
            {"train", "--config", toQString(m_scene->folder() / "set-up.toml"), "--run",
             toQString(run)});
        QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(run)));
    }

    void Cifar10_typedFolder_countsItsExamples()
    {
        RunConfig config = m_scene->config(500);
        config.datasetPath.clear();
        m_scene->configure(config);
        m_scene->type("dataset.path", toQString(m_data));
        QTRY_VERIFY(actions().start->isEnabled());
        QVERIFY2(
            m_scene->field("global_batch")->note().contains("3,125"),
            qPrintable(m_scene->field("global_batch")->note()));
    }

private:
    fs::path m_data;
};
LOCKSTEP_TEST(TestWindowData)
#include "test_window_data.moc"
