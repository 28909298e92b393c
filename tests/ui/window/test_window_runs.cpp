// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation.h"
#include "ui/window_witness.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// Whether a file of this name is somewhere in the folder.
bool isBelow(const fs::path& folder, const fs::path& name)
{
    const fs::recursive_directory_iterator files(folder);
    return std::any_of(begin(files), end(files), [&](const fs::directory_entry& entry) {
        return entry.path().filename() == name;
    });
}

} // namespace

/// Runs and checkpoints in the window: saved, stopped, gone on with, loaded, opened again.
class TestWindowRuns : public WindowTest
{
    Q_OBJECT

private slots:
    void SaveCheckpoint_byKey_isListedEverywhere()
    {
        trainOn(10);
        m_scene->press("Ctrl+S");
        QTRY_VERIFY(m_scene->run().savedCheckpoint() && m_scene->run().savedCheckpoint()->step > 0);
        const auto saved = m_scene->run().savedCheckpoint().value();
        QVERIFY(fs::is_regular_file(saved.file));
        auto* const table = find<QTableView>("checkpoints_table");
        QTRY_COMPARE(table->model()->rowCount(), 2); // and the one of step 0
        QCOMPARE(
            table->model()->index(0, CheckpointModel::Step).data().toString(),
            QLocale().toString(static_cast<qlonglong>(saved.step)));
        QTRY_VERIFY2(
            m_scene->statusText().contains("checkpoint at step "),
            qPrintable(m_scene->statusText()));
        emit actions().recentCheckpoints->aboutToShow();
        QVERIFY(actions().recentCheckpoints->actions().front()->toolTip() == toQString(saved.file));
    }

    void SaveCheckpointAs_writesTheChosenFile()
    {
        trainOn(10);
        pause();
        const fs::path file = m_scene->folder() / "mine.safetensors";
        m_scene->choose(actions().saveCheckpointAs, m_scene->folder() / "mine"); // gets its suffix
        QTRY_VERIFY(fs::exists(file));
        const Checkpoint mine = readCheckpoint(file);
        QCOMPARE(mine.step, m_scene->shownSteps());
        m_scene->press("Ctrl+S");
        QTRY_COMPARE(RunLibrary::checkpointsOf(m_scene->run().folder()).size(), 2U);
        const Checkpoint saved = openCheckpoint(m_scene->run().folder()).checkpoint;
        QVERIFY(mine.weights == saved.weights && mine.movingAverages == saved.movingAverages);
    }

    void Stop_thenContinue_losesNothing()
    {
        trainAndStop(30);
        const std::int64_t steps = m_scene->shownSteps();
        const fs::path folder = m_scene->run().folder();
        QCOMPARE(
            m_scene->message(),
            QString("Stopped after %1 steps; they are saved.").arg(QLocale().toString(steps)));
        m_scene->accept("Continue Run"); // at once
        WAIT_FOR_STEPS(steps + 10);
        QCOMPARE(m_scene->run().folder(), folder);
        stop();
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
    }

    void Offer_behindAReport_comesBack()
    {
        trainAndStop(5);
        m_scene->choose(actions().exportConfiguration, m_scene->folder() / "mine.toml");
        QVERIFY(m_scene->message().startsWith("Written"));
        QCOMPARE(m_scene->offers(), QStringList());
        auto* const close = window().messages().findChild<QToolButton*>();
        QTest::mouseClick(close, Qt::LeftButton);
        QCOMPARE(m_scene->offers(), QStringList("Continue Run"));
        QTest::mouseClick(close, Qt::LeftButton);
        QCOMPARE(m_scene->message(), QString());
        // A long one is whole: its end may be what matters.
        const QString text = QString(400, 'm') + ". The end.";
        window().messages().showMessage(MessageBar::Kind::Warning, text);
        QCOMPARE(window().messages().findChild<QLabel*>("message")->text(), text);
    }

