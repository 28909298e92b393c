// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_stack.h"
#include "ui/window_witness.h"

#include <QHelpEvent>
#include <QStatusBar>
#include <QToolTip>

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// What can be done with runs and files, by its texts and in the order of the menus.
QStringList possible(const WindowActions& actions)
{
    QStringList texts;
    for (const QAction* action : actions.all()) {
        const QString group = action->property("group").toString();
        const bool isOfRun = group == "File" || group == "Export" || group == "Run";
        if (isOfRun && action->isEnabled() && action->isVisible()) {
            texts.append(action->text().remove('&'));
        }
    }
    return texts;
}

QStringList alwaysAnd(const QStringList& others)
{
    return others
           + QStringList{
               "New Run",
               "Import Configuration…",
               "Open Run…",
               "Load Checkpoint…",
               "Save as Preset…",
               "Export Configuration…",
               "Quit",
               "Get CIFAR-10…",
               "Find Learning Rate…",
               "Scaling Ruler…",
               "Keep Computer Awake While Training",
               "Keep Training When the Window Closes",
               "Connect…"};
}

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

} // namespace

/// A person's way through the window, by its real keys, menus, fields and buttons, with trainings
/// that really happen.
class TestMainWindow : public WindowTest
{
    Q_OBJECT

private slots:
    void Window_new_isReadyToStart()
    {
        QVERIFY(actions().start->isEnabled());
        QCOMPARE(m_scene->message(), QString());
        QVERIFY2(
            m_scene->statusText().startsWith("Ready to start"), qPrintable(m_scene->statusText()));
        QVERIFY(m_scene->run().series() == nullptr);
        QVERIFY(window().runPanel().isReady());
    }

    // The screen of this test is smaller than the window likes to be.
    void Window_new_isNoWiderThanItHasToBe()
    {
        const int screen = window().screen()->availableSize().width();
        QVERIFY(screen < 1440);
        QVERIFY2(
            window().width() <= std::max(screen, window().minimumSizeHint().width()),
            qPrintable(QString::number(window().width())));
    }

    /// 1920 x 1080 at 2 x, less what the desktop takes of its height.
    void Window_onASmallScreen_staysOnIt()
    {
        constexpr QSize kScreen(960, 500);
        window().resize(kScreen);
        const auto fits = [&] { return window().size() == kScreen; };
        QTRY_VERIFY2(fits(), qPrintable(QString::number(window().height())));
        trainOn(50);
        QVERIFY2(fits(), qPrintable(QString::number(window().height())));
        stop();
        QVERIFY2(fits(), qPrintable(QString::number(window().height())));
    }

    void Status_withoutRoom_tellsTheRestAsToolTip()
    {
        auto* const label = find<QLabel>("status_text");
        const auto toldAtWidth = [&](int width) {
            label->resize(width, label->height());
            const QPoint place = label->mapToGlobal(label->rect().center());
            QHelpEvent event(QEvent::ToolTip, label->rect().center(), place);
            QApplication::sendEvent(label, &event);
            return QToolTip::text();
        };
        QVERIFY(!label->text().isEmpty());
        QCOMPARE(toldAtWidth(label->sizeHint().width()), QString());
        QCOMPARE(toldAtWidth(label->sizeHint().width() / 2), label->text());
        QToolTip::hideText();
    }

    void Window_new_givesTheLossTheRoom()
    {
        window().resize(1440, 900);
        const std::vector<PlotView*>& plots = window().findChild<ChartStack*>()->plots();
        QTRY_VERIFY(plots.front()->height() >= 280);
        QVERIFY(10 * plots.front()->height() >= 4.2 * charts().height());
        // Five lines, and nothing said twice.
        const auto* const log = find<QDockWidget>("log_dock");
        QVERIFY(log->height() <= 140);
        QVERIFY(log->titleBarWidget()->height() <= 0);
        const auto* const towers = find<QDockWidget>("towers_dock");
        const auto* const barrier = find<QDockWidget>("barrier_dock");
        QVERIFY(towers->isVisible() && barrier->isVisible());
        QVERIFY(towers->geometry().bottom() < barrier->geometry().top()); // both in sight
        QVERIFY(towers->titleBarWidget()->isVisible() && towers->titleBarWidget()->height() > 10);
    }

