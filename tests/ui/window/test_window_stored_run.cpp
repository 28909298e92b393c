// SPDX-License-Identifier: GPL-3.0-or-later
// What the window tells of a run that is on disk, and what it leaves behind for the next one.
#include "panels/log/log_panel.h"
#include "ui/window_witness.h"
#include "window/commands/window_commands.h"

namespace fs = std::filesystem;

using namespace lockstep;
using namespace lockstep::ui;

class TestWindowStoredRun : public WindowTest
{
    Q_OBJECT

private slots:
    void OpenedRun_inANewWindow_tellsItsEndAndFillsTheLog()
    {
        m_scene->start(m_scene->config(1'000'000));
        WAIT_FOR_STEPS(10);
        stop();
        const QString steps = QLocale().toString(static_cast<qlonglong>(m_scene->shownSteps()));
        const auto folder = m_scene->run().folder();
        m_scene->open();
        window().openCommands().openRun(folder);
        QTRY_VERIFY(m_scene->shownSteps() > 0);
        QTRY_VERIFY2(
            m_scene->statusText().startsWith(QString("Stopped after %1 steps").arg(steps)),
            qPrintable(m_scene->statusText()));
        const QString lines = log().toPlainText();
        QVERIFY2(lines.contains(QString("Checkpoint of step %1:").arg(steps)), qPrintable(lines));
        QCOMPARE(lines.count(QString("Checkpoint of step %1:").arg(steps)), 1);
        window().openCommands().openRun(folder); // again: its lines are there
        QTest::qWait(200);
        QCOMPARE(log().toPlainText().count(QString("Checkpoint of step %1:").arg(steps)), 1);
    }

    void NewRun_afterAnExperiment_isWithoutOne()
    {
        RunConfig config = m_scene->config(5);
        config.experiment.shards = "same";
        m_scene->configure(config);
        const QString said = "Experiment: all towers get the same rows";
        QCOMPARE(formExperiment(), said);
        QVERIFY2(lossPlot().summary().contains(said), qPrintable(lossPlot().summary()));
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        actions().newRun->trigger();
        QCOMPARE(window().runPanel().request().config.experiment.shards, std::string("distinct"));
        QVERIFY(formExperiment().isEmpty());
        QVERIFY(!lossPlot().summary().contains(said));
    }

    void NewRun_afterARun_forgetsItsChecklist()
    {
        train(5);
        actions().newRun->trigger();
        QVERIFY2(lossPlot().summary().startsWith("Press Start"), qPrintable(lossPlot().summary()));
    }

    void Tab_thatIsClicked_getsTheKeyboard()
    {
        for (QTabBar* const bar : window().findChildren<QTabBar*>()) {
            for (int tab = 0; tab < bar->count(); ++tab) {
                if (bar->tabText(tab) == "Runs") {
                    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
                    QTRY_COMPARE(helpChapterOf(QApplication::focusWidget()), "runs");
                    return;
                }
            }
        }
        QFAIL("there is no tab of the runs");
    }

    void Language_chosenWhileSomethingIsOffered_leavesTheOffer()
    {
        MessageBar& bar = window().messages();
        bar.showMessage(MessageBar::Kind::Information, "Stopped", {{"Go On", [] {}}});
        for (QAction* const action : actions().language->actions()) {
            if (action->data().toString() == "de") {
                action->trigger();
            }
        }
        QVERIFY(m_scene->message().contains("started again"));
        bar.dismiss();
        QCOMPARE(m_scene->message(), "Stopped");
        QCOMPARE(m_scene->offers(), QStringList("Go On"));
        bar.clear();
    }

    void Bar_thatOnlyShows_keepsItsOffers()
    {
        MessageBar& bar = window().messages();
        int shown = 0;
        const QString text = "Step 98, tower 1: the loss is not a number; " + QString(300, 'x');
        bar.showMessage(
            MessageBar::Kind::Error, text,
            {{"Show Log", [&] { ++shown; }, true}, {"Go On", [] {}}});
        m_scene->accept("Show Log");
        QCOMPARE(shown, 1);
        QCOMPARE(m_scene->offers().size(), 2);
        QCOMPARE(m_scene->message(), text);
        m_scene->accept("Go On");
        QVERIFY(m_scene->message().isEmpty());
    }

private:
    [[nodiscard]] const LogModel& log() const { return window().findChild<LogPanel*>()->model(); }
    [[nodiscard]] PlotView& lossPlot() const { return *charts().plots().front(); }
    [[nodiscard]] QString formExperiment() const
    {
        return find<NoteLabel>("form_experiment")->note();
    }
};
LOCKSTEP_TEST(TestWindowStoredRun)
#include "test_window_stored_run.moc"