    void LoadCheckpoint_continuesItsRun()
    {
        trainAndStop(20);
        const fs::path folder = m_scene->run().folder();
        const fs::path last = openCheckpoint(folder).file.path;
        const fs::path first = folder / "checkpoints" / "step-000000000.safetensors";
        QVERIFY(fs::exists(first) && first != last);
        m_scene->choose(actions().loadCheckpoint, first);
        QVERIFY2(
            m_scene->message().contains("step 0 of small, 2 × 8"), qPrintable(m_scene->message()));
        QCOMPARE(
            m_scene->offers(),
            QStringList({"Continue Its Run", "New Run from It", "Fine-Tune from It"}));
        m_scene->accept("Continue Its Run");
        QVERIFY(m_scene->message().contains("go on from step 0"));
        m_scene->type("steps", "12");
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->run().folder(), folder);
        QCOMPARE(m_scene->shownSteps(), 12);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
        QVERIFY2(isBelow(folder, last.filename()), last.c_str()); // what came later is kept aside
    }

    void LoadCheckpoint_startsANewRun()
    {
        trainAndStop(20);
        const fs::path folder = m_scene->run().folder();
        const std::int64_t steps = m_scene->shownSteps();
        const fs::path outside = m_scene->folder() / "elsewhere.safetensors";
        fs::copy_file(openCheckpoint(folder).file.path, outside);
        m_scene->choose(actions().loadCheckpoint, outside);
        QCOMPARE(m_scene->offers(), QStringList({"New Run from It", "Fine-Tune from It"}));
        m_scene->accept("New Run from It");
        m_scene->type("steps", QString::number(steps + 10));
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QVERIFY(m_scene->run().folder() != folder);
        QCOMPARE(m_scene->shownSteps(), 10);
        QCOMPARE(m_scene->run().series()->steps().timeline().stepAt(0), steps);
    }

    void Checkpoint_ofTheTable_setsUpARun()
    {
        trainAndStop(5);
        m_scene->press("Ctrl+6");
        auto* const table = find<QTableView>("checkpoints_table");
        QTRY_VERIFY(table->isVisible());
        QTRY_COMPARE(table->model()->rowCount(), 2);
        table->clearSelection(); // as the tab key leaves it: a row of the keys, none that is chosen
        table->selectionModel()->setCurrentIndex(
            table->model()->index(0, 0), QItemSelectionModel::NoUpdate);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(!window().runPanel().request().isResume);
        table->selectRow(0);
        for (QPushButton* each : window().findChildren<QPushButton*>()) {
            if (each->text() == "Branch with Changes…") {
                QTest::mouseClick(each, Qt::LeftButton);
            }
        }
        const RunRequest request = window().runPanel().request();
        QVERIFY(request.isResume);
        QCOMPARE(request.folder, m_scene->run().folder());
        QCOMPARE(request.checkpoint.value(), openCheckpoint(m_scene->run().folder()).file.path);
        QCOMPARE(m_scene->offers(), QStringList("Start"));
    }

    void OpenRun_showsIt_andOffersItsSettings()
    {
        RunConfig config = m_scene->config(25);
        config.seed = 5;
        train(config);
        const fs::path first = m_scene->run().folder();
        train(15);
        m_scene->choose(actions().openRun, first);
        QTRY_COMPARE(m_scene->shownSteps(), 25);
        QCOMPARE(m_scene->run().folder(), first);
        QCOMPARE(m_scene->state(), SessionController::State::Idle);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(first)));
        QCOMPARE(window().runPanel().request().config.seed, 5U);
        QVERIFY(window().runPanel().request().folder.empty());
        // The other one is in the menu.
        emit actions().recentRuns->aboutToShow();
        for (QAction* action : actions().recentRuns->actions()) {
            if (action->toolTip() != toQString(first) && !action->toolTip().isEmpty()) {
                action->trigger();
                break;
            }
        }
        QTRY_COMPARE(m_scene->shownSteps(), 15);
    }

    void Start_goesThroughTheChecklist_andShowsIt()
    {
        std::vector<std::string> names;
        QStringList missing;
        QStringList noted;
        const auto* const chart = charts().plots().front();
        connect(
            &window().controller().feed(), &RunFeed::preflightArrived, this,
            [&](const PreflightRecord& record) {
                names.push_back(record.name);
                const QString name = QString::fromStdString(record.name);
                if (chart->isEmpty() && !chart->summary().contains(name)) { // no step has come yet
                    missing.append(name);
                }
            });
        connect(&window().notices(), &Notices::noted, this, [&](const QString& text) {
            noted.append(text);
        });
        train(20);
        const std::vector<PreflightRecord> stored = store().preflight();
        QVERIFY(!stored.empty());
        QCOMPARE(names.size(), stored.size());
        for (std::size_t i = 0; i < stored.size(); ++i) {
            QCOMPARE(names[i], stored[i].name);
            QCOMPARE(noted.filter(QString::fromStdString(stored[i].text)).size(), 1);
        }
        QCOMPARE(missing, QStringList());
    }

private:
    void trainAndStop(std::int64_t atLeast)
    {
        m_scene->start(m_scene->config(kEndless));
        WAIT_FOR_STEPS(atLeast);
        actions().stop->trigger();
        WAIT_FOR_STATE(Stopped);
    }
};
LOCKSTEP_TEST(TestWindowRuns)
#include "test_window_runs.moc"
