// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells of a run that is on disk, and what it leaves behind for the next one.
#include "panels/log/log_panel.h"
#include "panels/run_form/run_panel.h"
#include "plots/view/plot_view.h"
#include "support/lockstep_test.h"
#include "ui/window_witness.h"
#include "widgets/forms/note_label.h"
#include "window/window_helpers.h"

#include <QTabBar>

namespace fs = std::filesystem;

using namespace lockstep;
using namespace lockstep::ui;

class TestWindowStoredRun : public WindowTest
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup() { END_SCENE(); }

    void OpenedRun_inANewWindow_tellsItsEndAndFillsTheLog();
    void NewRun_afterAnExperiment_isWithoutOne();
    void NewRun_afterARun_forgetsItsChecklist();
    void Tab_thatIsClicked_getsTheKeyboard();
    void Language_chosenWhileSomethingIsOffered_leavesTheOffer();
    void Bar_thatOnlyShows_keepsItsOffers();

private:
    [[nodiscard]] const LogModel& log() const
    {
        return m_scene->window().findChild<LogPanel*>()->model();
    }
    [[nodiscard]] PlotView& lossPlot() const
    {
        return *m_scene->window().findChild<ChartsPanel*>()->plots().front();
    }
    [[nodiscard]] QString formExperiment() const
    {
        return m_scene->window().findChild<NoteLabel*>(QStringLiteral("form_experiment"))->note();
    }
};

void TestWindowStoredRun::OpenedRun_inANewWindow_tellsItsEndAndFillsTheLog()
{
    m_scene->start(m_scene->config(1'000'000));
    WAIT_FOR_STEPS(10);
    m_scene->press("Ctrl+.");
    WAIT_FOR_STATE(Stopped);
    const QString steps = QLocale().toString(static_cast<qlonglong>(m_scene->shownSteps()));
    const auto folder = m_scene->run().folder();
    m_scene->open();
    m_scene->window().openCommands().openRun(folder);
    QTRY_VERIFY(m_scene->shownSteps() > 0);
    QTRY_VERIFY2(
        m_scene->statusText().startsWith(QStringLiteral("Stopped after %1 steps").arg(steps)),
        qPrintable(m_scene->statusText()));
    const QString lines = log().toPlainText();
    QVERIFY2(
        lines.contains(QStringLiteral("Checkpoint of step %1:").arg(steps)), qPrintable(lines));
    QCOMPARE(lines.count(QStringLiteral("Checkpoint of step %1:").arg(steps)), 1);
    m_scene->window().openCommands().openRun(folder); // again: its lines are there
    QTest::qWait(200);
    QCOMPARE(log().toPlainText().count(QStringLiteral("Checkpoint of step %1:").arg(steps)), 1);
}

void TestWindowStoredRun::NewRun_afterAnExperiment_isWithoutOne()
{
    RunConfig config = m_scene->config(5);
    config.experiment.shards = "same";
    m_scene->configure(config);
    const QString said = QStringLiteral("Experiment: all towers get the same rows");
    QCOMPARE(formExperiment(), said);
    QVERIFY2(lossPlot().summary().contains(said), qPrintable(lossPlot().summary()));
    m_scene->press("Ctrl+R");
    WAIT_FOR_STATE(Finished);
    m_scene->actions().newRun->trigger();
    QCOMPARE(
        m_scene->window().runPanel().request().config.experiment.shards, std::string("distinct"));
    QVERIFY(formExperiment().isEmpty());
    QVERIFY(!lossPlot().summary().contains(said));
}

void TestWindowStoredRun::NewRun_afterARun_forgetsItsChecklist()
{
    m_scene->start(m_scene->config(5));
    WAIT_FOR_STATE(Finished);
    m_scene->actions().newRun->trigger();
    QVERIFY2(
        lossPlot().summary().startsWith(QStringLiteral("Press Start")),
        qPrintable(lossPlot().summary()));
}

void TestWindowStoredRun::Tab_thatIsClicked_getsTheKeyboard()
{
    for (QTabBar* const bar : m_scene->window().findChildren<QTabBar*>()) {
        for (int tab = 0; tab < bar->count(); ++tab) {
            if (bar->tabText(tab) == QStringLiteral("Runs")) {
                QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
                QTRY_COMPARE(helpChapterOf(QApplication::focusWidget()), QStringLiteral("runs"));
                return;
            }
        }
    }
    QFAIL("there is no tab of the runs");
}

void TestWindowStoredRun::Language_chosenWhileSomethingIsOffered_leavesTheOffer()
{
    MessageBar& bar = m_scene->window().messages();
    bar.showMessage(
        MessageBar::Kind::Information, QStringLiteral("Stopped"),
        {{QStringLiteral("Go On"), [] {}}});
    for (QAction* const action : m_scene->actions().language->actions()) {
        if (action->data().toString() == QStringLiteral("de")) {
            action->trigger();
        }
    }
    QVERIFY(m_scene->message().contains(QStringLiteral("started again")));
    bar.dismiss();
    QCOMPARE(m_scene->message(), QStringLiteral("Stopped"));
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Go On")));
    bar.clear();
}

void TestWindowStoredRun::Bar_thatOnlyShows_keepsItsOffers()
{
    MessageBar& bar = m_scene->window().messages();
    int shown = 0;
    const QString text = QStringLiteral("Step 98, tower 1: the loss is not a number; ")
                         + QString(300, QLatin1Char('x'));
    bar.showMessage(
        MessageBar::Kind::Error, text,
        {{QStringLiteral("Show Log"), [&] { ++shown; }, true}, {QStringLiteral("Go On"), [] {}}});
    m_scene->accept(QStringLiteral("Show Log"));
    QCOMPARE(shown, 1);
    QCOMPARE(m_scene->offers().size(), 2);
    QCOMPARE(m_scene->message(), text);
    m_scene->accept(QStringLiteral("Go On"));
    QVERIFY(m_scene->message().isEmpty());
}

LOCKSTEP_TEST(TestWindowStoredRun)
#include "test_window_stored_run.moc"