    /// However often the window is maximised: what it gains is the barrier clock's.
    void Towers_inAnotherWindowSize_keepTheirHeight()
    {
        const auto* const towers = find<QDockWidget>("towers_dock");
        const auto heightAt = [&](const QSize& size) {
            window().resize(size);
            QTest::qWait(50); // layouts
            return towers->height();
        };
        const int height = heightAt({1440, 900});
        QCOMPARE(heightAt({1920, 1080}), height);
        heightAt({1024, 640});
        QCOMPARE(heightAt({1920, 1080}), height);

        // Its lower edge dragged by hand:
        const QPoint edge = towers->geometry().bottomLeft() + QPoint(100, 3);
        QTest::mousePress(&window(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(&window(), edge + QPoint(0, 80));
        QTest::qWait(50);
        QTest::mouseRelease(&window(), Qt::LeftButton, {}, edge + QPoint(0, 80));
        QTest::qWait(50);
        const int chosen = towers->height();
        QVERIFY2(chosen > height + 20, qPrintable(QString::number(chosen)));
        QCOMPARE(heightAt({1440, 900}), chosen);
    }

    void Charts_whateverARunTells_stayWhereTheyAre()
    {
        window().resize(1440, 900);
        RunConfig config = m_scene->config(1'000'000);
        config.towers = 4;
        m_scene->configure(config);
        QCoreApplication::processEvents();
        const auto places = [this] {
            QTest::qWait(50); // layouts
            QList<QRect> rects;
            for (const PlotView* const plot : window().findChild<ChartStack*>()->plots()) {
                rects.append({plot->mapTo(&window(), QPoint()), plot->size()});
            }
            for (const QTabBar* const bar :
                 window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
                rects.append(bar->geometry());
            }
            return rects;
        };
        m_scene->press("Ctrl+R"); // folds the form
        const QList<QRect> first = places();
        QTRY_VERIFY(m_scene->shownSteps() >= 50);
        const auto placesWithoutMessage = [&] { // each has a line of its own
            window().messages().clear();
            return places();
        };
        QTRY_COMPARE(placesWithoutMessage(), first);
        emit window().controller().feed().alertArrived(
            {AlertKind::Plateau, false, 40, -1, "the loss has not fallen"});
        QTRY_COMPARE(placesWithoutMessage(), first);
        actions().evaluate->trigger();
        QTRY_VERIFY(window().run().testAccuracy().has_value());
        QTRY_COMPARE(placesWithoutMessage(), first);
        for (const char* const name : {"runs_dock", "checkpoints_dock", "devices_dock"}) {
            find<QDockWidget>(name)->raise();
            QTRY_COMPARE(placesWithoutMessage(), first);
        }
        m_scene->stopAtOnce(); // the form is back, to their left
        const auto heightAndTop = [](const QRect& rect) {
            return std::pair(rect.height(), rect.top());
        };
        QTRY_COMPARE(heightAndTop(placesWithoutMessage().front()), heightAndTop(first.front()));
    }

    void LowerPanels_byKeyAndDoubleClick_areTallOrLow()
    {
        window().resize(1440, 900);
        const auto* const log = find<QDockWidget>("log_dock");
        m_scene->press("Ctrl+Shift+B");
        QTRY_VERIFY(log->height() > 300);
        QVERIFY(actions().tallBelow->isChecked());
        QTabBar* tabs = nullptr;
        for (QTabBar* const bar :
             window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            tabs = bar->isVisible() ? bar : tabs;
        }
        QVERIFY(tabs != nullptr);
        QTest::mouseDClick(tabs, Qt::LeftButton, Qt::NoModifier, tabs->tabRect(1).center());
        QTRY_VERIFY(log->height() < 160);
        QVERIFY(!actions().tallBelow->isChecked());
    }

    /// Pictures and tables have half of the window while they are in front, until a person says
    /// otherwise.
    void LowerPanels_thatNeedRoom_getItByThemselves()
    {
        window().resize(1440, 900);
        const auto heightWith = [this](const char* name) {
            find<QDockWidget>(name)->raise();
            QTest::qWait(50); // layouts
            return find<QDockWidget>(name)->height();
        };
        const int low = heightWith("log_dock");
        QVERIFY(low < 160);
        QVERIFY(heightWith("masks_dock") > 380);
        QVERIFY(window().statusBar()->currentMessage().startsWith("Masks has half of the window"));
        QVERIFY(heightWith("evaluation_dock") > 380);
        QCOMPARE(heightWith("runs_dock"), low);
        QVERIFY(heightWith("preview_dock") > 380);
        m_scene->press("Ctrl+Shift+B");
        QTRY_VERIFY(find<QDockWidget>("preview_dock")->height() < 160);
        QVERIFY(!actions().tallBelow->isChecked());
        QVERIFY(heightWith("masks_dock") < 160);
    }

    void Layout_ofTheNextWindow_hasItsTicks()
    {
        m_scene->press("Ctrl+Shift+B");
        actions().fullScreen->trigger();
        QVERIFY(window().isFullScreen());
        QVERIFY(window().close());
        m_scene->open();
        QVERIFY(window().isFullScreen());
        QVERIFY(actions().fullScreen->isChecked());
        QVERIFY(actions().tallBelow->isChecked());
        actions().fullScreen->trigger();
        QVERIFY(!window().isFullScreen());
    }

    void FullScreen_leftAgain_isAsLargeAsBefore()
    {
        window().showMaximized();
        actions().fullScreen->trigger();
        QVERIFY(window().isFullScreen());
        actions().fullScreen->trigger();
        QVERIFY(!window().isFullScreen() && window().isMaximized());
        window().showFullScreen(); // by the window manager
        QVERIFY(actions().fullScreen->isChecked());
    }

    void Start_byKey_trainsWhatTheFieldsSay()
    {
        m_scene->configure(m_scene->config(500));
        m_scene->type("towers", "3");
        m_scene->type("batch_per_tower", "4");
        m_scene->type("seed", "77");
        m_scene->type("steps", "1000000");
        m_scene->press("Ctrl+R"); // with the focus in a field
        WAIT_FOR_STEPS(30);
        QCOMPARE(m_scene->state(), SessionController::State::Running);
        const RunConfig& trained = m_scene->run().config();
        QCOMPARE(trained.towers, 3);
        QCOMPARE(trained.batchPerTower.value(), 4);
        QCOMPARE(trained.seed, 77U);
        QCOMPARE(trained.steps, 1'000'000);
        QCOMPARE(m_scene->run().newestStep()->towers.size(), 3U);
        const QString name = "small, CIFAR-10 · 3 × 4 · rate 0.01";
        QVERIFY(window().windowTitle().startsWith(name));
        QVERIFY(!find("towers")->isEnabled());
        auto* const towers = find<QTableView>("towers_table");
        QCOMPARE(towers->model()->rowCount(), 3);
        QTRY_VERIFY(m_scene->statusText().startsWith("Running"));
        QTRY_VERIFY(find<QLabel>("steps_done")->text().endsWith("1,000,000"));
    }

    /// Though the row may have the tower's colour.
    void Swatch_ofASelectedTower_hasAnEdge()
    {
        train(5);
        auto* const towers = find<QTableView>("towers_table");
        QTRY_COMPARE(towers->model()->rowCount(), 2);
        towers->selectRow(0);
        const QRect cell = towers->visualRect(towers->model()->index(0, 0));
        const QImage picture = towers->viewport()->grab(cell).toImage();
        const QRgb ground = towers->palette().color(QPalette::Base).rgb();
        int edge = 0;
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                edge += picture.pixel(x, y) == ground ? 1 : 0;
            }
        }
        QVERIFY2(edge >= 30, qPrintable(QString::number(edge))); // its number has some such, too
    }

