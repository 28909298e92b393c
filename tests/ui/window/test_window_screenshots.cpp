// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_checkpoints.h"
#include "dialogs/configuration_difference_dialog.h"
#include "dialogs/number_dialog.h"
#include "panels/gradients/gradient_panel.h"
#include "panels/masks/mask_strip.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/start/demonstration.h"
#include "panels/start/start_card.h"
#include "panels/start/start_page.h"
#include "plots/cards/histogram_plot.h"
#include "plots/rows/phase_row.h"
#include "support/other_head.h"
#include "support/test_data.h"
#include "theme/palette.h"
#include "ui/clipping.h"
#include "ui/headless_run.h"
#include "ui/pictures.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"
#include "widgets/forms/form_field.h"
#include "widgets/forms/window_style.h"

#include <algorithm>

namespace lockstep::ui {
namespace {

/// How many colours a picture of the window has at least: a blank one has few.
constexpr int kFewestColors = 100;

qsizetype colorsOf(const QImage& picture)
{
    QSet<QRgb> colors;
    for (int y = 0; y < picture.height(); y += 3) {
        for (int x = 0; x < picture.width(); x += 3) {
            colors.insert(picture.pixel(x, y));
        }
    }
    return colors.size();
}

} // namespace

/// Takes the pictures of the window that people look at: empty, running, with an error, small; in
/// light and dark; at the scale that QT_SCALE_FACTOR asks for.
class TestWindowScreenshots : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new WindowStyle); } // as the program does
    void cleanup() { qDeleteAll(qApp->findChildren<QTranslator*>()); }

    /// What a person may see first, in both languages. With LOCKSTEP_EVERY_LOOK set also eight
    /// other runs and a run's end, and each size in both themes: for those who look at them.
    void Window_inEveryLook_data()
    {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("language");
        QStringList states{"start", "again", "running", "alert", "segdecnet", "evaluation"};
        if (isWhole()) {
            states += {"finished", "overlays"};
        }
        for (const QString& state : states) {
            for (const char* const language : {"en", "de"}) {
                QTest::addRow("%s-%s", qPrintable(state), language) << state << language;
            }
        }
    }

    void Window_inEveryLook()
    {
        QFETCH(const QString, state);
        QFETCH(const QString, language);
        WindowScene scene(language);
        scene.window().resize(1440, 900);
        if (state == "start" || state == "again") {
            beginWith(scene, state == "again" ? 3 : 0);
        } else {
            bringTo(scene, state);
        }
        const bool isEnglish = language == "en";
        const QString name = isEnglish ? state : state + '-' + language;
        const QString light = "light";
        for (const QString& theme : {light, QString("dark")}) {
            const bool isDark = theme != light;
            if (isDark && !isEnglish) {
                continue;
            }
            if (qApp->devicePixelRatio() > 1.0) {
                if (!isDark || isWhole()) {
                    take(scene, name + "-1080p", theme, QSize(1920, 1080) / 2);
                }
                continue;
            }
            take(scene, name, theme, {1440, 900});
            if (!isDark || isWhole()) {
                take(scene, name + "-small", theme, {1024, 640});
            }
            if (isWhole() || (isEnglish && !isDark)) {
                take(scene, name + "-1080p", theme, {1920, 1080});
            }
        }
        if (scene.window().controller().isBusy()) {
            scene.stopAtOnce();
        }
    }

    void Window_experiments_showWhatIsWrong()
    {
        WindowScene scene;
        for (const char* const shards : {"same", "skewed"}) {
            RunConfig config = fourTowers(400);
            config.experiment.shards = shards;
            const std::filesystem::path before = scene.run().folder();
            scene.startAtOnce(config);
            QTRY_VERIFY(scene.run().folder() != before);
            QTRY_COMPARE(scene.state(), WindowScene::State::Finished);
            take(scene, shards, "light", {1440, 900});
        }
    }

    void Window_runOfGpus_tellsOfThem()
    {
        WindowScene scene;
        scene.window().resize(1440, 900);
        RunConfig config = scene.config(60);
        config.towers = 4;
        config.batchPerTower = 4;
        scene.startAtOnce(config);
        QTRY_COMPARE(scene.state(), SessionController::State::Finished);
        const std::filesystem::path run = scene.run().folder();
        scene.actions().newRun->trigger();
        tellOfTwoGpus(run, 4);
        scene.choose(scene.actions().openRun, run);
        const auto* const table = scene.window().findChild<QTableView*>("towers_table");
        const QAbstractItemModel* const towers = table->model();
        QTRY_COMPARE(towers->columnCount(), int{TowerTableModel::ColumnCount});
        const auto cell = [&](int row, int column) {
            return towers->index(row, column).data().toString();
        };
        QCOMPARE(cell(1, TowerTableModel::Temperature), "64 °C");
        QCOMPARE(cell(2, TowerTableModel::Temperature), "83 °C");
        QCOMPARE(cell(2, TowerTableModel::SlowedBy), "power limit");
        QTRY_VERIFY(cell(1, TowerTableModel::Rate) != "–"); // of the newest steps
        const auto* const header = table->horizontalHeader();
        take(scene, "gpus", "light", {1440, 900});
        QTRY_VERIFY(
            header->length() <= table->viewport()->width()); // there is room for all columns
        take(scene, "gpus", "dark", {1440, 900});
        take(scene, "gpus-small", "light", {1024, 640});
    }

    // One of four towers sleeps a little in each step.
    void Window_barrierClock_inBothThemes()
    {
        WindowScene scene;
        RunConfig config = fourTowers(kEndless);
        config.batchPerTower = 64;
        config.experiment = {2.0, 1};
        scene.startAtOnce(config);
        scene.press("Ctrl+8");
        QTRY_VERIFY(scene.shownSteps() >= 300);
        takeAll(scene, "barrier");
        scene.stopAtOnce();
    }

    void Window_wrongSetting_isMarked()
    {
        WindowScene scene;
        RunConfig config = smallConfig(1000);
        config.towers = 3;
        config.batchPerTower.reset();
        config.globalBatch = 100;
        scene.window().setUpCommands().setUp(config);
        QVERIFY(!scene.window().actions().start->isEnabled());
        take(scene, "wrong-setting", "light", {1440, 900});
    }

    void Window_fineTuning_inBothThemes()
    {
        WindowScene scene;
        const RunConfig config = scene.config(20);
        scene.start(config);
        QTRY_COMPARE(scene.window().controller().state(), SessionController::State::Finished);
        const auto checkpoints = listCheckpoints(RunFolder::checkpointsOf(scene.run().folder()));
        scene.window().setUpCommands().setUpToFineTune(checkpoints.back().path);
        RunPanel& panel = scene.window().runPanel();
        RunRequest request = panel.request();
        request.config.model.name = test::writeOtherHead(scene.folder().path()).string();
        panel.setRequest(request);
        panel.findChild<Disclosure*>()->setOpen(true);
        panel.goTo("initial_weights.fresh_layers");
        takeBoth(scene, "fine-tuning");
        auto* const scroll = panel.findChild<QScrollArea*>();
        scroll->ensureWidgetVisible(scene.field("initial_weights.fresh_layers"));
        takeBoth(scene, "fine-tuning-fields");
    }

    void Window_failedRun_saysWhy()
    {
        WindowScene scene;
        RunConfig config = smallConfig(1000);
        config.learningRate.initial = 1e30;
        scene.startAtOnce(config);
        QTRY_COMPARE(scene.window().controller().state(), SessionController::State::Failed);
        QCOMPARE(scene.window().messages().kind(), MessageBar::Kind::Error);
        takeBoth(scene, "failed");
    }

    void Window_runsOverlaid_inBothThemes()
    {
        WindowScene scene;
        scene.window().resize(1440, 900);
        const QStringList often = setting("evaluate.every_steps", "150");
        const auto base = trainRun("2026-11-18-small", 900, often);
        trainRun("2026-11-19-small-lr-0.03", 900, often + setting("learning_rate.initial", "0.03"));
        trainRun("2026-11-20-small-seed-7", 600, often + setting("seed", "7"));
        const auto wide =
            trainRun("2026-11-20-small-4-towers", 750, often + setting("towers", "4"));
        trainRun("2026-11-20-small-lr-0.5", 40, setting("learning_rate.initial", "0.5"));
        std::filesystem::copy(
            base, runsFolder() / "2026-11-17-damaged", std::filesystem::copy_options::recursive);
        std::ofstream(runsFolder() / "2026-11-17-damaged" / "run.db") << "no store";

        scene.window().openCommands().openRun(wide);
        QTRY_COMPARE(scene.shownSteps(), 750);
        scene.press("Ctrl+7");
        auto* const table = scene.window().findChild<QTableView*>("runs_table");
        QTRY_COMPARE(table->model()->rowCount(), 6);
        for (int row = 0; row < 6; ++row) {
            const QModelIndex name = table->model()->index(row, 0);
            if (name.flags().testFlag(Qt::ItemIsUserCheckable)) {
                table->model()->setData(name, Qt::Checked, Qt::CheckStateRole);
            }
        }
        auto* const charts = scene.window().findChild<ChartsPanel*>();
        QTRY_COMPARE(charts->plots().front()->curvesBehind().size(), 4U);
        charts->range().crossHair().setRow(500);
        take(scene, "runs", "light", {1440, 900});
        table->selectRow(2);
        take(scene, "runs", "dark", {1440, 900});
        take(scene, "runs-small", "light", {1024, 640});
        for (QAction* const action : table->actions()) {
            if (action->text() == "&Compare Runs") {
                action->trigger(); // with the run that is shown
            }
        }
        auto* const dialog = scene.window().findChild<ConfigurationDifferenceDialog*>();
        QVERIFY(dialog != nullptr);
        QTest::qWait(100);
        QVERIFY(dialog->grab().save(pictureFile("difference-light")));
        dialog->close();
    }

    void Window_checkpoints_inBothThemes()
    {
        WindowScene scene;
        RunConfig config = smallConfig(1500);
        config.dataset = "synthetic";
        config.evaluateEverySteps = 300;
        config.checkpointEverySteps = 60;
        config.checkpointKeep = 40;
        scene.startAtOnce(config);
        QTRY_COMPARE(scene.state(), SessionController::State::Finished);
        auto* const table = scene.window().findChild<QTableView*>("checkpoints_table");
        QTRY_VERIFY(table->model()->rowCount() >= 7);
        auto* const pins = scene.window().findChild<PinRow*>();
        setPinned(toPath(table->model()->index(4, 0).data(FileRole).toString()), true);
        scene.window().openCommands().openRun(scene.run().folder());
        QTRY_VERIFY(std::ranges::any_of(pins->pins(), &PlotPin::isKept));
        scene.press("Ctrl+6");
        table->selectRow(1);
        scene.window().messages().clear();
        auto* const charts = scene.window().findChild<ChartsPanel*>();
        charts->plots().front()->setFocus();
        pins->mark(pins->pins().size() - 2);
        takeAll(scene, "checkpoints");
        CheckpointMenu menu({readCheckpoints(scene.run().folder()).front()}, {});
        menu.show();
        QVERIFY(menu.grab().save(pictureFile("checkpoint-menu")));
    }

    void Window_beforeTheFirstStep_showsTheChecklist()
    {
        WindowScene scene;
        scene.window().resize(1440, 900);
        QImage picture;
        connect(&scene.window().controller().feed(), &RunFeed::preflightArrived, this, [&] {
            picture = scene.window().grab().toImage();
        });
        scene.start(scene.config(20));
        QTRY_COMPARE(scene.state(), SessionController::State::Finished);
        QVERIFY(picture.save(pictureFile("checklist")));
    }

    void Window_runOfAnotherProcess_inBothThemes()
    {
        WindowScene scene;
        HeadlessRun run(scene.pictures(), scene.folder() / "headless", 2000);
        QVERIFY(run.awaitSteps(300));
        scene.window().openCommands().openRun(run.folder());
        QTRY_VERIFY(scene.shownSteps() >= 300);
        take(scene, "following", "light", {1440, 900});
        run.killHard();
        QTRY_COMPARE(scene.state(), SessionController::State::Idle);
        take(scene, "interrupted", "dark", {1440, 900});
    }

    void Window_gradients_inBothThemes()
    {
        WindowScene scene;
        scene.window().resize(1440, 900);
        scene.startAtOnce(fourTowers(1200));
        QTRY_COMPARE(scene.state(), SessionController::State::Finished);
        auto* const panel = scene.window().findChild<GradientPanel*>();
        QTRY_COMPARE(panel->figures().step(), 1190);
        scene.window().findChild<QDockWidget*>("gradients_dock")->raise();
        takeAll(scene, "gradients");
    }

    void Window_alert_andChanges_inBothThemes()
    {
        WindowScene scene;
        scene.startAtOnce(fourTowers(100'000));
        QTRY_VERIFY(scene.shownSteps() >= 300);
        emit scene.window().controller().feed().alertArrived(
            {AlertKind::Plateau, false, 300, -1,
             "the loss has not fallen for 5000 steps (1.234, change -0.0012 ± 0.002): lower the "
             "learning rate, or stop here"});
        takeBoth(scene, "alert");
        take(scene, "alert-small", "dark", {1024, 640});
        scene.accept("Lower the Learning Rate…");
        auto* const dialog = scene.window().findChild<NumberDialog*>();
        QVERIFY(dialog != nullptr);
        QTest::qWait(100);
        QVERIFY(dialog->grab().save(pictureFile("learning-rate-dark")));
        scene.type("learning_rate_question.value", "-1");
        QVERIFY(dialog->grab().save(pictureFile("learning-rate-wrong-dark")));
        dialog->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        scene.actions().changeSteps->trigger();
        auto* const steps = scene.window().findChild<NumberDialog*>();
        take(scene, "alert-behind", "light", {1440, 900});
        QVERIFY(steps->grab().save(pictureFile("steps-light")));
        steps->reject();
        scene.stopAtOnce();
    }

    /// On CIFAR-10 where it is there.
    void Window_layersAndDevices_inBothThemes()
    {
        constexpr std::size_t kRecords = 10; // one a second at most
        WindowScene scene;
        scene.window().resize(1440, 900);
        RunConfig config = scene.config(100'000);
        config.model.name = "cifar10";
        config.towers = 4;
        config.batchPerTower = 16;
        config.learningRate.initial = 0.05;
        config.eventsEverySteps = 2;
        const auto data = test::testData("cifar-10-batches-bin");
        config.dataset = std::filesystem::exists(data) ? "cifar10" : "synthetic";
        config.datasetPath = std::filesystem::exists(data) ? data.string() : "";
        const auto show = [&](const QString& name) {
            auto* const dock = scene.window().findChild<QDockWidget*>(name);
            dock->raise();
            return dock->widget();
        };
        const QWidget* const weights = show("weights_dock");
        scene.startAtOnce(config);
        const auto* const histogram = weights->findChild<HistogramPlot*>("histogram_0");
        QTRY_VERIFY(histogram->histograms().size() >= kRecords);
        takeAll(scene, "weights");
        auto* const tabs = weights->findChild<QTabBar*>();
        tabs->setCurrentIndex(1);
        take(scene, "filters", "light", {1440, 900});
        tabs->setCurrentIndex(2);
        take(scene, "sparsity", "dark", {1440, 900});
        show("devices_dock");
        takeAll(scene, "devices");
        scene.stopAtOnce();
    }

private:
    static bool isWhole() { return qEnvironmentVariableIsSet("LOCKSTEP_EVERY_LOOK"); }

    /// The start page with so many runs of before; what it plays is at its end, or held before.
    static void beginWith(WindowScene& scene, qsizetype runs)
    {
        for (const char* const name : {"first", "second", "third"}) {
            if (runs > 0) {
                trainRun(name, 60);
            }
        }
        scene.open();
        scene.window().resize(1440, 900);
        const auto* const page = scene.window().findChild<StartPage*>();
        QTRY_COMPARE(page->findChildren<StartCard*>("start_run").size(), runs);
        auto* const played = page->findChild<Demonstration*>();
        QTRY_VERIFY(played->shownSteps() > 0);
        played->advance(runs > 0 ? 2 * Demonstration::kLength / 3 : Demonstration::kLength);
        if (played->isPlaying()) {
            played->toggle();
        }
    }

    void bringTo(WindowScene& scene, const QString& state)
    {
        RunConfig config = fourTowers(state == "running" ? 100'000 : 600);
        config.evaluateEverySteps = 200;
        config.checkpointEverySteps = 200;
        if (state == "alert") {
            config.experiment.shards = "poisoned";
            config.experiment.tower = 1;
        } else if (state == "segdecnet") {
            config = RunConfig();
            config.model.name = "segdecnet";
            config.model.inputHeight = 128;
            config.model.inputWidth = 64;
            config.dataset = "synthetic_defects";
            config.batchPerTower = 1;
            config.evaluateAtEnd = false;
            config.setSteps(30);
            config.takeUsualPhases();
            config.steps = 100'000; // of which the second phase has the rest
        }
        scene.startAtOnce(config);
        if (state == "overlays") {
            for (const char* const rate :
                 {"0.1", "0.05", "0.02", "0.01", "0.005", "0.002", "0.001", "0.0005"}) {
                const QString name = QString("rate %1").arg(rate);
                const auto run = trainRun(
                    qPrintable(name), 400,
                    setting("learning_rate.initial", rate) + setting("dataset.name", "synthetic"));
                scene.window().findChild<RunsPanel*>()->overlay(toQString(run), true);
            }
        }
        if (state == "running") {
            QTRY_VERIFY(scene.shownSteps() >= 1000);
            scene.window().findChild<ChartsPanel*>()->range().crossHair().setRow(600);
            scene.window().messages().clear(); // what it says of this machine is not in the README
            return;
        }
        if (state == "segdecnet") {
            scene.window().findChild<QDockWidget*>("masks_dock")->raise();
            QTRY_VERIFY(scene.shownSteps() >= 60);
            QCOMPARE(scene.window().findChild<PhaseRow*>()->bands().size(), std::size_t{2});
            QTRY_VERIFY(!scene.window().findChild<MaskStrip*>()->cards().empty());
            scene.window().messages().clear(); // likewise
            return;
        }
        QTRY_COMPARE(scene.state(), SessionController::State::Finished);
        if (state == "evaluation") {
            scene.window().findChild<QDockWidget*>("evaluation_dock")->raise();
        }
    }

    void take(WindowScene& scene, const QString& name, const QString& theme, QSize size)
    {
        scene.chooseTheme(qPrintable(theme));
        scene.window().resize(size);
        QTest::qWait(300); // layout, figures that are renewed now and then
        const QImage picture = scene.window().grab().toImage();
        QCOMPARE(picture.size(), size * qApp->devicePixelRatio());
        QVERIFY(colorsOf(picture) > kFewestColors);
        const QColor corner = picture.pixelColor(2, picture.height() / 2);
        QCOMPARE(corner.lightnessF() < 0.5, theme == QLatin1String("dark"));
        QVERIFY(picture.save(pictureFile(name + '-' + theme)));
        const auto cut = [&] { return cutWidgets(scene.window()).join('\n'); };
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(name + '\n' + cut())); // texts change
    }

    void takeBoth(WindowScene& scene, const QString& name)
    {
        take(scene, name, "light", {1440, 900});
        take(scene, name, "dark", {1440, 900});
    }
    /// In both themes, and in a small window.
    void takeAll(WindowScene& scene, const QString& name)
    {
        takeBoth(scene, name);
        take(scene, name + "-small", "light", {1024, 640});
    }
    /// One that can be learnt, by four towers.
    [[nodiscard]] static RunConfig fourTowers(std::int64_t steps)
    {
        RunConfig config = smallConfig(steps);
        config.dataset = "synthetic";
        config.towers = 4;
        return config;
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestWindowScreenshots)
#include "test_window_screenshots.moc"
