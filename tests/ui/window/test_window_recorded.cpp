// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' trainings in the window: everything that can be looked at, and nothing to do.
#include "bridge/runs/run_library.h"
#include "models/figures/tower_table_model.h"
#include "panels/gradients/gradient_panel.h"
#include "ui/clipping.h"
#include "ui/model_cells.h"
#include "ui/pictures.h"
#include "ui/recorded_run.h"
#include "ui/window_witness.h"
#include "widgets/forms/window_style.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;

namespace {

constexpr std::int64_t kSteps = 400;

} // namespace

class TestWindowRecorded : public WindowTest
{
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new WindowStyle); } // as the program does
    void cleanup()
    {
        m_recorded.reset();
        END_SCENE();
    }

    void Recorded_opened_showsWhatItHas()
    {
        open("finished");
        QTRY_COMPARE(m_scene->statusText(), "Finished after 400 steps");
        QCOMPARE(find<QLabel>("steps_done")->text(), "step 400");
        QCOMPARE(
            find<NoteLabel>("run_line")->note(),
            QString("ResNet-18, Imagenette · 4 × 32 · Recorded by ") + RecordedRun::kRecorder);
        QVERIFY(m_scene->message().isEmpty());
        const auto* const pace = find<NoteLabel>("light_2");
        QTRY_VERIFY2(
            pace->note().startsWith("Tower 2 (rank 2 on node8) makes everyone wait ")
                && pace->note().endsWith(" a step, most of it in its backward pass."),
            qPrintable(pace->note()));
        QVERIFY(find<NoteLabel>("barrier_sentence")
                    ->note()
                    .contains("The clocks of the ranks agree within 0.025 ms."));
        // Seen from outside all are alike, to a few percent.
        const QStringList bars = find("backward_bars")->accessibleDescription().split('\n');
        QCOMPARE(bars.size(), RecordedRun::kRanks);
        QVERIFY(find("backward_bars")->isVisible());
        const auto seconds = [&](int rank, int which) {
            static const QRegularExpression figures("pass (\\S+) ms from outside, (\\S+) ms");
            return figures.match(bars[rank]).captured(which).toDouble();
        };
        for (const int other : {0, 1, 3}) {
            QVERIFY(std::abs(seconds(other, 1) / seconds(2, 1) - 1.0) < 0.05);
            QVERIFY(seconds(2, 2) - seconds(other, 2) > 18.0);
        }
        const QAbstractItemModel& towers = *find<QTableView>("towers_table")->model();
        QCOMPARE(shown(towers, 2, TowerTableModel::Device), "CPU, rank 2 on node8");
        QTRY_COMPARE(shown(towers, 1, TowerTableModel::Loss), "–"); // it has ended
        QVERIFY(shown(towers, 2, TowerTableModel::Rate).toDouble() > 0.0);
        QCOMPARE(window().findChild<GradientPanel*>()->figures().step(), 320);
        QVERIFY(find("accuracy_chart")->isVisible());
        QVERIFY(!find("test_loss_chart")->isVisible());
        QCOMPARE(axesOf(charts().range()).size(), kXAxes.size());
        for (PlotView* const plot : charts().plots()) {
            QVERIFY2(!plot->summary().contains("not a number"), qPrintable(plot->summary()));
        }
        // Nobody told us its settings: a page to send has none.
        const std::filesystem::path page = m_scene->folder() / "run.html";
        m_scene->choose(actions().exportSummary, page);
        QFile file(toQString(page));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(file.readAll());
        QVERIFY(html.contains("Results") && !html.contains("Settings"));
    }

    void Recorded_opened_offersNothingThatTrains()
    {
        QList<QDockWidget*> docks = docksOfTraining();
        const QByteArray form =
            QByteArray::fromStdString(toToml(window().runPanel().request().config));
        open("running"); // nobody records it any more: its ranks may go on
        QTRY_COMPARE(m_scene->statusText(), "Recorded until step 400");
        QVERIFY(m_scene->message().isEmpty());
        for (const QAction* const action : actionsOfTraining()) {
            QVERIFY2(!action->isVisible(), qPrintable(action->text()));
        }
        for (const QDockWidget* const dock : docks) {
            QVERIFY2(dock->isHidden(), qPrintable(dock->windowTitle()));
            QVERIFY(!dock->toggleViewAction()->isVisible());
        }
        for (const QAction* const place : actions().places->actions()) {
            QCOMPARE(place->isVisible(), std::ranges::none_of(docks, [&](const auto* dock) {
                         return dock->windowTitle() == place->text();
                     }));
        }
        m_scene->press("Ctrl+R"); // as Start
        QCOMPARE(m_scene->state(), WindowScene::State::Idle);
        actions().resetLayout->trigger();
        QVERIFY(docks.front()->isHidden());
        for (const QAction* const action :
             {actions().newRun, actions().openRun, actions().exportCharts, actions().exportCsv}) {
            QVERIFY(action->isVisible() && action->isEnabled());
        }
        showDock("runs_dock");
        auto* const table = find<QTableView>("runs_table");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QStringList offered;
        for (const QAction* const action : table->actions()) {
            offered += action->isVisible() ? QStringList(action->text()) : QStringList();
        }
        QVERIFY(
            !offered.join(' ').contains("Tune") && !offered.join(' ').contains("Configurations"));
        QCOMPARE(
            table->model()->index(0, RunTableModel::State).data().toString(),
            "Recorded until step 400");
        QVERIFY(table->model()->index(0, RunTableModel::Optimizer).data().toString().isEmpty());

        window().close();
        m_scene->open(); // what is taken away now is not gone for good
        WAIT_FOR_STEPS(kSteps);
        docks = docksOfTraining();
        QVERIFY(docks.front()->isHidden());
        actions().newRun->trigger(); // the form is as it was
        QCOMPARE(QByteArray::fromStdString(toToml(window().runPanel().request().config)), form);
        for (const QAction* const action : actionsOfTraining()) {
            QVERIFY2(action->isVisible() || action == actions().resume, qPrintable(action->text()));
        }
        for (const QDockWidget* const dock : docks) {
            QVERIFY2(
                !dock->isHidden() && dock->toggleViewAction()->isVisible(),
                qPrintable(dock->windowTitle()));
        }
    }

    void Recorded_whileItGoesOn_isFollowedAndNotSteered()
    {
        m_recorded.emplace(folder());
        m_recorded->append(20);
        window().openCommands().openRun(folder());
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        QVERIFY2(m_scene->message().contains("is being recorded"), qPrintable(m_scene->message()));
        QTRY_VERIFY2(
            m_scene->statusText().startsWith("Being recorded · 4 towers"),
            qPrintable(m_scene->statusText()));
        m_recorded->append(15);
        WAIT_FOR_STEPS(35);
        QVERIFY(!window().controller().can(command::Stop{}));
        QVERIFY(!window().controller().can(command::Pause{}));
        QVERIFY(!window().controller().writerStatus().has_value());
        emit window().controller().feed().alertArrived(
            {AlertKind::Plateau, false, 30, -1, "the loss does not fall"});
        QVERIFY(m_scene->message().contains("loss"));
        QVERIFY2(m_scene->offers().isEmpty(), qPrintable(m_scene->offers().join(' ')));
        m_recorded->end("running");
        m_recorded.reset();
        WAIT_FOR_STATE(Idle);
        QTRY_VERIFY2(
            m_scene->message().contains("is not recorded any more, after 35 steps"),
            qPrintable(m_scene->message()));
        QVERIFY(m_scene->offers().isEmpty());
        QVERIFY(!findInterruptedRun({folder()}, {}));
        m_scene->open(); // another window asks nothing either
        WAIT_FOR_STEPS(35);
        QTest::qWait(200);
        QVERIFY2(m_scene->message().isEmpty(), qPrintable(m_scene->message()));
    }

    void Recorded_withoutFigures_leavesThemOut()
    {
        charts().setAxis(XAxis::Epoch);
        open("finished", false);
        QTRY_COMPARE(axesOf(charts().range()), (std::vector{XAxis::Step, XAxis::WallTime}));
        QTRY_COMPARE(charts().range().axis(), XAxis::Step);
        int offered = 0;
        for (const QAction* const action : actions().axis->actions()) {
            offered += action->isVisible() ? 1 : 0;
        }
        QCOMPARE(offered, 2);
        QVERIFY(!find("accuracy_chart")->isVisible());
        QCOMPARE(find<NoteLabel>("run_line")->note().section(" · ", 1, 1), "4 towers");
        const QAbstractItemModel& towers = *find<QTableView>("towers_table")->model();
        QTRY_VERIFY(shown(towers, 0, TowerTableModel::Loss).toDouble() > 0.0);
        QCOMPARE(shown(towers, 0, TowerTableModel::Rate), "–");
        for (PlotView* const plot : charts().plots()) {
            QVERIFY2(!plot->summary().contains("not a number"), qPrintable(plot->summary()));
        }
        showDock("gradients_dock");
        QTRY_COMPARE(find<NoteLabel>("gradients_summary")->note().trimmed(), "Step 320.");
    }

    void Recorded_inBothThemes()
    {
        window().resize(1440, 900);
        open("finished");
        charts().setSmoothing(80);
        find<QDockWidget>("gradients_dock")->raise();
        for (const char* const theme : {"light", "dark"}) {
            m_scene->chooseTheme(theme);
            QTest::qWait(600); // figures that are renewed now and then
            QVERIFY(window().grab().save(pictureFile(QString("recorded-%1").arg(theme))));
            QTRY_VERIFY2(
                cutWidgets(window()).isEmpty(), qPrintable(cutWidgets(window()).join('\n')));
        }
        for (const char* const dock : {"devices", "runs"}) {
            find<QDockWidget>(qPrintable(QString("%1_dock").arg(dock)))->raise();
            QTest::qWait(600);
            QVERIFY(window().grab().save(pictureFile(QString("recorded-%1-dark").arg(dock))));
        }
        QVERIFY(find<QScrollArea>("barrier_clock")
                    ->widget()
                    ->grab()
                    .save(pictureFile("recorded-clock-dark")));
        m_scene->chooseTheme("light");
        QTest::qWait(300);
        QVERIFY(find<QScrollArea>("barrier_clock")
                    ->widget()
                    ->grab()
                    .save(pictureFile("recorded-clock-light")));
        window().resize(1024, 640);
        QTest::qWait(600);
        QVERIFY(window().grab().save(pictureFile("recorded-small-light")));
        actions().newRun->trigger();
        window().resize(1440, 900);
        QTest::qWait(600);
        QVERIFY(window().grab().save(pictureFile("recorded-left-light")));
    }

    void Recorded_inGerman_hasRoom()
    {
        m_scene.emplace("de");
        window().resize(1440, 900);
        open("failed");
        QTest::qWait(600);
        QVERIFY(window().grab().save(pictureFile("recorded-de-light")));
        QTRY_VERIFY2(cutWidgets(window()).isEmpty(), qPrintable(cutWidgets(window()).join('\n')));
        qDeleteAll(qApp->findChildren<QTranslator*>());
    }