    void Actions_inEachState_areThoseThatWork_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QStringList>("expected");
        const QStringList setUp{"Start"};
        const QStringList results{"Charts as Picture…", "Metrics as CSV…", "Summary…"};
        const QStringList steering =
            results
            + QStringList{"Save Checkpoint",     "Save Checkpoint As…",   "Stop",
                          "Evaluate Now",        "Change Learning Rate…", "Change Number of Steps…",
                          "Stop at End of Epoch"};
        const QStringList again =
            setUp + results
            + QStringList{"Continue Run", "Change Number of Steps…", "Evaluate Now"};
        const auto row = [](const char* state, const QStringList& expected) {
            QTest::newRow(state) << state << alwaysAnd(expected);
        };
        row("new", setUp);
        row("running", steering + QStringList{"Pause"});
        row("paused", steering + QStringList{"Resume", "Step Once"});
        row("stopped", again);
        row("finished", again);
        row("failed", again);
        row("not ready", setUp.mid(0, setUp.size() - 1));
    }

    void Actions_inEachState_areThoseThatWork()
    {
        QFETCH(const QString, state);
        QFETCH(const QStringList, expected);
        bringTo(state);
        QTRY_COMPARE(sorted(possible(actions())), sorted(expected));
    }

    void Pause_standsStill_andResumeGoesOn()
    {
        trainOn(30);
        QStatusTipEvent pointed(actions().pause->statusTip());
        QCoreApplication::sendEvent(&window(), &pointed);
        QVERIFY(!window().statusBar()->currentMessage().isEmpty());
        pause();
        QVERIFY(window().statusBar()->currentMessage().isEmpty()); // it has happened
        const std::int64_t steps = m_scene->shownSteps();
        QTest::qWait(300);
        QCOMPARE(m_scene->shownSteps(), steps);
        QVERIFY(m_scene->statusText().startsWith("Paused"));
        m_scene->press("Ctrl+S"); // the store is complete where a checkpoint is
        QTRY_VERIFY(
            m_scene->run().savedCheckpoint() && m_scene->run().savedCheckpoint()->step == steps);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(m_scene->run().folder())));
        m_scene->press("Ctrl+P");
        QCOMPARE(m_scene->state(), SessionController::State::Running);
        WAIT_FOR_STEPS(steps + 10);
    }

    void StepOnce_paused_makesOneStep()
    {
        trainOn(5);
        pause();
        for (int i = 0; i < 3; ++i) {
            const std::int64_t steps = m_scene->shownSteps();
            actions().stepOnce->trigger();
            QTRY_COMPARE(m_scene->shownSteps(), steps + 1);
            WAIT_FOR_STATE(Paused);
            QTest::qWait(50);
            QCOMPARE(m_scene->shownSteps(), steps + 1);
        }
    }

    void Evaluate_runningAndPaused_isShown()
    {
        trainOn(10);
        m_scene->press("Ctrl+E");
        const auto* const done = find<QLabel>("steps_done");
        emit window().controller().feed().examplesEvaluated(3000, 10'000);
        QCOMPARE(done->text(), "evaluated 3,000 of 10,000 images");
        const auto shown = [this] { return m_scene->run().series()->evaluations().size(); };
        QTRY_COMPARE(shown(), 1);
        QTRY_VERIFY2(done->text().startsWith("step "), qPrintable(done->text()));
        const std::int64_t later = m_scene->shownSteps() + 2;
        WAIT_FOR_STEPS(later); // or both evaluations could be of the same step
        pause();
        m_scene->press("Ctrl+E");
        QTRY_COMPARE(shown(), 2);
        m_scene->press("Ctrl+S");
        QTRY_COMPARE(
            RunLibrary::checkpointsOf(m_scene->run().folder()).back().step, m_scene->shownSteps());
        const auto stored = store().evaluations();
        QCOMPARE(stored.size(), 4U); // two kinds of weights each
        const SeriesStore& points = m_scene->run().series()->evaluations();
        for (const EvaluationRecord& record : stored) {
            const int series = record.weights == WeightsKind::Raw
                                   ? RunSeries::kTestAccuracy
                                   : RunSeries::kMovingAverageAccuracy;
            const std::int64_t row =
                points.timeline().firstRowFrom(XAxis::Step, static_cast<double>(record.step));
            QCOMPARE(points.series(series).at(row), static_cast<float>(record.accuracy));
        }
    }

    /// A run that failed in it, say, tells nothing of its end.
    void Evaluation_thatCameToNoEnd_isNotTheNextRuns()
    {
        trainOn(5);
        emit window().controller().feed().examplesEvaluated(3000, 10'000);
        const auto* const done = find<QLabel>("steps_done");
        QVERIFY2(done->text().startsWith("evaluated "), qPrintable(done->text()));
        m_scene->stopAtOnce();
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Running);
        WAIT_FOR_STEPS(1);
        QTRY_VERIFY2(done->text().startsWith("step "), qPrintable(done->text()));
    }

    void Run_toItsEnd_saysSo()
    {
        RunConfig config = m_scene->config(40);
        config.evaluateAtEnd = true;
        train(config);
        QVERIFY2(
            m_scene->message().startsWith("All 40 steps are done. Test accuracy "),
            qPrintable(m_scene->message()));
        QCOMPARE(m_scene->shownSteps(), 40);
        QVERIFY(m_scene->statusText().startsWith("Finished"));
        // The same again, in a new folder.
        const RunRequest next = window().runPanel().request();
        QVERIFY(next.folder.empty() && !next.isResume);
        QCOMPARE(toToml(next.config), toToml(config));
        const fs::path folder = m_scene->run().folder();
        m_scene->type("steps", "1000000"); // time to look at it
        m_scene->press("Ctrl+R");
        QTRY_VERIFY(m_scene->run().folder() != folder);
        QCOMPARE(m_scene->message(), QString());
    }

    void Preset_setsUpItsRun()
    {
        m_scene->configure(m_scene->config(40));
        actions().presets->actions().front()->trigger();
        const RunRequest request = window().runPanel().request();
        QCOMPARE(request.config.dataset, "synthetic");
        QCOMPARE(request.config.steps, 2000);
        QVERIFY(actions().start->isEnabled());
    }

    void Preview_whileARunGoesOn_showsNewerSteps()
    {
        find<QDockWidget>("preview_dock")->raise();
        const auto* const caption = find<NoteLabel>("preview_caption");
        const auto step = [caption] { // none of those that are still to come
            static const QRegularExpression got("^Step ([\\d,]+): what each tower got");
            return got.match(caption->note()).captured(1).remove(',').toLongLong();
        };
        m_scene->start(m_scene->config(1'000'000));
        QTRY_VERIFY2(step() > 0, qPrintable(caption->note()));
        const qint64 first = step();
        QTRY_VERIFY2(step() > first, qPrintable(caption->note()));
        m_scene->stopAtOnce();
    }

    /// It needs more than a log does.
    void Preview_inALowerWindow_keepsItsHeight()
    {
        window().resize(1440, 900);
        auto* const dock = find<QDockWidget>("preview_dock");
        dock->raise();
        window().resizeDocks({dock}, {260}, Qt::Vertical);
        QTRY_VERIFY(dock->height() >= 230); // as far as the charts give way
        const int height = dock->height();
        window().resize(1440, 890);
        QCoreApplication::processEvents();
        QVERIFY2(dock->height() >= height - 10, qPrintable(QString::number(dock->height())));
    }

private:
    void bringTo(const QString& state)
    {
        if (state == "new") {
            return;
        }
        if (state == "not ready") {
            return m_scene->type("towers", "0");
        }
        const bool isShort = state == "finished";
        RunConfig config = m_scene->config(isShort ? 5 : kEndless);
        if (state == "failed") {
            config.learningRate.initial = 1e20;
        }
        m_scene->start(config);
        if (state == "finished") {
            WAIT_FOR_STATE(Finished);
        } else if (state == "failed") {
            WAIT_FOR_STATE(Failed);
        } else {
            WAIT_FOR_STEPS(1);
        }
        if (state == "paused") {
            pause();
        } else if (state == "stopped") {
            stop();
        }
    }
};
LOCKSTEP_TEST(TestMainWindow)
#include "test_main_window.moc"
