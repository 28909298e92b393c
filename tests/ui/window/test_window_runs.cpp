// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "ui/window_witness.h"

#include <QMenu>
#include <QTableView>
#include <QToolButton>

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
    void init() { m_scene.emplace(); }
    void cleanup() { END_SCENE(); }

    void SaveCheckpoint_byKey_isListedEverywhere();
    void SaveCheckpointAs_writesTheChosenFile();
    void Stop_thenContinue_losesNothing();
    void Offer_behindAReport_comesBack();
    void LoadCheckpoint_continuesItsRun();
    void LoadCheckpoint_startsANewRun();
    void Checkpoint_ofTheTable_setsUpARun();
    void OpenRun_showsIt_andOffersItsSettings();
    void Start_goesThroughTheChecklist_andShowsIt();

private:
    void trainAndStop(std::int64_t atLeast);
};

void TestWindowRuns::trainAndStop(std::int64_t atLeast)
{
    m_scene->start(m_scene->config(kEndless));
    WAIT_FOR_STEPS(atLeast);
    actions().stop->trigger();
    WAIT_FOR_STATE(Stopped);
}

void TestWindowRuns::SaveCheckpoint_byKey_isListedEverywhere()
{
    m_scene->start(m_scene->config(kEndless));
    WAIT_FOR_STEPS(10);
    m_scene->press("Ctrl+S");
    QTRY_VERIFY(m_scene->run().savedCheckpoint() && m_scene->run().savedCheckpoint()->step > 0);
    const auto saved = m_scene->run().savedCheckpoint().value();
    QVERIFY(fs::is_regular_file(saved.file));
    auto* const table =
        m_scene->window().findChild<QTableView*>(QStringLiteral("checkpoints_table"));
    QTRY_COMPARE(table->model()->rowCount(), 2); // and the one of step 0
    QCOMPARE(
        table->model()->index(0, CheckpointModel::Step).data().toString(),
        QLocale().toString(static_cast<qlonglong>(saved.step)));
    QTRY_VERIFY2(
        m_scene->statusText().contains(QStringLiteral("checkpoint at step ")),
        qPrintable(m_scene->statusText()));
    emit actions().recentCheckpoints->aboutToShow();
    QVERIFY(actions().recentCheckpoints->actions().front()->toolTip() == toQString(saved.file));
}