private:
    [[nodiscard]] std::filesystem::path folder() const { return m_scene->folder() / "resnet"; }

    /// One that nobody records any more, in this state by its own words.
    void open(const char* state, bool hasFigures = true)
    {
        m_recorded.emplace(folder(), hasFigures);
        m_recorded->append(kSteps);
        m_recorded->end(state);
        m_recorded.reset();
        window().openCommands().openRun(folder());
        WAIT_FOR_STEPS(kSteps);
    }

    [[nodiscard]] std::vector<QAction*> actionsOfTraining() const
    {
        const WindowActions& all = actions();
        return {all.start,
                all.pause,
                all.resume,
                all.stepOnce,
                all.stop,
                all.stopAfterEpoch,
                all.evaluate,
                all.continueRun,
                all.keepTraining,
                all.changeLearningRate,
                all.changeSteps,
                all.findRate,
                all.saveCheckpoint,
                all.saveCheckpointAs,
                all.exportConfiguration,
                all.savePreset};
    }
    [[nodiscard]] QList<QDockWidget*> docksOfTraining() const
    {
        QList<QDockWidget*> docks;
        for (const char* const name :
             {"run", "preview", "checkpoints", "weights", "masks", "evaluation"}) {
            docks.append(find<QDockWidget>(qPrintable(QString("%1_dock").arg(name))));
        }
        return docks;
    }

    std::optional<RecordedRun> m_recorded;
};
LOCKSTEP_TEST(TestWindowRecorded)
#include "test_window_recorded.moc"