void TestWindowRuns::SaveCheckpointAs_writesTheChosenFile()
{
    m_scene->start(m_scene->config(kEndless));
    WAIT_FOR_STEPS(10);
    m_scene->press("Ctrl+P");
    WAIT_FOR_STATE(Paused);
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

void TestWindowRuns::Stop_thenContinue_losesNothing()
{
    trainAndStop(30);
    const std::int64_t steps = m_scene->shownSteps();
    const fs::path folder = m_scene->run().folder();
    QCOMPARE(
        m_scene->message(),
        QStringLiteral("Stopped after %1 steps; they are saved.").arg(QLocale().toString(steps)));
    m_scene->accept(QStringLiteral("Continue Run")); // at once
    WAIT_FOR_STEPS(steps + 10);
    QCOMPARE(m_scene->run().folder(), folder);
    m_scene->press("Ctrl+.");
    WAIT_FOR_STATE(Stopped);
    QVERIFY(showsLosses(m_scene->run(), storedLosses(folder)));
}

void TestWindowRuns::Offer_behindAReport_comesBack()
{
    trainAndStop(5);
    m_scene->choose(actions().exportConfiguration, m_scene->folder() / "mine.toml");
    QVERIFY(m_scene->message().startsWith(QStringLiteral("Written")));
    QCOMPARE(m_scene->offers(), QStringList());
    auto* const close = m_scene->window().messages().findChild<QToolButton*>();
    QTest::mouseClick(close, Qt::LeftButton);
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Continue Run")));
    QTest::mouseClick(close, Qt::LeftButton);
    QCOMPARE(m_scene->message(), QString());
    // A long one is whole: its end may be what matters.
    const QString text = QString(400, QLatin1Char('m')) + QStringLiteral(". The end.");
    m_scene->window().messages().showMessage(MessageBar::Kind::Warning, text);
    QCOMPARE(
        m_scene->window().messages().findChild<QLabel*>(QStringLiteral("message"))->text(), text);
}

void TestWindowRuns::LoadCheckpoint_continuesItsRun()
{
    trainAndStop(20);
    const fs::path folder = m_scene->run().folder();
    const fs::path last = openCheckpoint(folder).file.path;
    const fs::path first = folder / "checkpoints" / "step-000000000.safetensors";
    QVERIFY(fs::exists(first) && first != last);
    m_scene->choose(actions().loadCheckpoint, first);
    QVERIFY2(
        m_scene->message().contains(QStringLiteral("step 0 of small, 2 × 8")),
        qPrintable(m_scene->message()));
    QCOMPARE(
        m_scene->offers(),
        QStringList(
            {QStringLiteral("Continue Its Run"), QStringLiteral("New Run from It"),
             QStringLiteral("Fine-Tune from It")}));
    m_scene->accept(QStringLiteral("Continue Its Run"));
    QVERIFY(m_scene->message().contains(QStringLiteral("go on from step 0")));
    m_scene->type(QStringLiteral("steps"), QStringLiteral("12"));
    m_scene->press("Ctrl+R");
    WAIT_FOR_STATE(Finished);
    QCOMPARE(m_scene->run().folder(), folder);
    QCOMPARE(m_scene->shownSteps(), 12);
    QVERIFY(showsLosses(m_scene->run(), storedLosses(folder)));
    QVERIFY2(isBelow(folder, last.filename()), last.c_str()); // what came later is kept aside
}

void TestWindowRuns::LoadCheckpoint_startsANewRun()
{
    trainAndStop(20);
    const fs::path folder = m_scene->run().folder();
    const std::int64_t steps = m_scene->shownSteps();
    const fs::path outside = m_scene->folder() / "elsewhere.safetensors";
    fs::copy_file(openCheckpoint(folder).file.path, outside);
    m_scene->choose(actions().loadCheckpoint, outside);
    QCOMPARE(
        m_scene->offers(),
        QStringList({QStringLiteral("New Run from It"), QStringLiteral("Fine-Tune from It")}));
    m_scene->accept(QStringLiteral("New Run from It"));
    m_scene->type(QStringLiteral("steps"), QString::number(steps + 10));
    m_scene->press("Ctrl+R");
    WAIT_FOR_STATE(Finished);
    QVERIFY(m_scene->run().folder() != folder);
    QCOMPARE(m_scene->shownSteps(), 10);
    QCOMPARE(m_scene->run().series()->steps().timeline().stepAt(0), steps);
}

void TestWindowRuns::Checkpoint_ofTheTable_setsUpARun()
{
    trainAndStop(5);
    MainWindow& window = m_scene->window();
    m_scene->press("Ctrl+6");
    auto* const table = window.findChild<QTableView*>(QStringLiteral("checkpoints_table"));
    QTRY_VERIFY(table->isVisible());
    QTRY_COMPARE(table->model()->rowCount(), 2);
    table->selectRow(0);
    for (QPushButton* each : window.findChildren<QPushButton*>()) {
        if (each->text() == QStringLiteral("Branch with Changes…")) {
            QTest::mouseClick(each, Qt::LeftButton);
        }
    }
    const RunRequest request = window.runPanel().request();
    QVERIFY(request.isResume);
    QCOMPARE(request.folder, m_scene->run().folder());
    QCOMPARE(request.checkpoint.value(), openCheckpoint(m_scene->run().folder()).file.path);
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Start")));
}

void TestWindowRuns::OpenRun_showsIt_andOffersItsSettings()
{
    RunConfig config = m_scene->config(25);
    config.seed = 5;
    m_scene->start(config);
    WAIT_FOR_STATE(Finished);
    const fs::path first = m_scene->run().folder();
    m_scene->start(m_scene->config(15));
    WAIT_FOR_STATE(Finished);
    m_scene->choose(actions().openRun, first);
    QTRY_COMPARE(m_scene->shownSteps(), 25);
    QCOMPARE(m_scene->run().folder(), first);
    QCOMPARE(m_scene->state(), SessionController::State::Idle);
    QVERIFY(showsLosses(m_scene->run(), storedLosses(first)));
    QCOMPARE(m_scene->window().runPanel().request().config.seed, 5U);
    QVERIFY(m_scene->window().runPanel().request().folder.empty());
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

void TestWindowRuns::Start_goesThroughTheChecklist_andShowsIt()
{
    std::vector<std::string> names;
    QStringList missing;
    QStringList noted;
    const auto* const chart = m_scene->window().findChild<ChartsPanel*>()->plots().front();
    connect(
        &m_scene->window().controller().feed(), &RunFeed::preflightArrived, this,
        [&](const PreflightRecord& record) {
            names.push_back(record.name);
            const QString name = QString::fromStdString(record.name);
            if (chart->isEmpty() && !chart->summary().contains(name)) { // no step has come yet
                missing.append(name);
            }
        });
    connect(&m_scene->window().notices(), &Notices::noted, this, [&](const QString& text) {
        noted.append(text);
    });
    m_scene->start(m_scene->config(20));
    WAIT_FOR_STATE(Finished);
    const RunStoreReader reader(RunFolder::storeFileOf(m_scene->run().folder()));
    const std::vector<PreflightRecord> stored = reader.preflight();
    QVERIFY(!stored.empty());
    QCOMPARE(names.size(), stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        QCOMPARE(names[i], stored[i].name);
        QCOMPARE(noted.filter(QString::fromStdString(stored[i].text)).size(), 1);
    }
    QCOMPARE(missing, QStringList());
}

LOCKSTEP_TEST(TestWindowRuns)
#include "test_window_runs.moc"
