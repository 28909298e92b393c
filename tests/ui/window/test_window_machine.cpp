// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_library.h"
#include "engine/remote.h"
#include "engine/storage.h"
#include "models/table_model.h"
#include "panels/evaluation/evaluation_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "storage/steps.h"
#include "ui/clipping.h"
#include "ui/machine_scene.h"
#include "ui/pictures.h"
#include "ui/session_witness.h"

#include <optional>
#include <thread>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// Counts the paintings of a widget.
class PaintCount : public QObject
{
public:
    int paints = 0;
    bool eventFilter(QObject* /*watched*/, QEvent* event) override
    {
        paints += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
};

} // namespace

/// The window on the runs of another machine, which is this one behind a stand-in for ssh: another
/// process, another folder, the real protocol.
class TestWindowMachine : public WindowTest
{
    Q_OBJECT

private slots:
    void init()
    {
        m_scene.emplace();
        m_there.emplace(*m_scene);
    }
    void cleanup()
    {
        m_run.reset();
        m_there.reset();
        END_SCENE();
    }

    void Connect_listsItsRuns_opensOne_andLeavesThem()
    {
        train("done", 40, {"--set", "evaluate.every_steps=20"});
        QVERIFY(m_run->awaitEnd());
        showDock("runs_dock");
        m_there->connect();
        auto* const table = find<QTableView>("runs_table")->model();
        QTRY_COMPARE(table->rowCount(), 1);
        QTRY_VERIFY(find<NoteLabel>("runs_note")->note().contains("1 run on there"));
        open();
        WAIT_FOR_STEPS(40);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(m_run->folder())));
        QVERIFY2(window().windowTitle().contains("on there"), qPrintable(window().windowTitle()));
        QCOMPARE(find<QLabel>("machine_text")->text(), "on there");
        // Its checkpoints are listed there; what needs their files is off, and says why.
        auto* const checkpoints = find<QTableView>("checkpoints_table");
        QTRY_VERIFY(checkpoints->model()->rowCount() > 1);
        showDock("checkpoints_dock");
        checkpoints->selectRow(0);
        for (const auto* const button :
             window().findChild<CheckpointPanel*>()->findChildren<QPushButton*>()) {
            QCOMPARE(button->isEnabled(), button->text() == "More");
            QVERIFY(button->isEnabled() || button->toolTip().contains("is on there"));
        }
        // A copy is byte for byte the file.
        const auto file = RunLibrary::checkpointsOf(m_run->folder()).back();
        QMetaObject::invokeMethod(
            window().findChild<CheckpointPanel*>(), "chosen",
            Q_ARG(lockstep::ui::CheckpointAct, CheckpointAct::SaveCopy),
            Q_ARG(lockstep::ui::CheckpointItem, itemOfNewest()));
        const fs::path copy = m_scene->folder() / "copy.safetensors";
        m_scene->answer(copy);
        QTRY_VERIFY(m_scene->message().startsWith("Saved: "));
        QVERIFY(contentOf(copy) == contentOf(toPath(file.file)));
        // An image of the test set, looked at there.
        showDock("evaluation_dock");
        auto* const images = find<QTableView>("evaluation_classified");
        QTRY_VERIFY(images->model()->rowCount() > 0);
        QTest::mouseClick(
            images->viewport(), Qt::LeftButton, {},
            images->visualRect(images->model()->index(0, 0)).center());
        QTRY_VERIFY(find<NoteLabel>("evaluation_trial")->note().contains("step 40"));

        // The test set, which is there.
        showDock("preview_dock");
        find<QComboBox>("preview_view")->setCurrentIndex(1);
        QTRY_VERIFY(find<NoteLabel>("preview_caption")->note().contains("20"));
        actions().disconnectMachine->trigger();
        QVERIFY(m_scene->run().folder().empty());
        QVERIFY(!find<QLabel>("machine_text")->isVisible());
        QCOMPARE(table->rowCount(), 0); // at once: nobody opens what nothing comes for any more
        window().close();
        m_scene->open(); // it does not come back to a mirror
        QVERIFY(m_scene->run().folder().empty());
    }

    void Follow_commandsReachIt_andACutLineLosesNothing()
    {
        train("live", 1'000'000, {"--set", "learning_rate.decay_factor=1"});
        m_there->connect();
        open();
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        QVERIFY2(m_scene->message().contains("trained on there"), qPrintable(m_scene->message()));
        QTRY_VERIFY(actions().changeLearningRate->isEnabled());
        QVERIFY2(
            m_scene->statusText().contains("Trained on there"), qPrintable(m_scene->statusText()));
        actions().changeLearningRate->trigger();
        auto* const question = find<QDialog>("learning_rate_question");
        question->findChild<QLineEdit*>()->setText("0.0125");
        QTest::keyClick(question->findChild<QLineEdit*>(), Qt::Key_Return);
        QTRY_VERIFY(m_scene->run().newestStep()->learningRate == 0.0125);
        m_scene->activate();
        m_scene->press("Ctrl+S");
        QTRY_VERIFY(m_scene->run().savedCheckpoint().has_value());
        m_scene->press("Ctrl+E");
        QTRY_VERIFY(m_scene->run().testAccuracy().has_value());

        m_there->cut();
        MessageBar& bar = m_there->lineBar();
        QTRY_VERIFY(bar.isVisible());
        QVERIFY2(bar.text().startsWith("The line to there is lost: "), qPrintable(bar.text()));
        QTRY_VERIFY2(bar.text().contains("Trying again"), qPrintable(bar.text()));
        QCOMPARE(find<QLabel>("machine_text")->text(), "there: no line");
        QCOMPARE(offerTextsOf(bar), QStringList("Try Now"));
        const std::int64_t shown = m_scene->shownSteps();
        QVERIFY(m_run->awaitSteps(shown + 50));
        QCOMPARE(m_scene->state(), SessionController::State::Following);
        m_there->mend();
        QTest::mouseClick(offersOf(bar).front(), Qt::LeftButton);
        QTRY_VERIFY(!bar.isVisible());
        WAIT_FOR_STEPS(shown + 50);
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QVERIFY(m_run->awaitEnd());
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(m_run->folder())));
    }

    void Start_there_opensItsRun_andGoesOn()
    {
        m_there->connect();
        m_scene->configure(m_scene->config(kEndless));
        QVERIFY(actions().start->text().contains("on there"));
        // What is only there is not looked for here.
        m_scene->type("dataset.path", "/only/there");
        QCOMPARE(window().runPanel().problem(), QString());
        actions().start->trigger();
        QTRY_VERIFY(m_scene->message().startsWith("Not started on there: "));
        QVERIFY2(m_scene->message().contains("/only/there"), qPrintable(m_scene->message()));
        m_scene->configure(m_scene->config(kEndless));
        m_scene->type("run.folder", "begun");
        actions().start->trigger();
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(10);
        QVERIFY(RunFolder::isRun(m_there->runs() / "begun"));
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QTRY_VERIFY(actions().continueRun->isEnabled());
        const std::int64_t steps = m_scene->shownSteps();
        m_scene->press("Ctrl+Shift+R");
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(steps + 10);
        // It outlives the line.
        actions().disconnectMachine->trigger();
        QVERIFY(RunLock::writerOf(m_there->runs() / "begun"));
        m_there->connect();
        open();
        WAIT_FOR_STATE(Following);
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(m_there->runs() / "begun")));
    }

    void Open_whileThisWindowTrains_getsAWindowOfItsOwn()
    {
        train("live", 1'000'000);
        trainOn(10);
        m_there->connect();
        open();
        const auto beside = [&]() -> MainWindow* {
            for (QWidget* const each : QApplication::topLevelWidgets()) {
                auto* const other = qobject_cast<MainWindow*>(each);
                if (other != nullptr && other != &window() && other->isVisible()) {
                    return other;
                }
            }
            return nullptr;
        };
        QTRY_VERIFY(
            beside() != nullptr && beside()->run().series() != nullptr
            && beside()->run().series()->steps().size() > 20);
        QVERIFY(beside()->run().machine() != nullptr);
        QVERIFY2(beside()->windowTitle().contains("on there"), qPrintable(beside()->windowTitle()));
        actions().disconnectMachine->trigger();
        QTRY_VERIFY(beside() == nullptr); // it had nothing else to show
        QCOMPARE(m_scene->state(), SessionController::State::Running);
        m_scene->stopAtOnce();
    }

    void KeptRun_outlivesTheWindowThatStartedIt_besideARemoteOne()
    {
        const fs::path run = m_there->runs() / "kept";
        std::optional<SessionWitness> starter(std::in_place); // on that machine
        RunConfig config = smallConfig(kEndless);
        config.learningRate.decayFactor = 1.0;
        starter->controller.launch({config, run});
        QTRY_VERIFY(starter->steps.size() > 20);
        m_there->connect();
        open();
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        starter->controller.send(command::SetLearningRate{0.0125});
        QTRY_VERIFY(m_scene->run().newestStep()->learningRate == 0.0125);
        starter.reset();
        const std::int64_t shown = m_scene->shownSteps();
        WAIT_FOR_STEPS(shown + 50);
        actions().disconnectMachine->trigger();
        QVERIFY(RunLock::writerOf(run).has_value()); // nobody looks, and it goes on
        const RunRemote remote(run);
        const std::int64_t step = remote.status().step;
        QTRY_VERIFY(remote.status().step > step + 50);
        m_there->connect();
        open();
        WAIT_FOR_STATE(Following);
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(run)));
    }

    void Overlay_ofItsRun_isFetched()
    {
        train("done", 40);
        QVERIFY(m_run->awaitEnd());
        showDock("runs_dock");
        m_there->connect();
        auto* const table = find<QTableView>("runs_table");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_Space);
        QTRY_VERIFY(find<NoteLabel>("runs_note")->note().contains("1 over the charts"));
        for (const QAction* const action : table->actions()) {
            if (action->text().contains("Trash") || action->text() == "Re&name") {
                QVERIFY(!action->isEnabled() && action->toolTip().contains("on there"));
            }
        }
    }

    void Pictures_inBothThemes()
    {
        train("2026-11-24-cifar10", 1'000'000, {"--set", "evaluate.every_steps=200"});
        window().resize(1440, 900);
        actions().connectMachine->trigger();
        auto* const dialog = find<QDialog>("connect_dialog");
        find<QComboBox>("connect_machine")->setEditText("me@there:22x");
        take(*dialog, "connect-wrong");
        m_there->write("down", "");
        m_there->askFor("there", toQString(m_there->runs()));
        QTRY_VERIFY(!find<ProblemLabel>("connect_problem")->problem().isEmpty());
        take(*dialog, "connect-refused");
        m_there->mend();
        m_there->connect();
        open();
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(300);
        take(window(), "remote-run");
        m_there->cut();
        QTRY_VERIFY(m_there->lineBar().isVisible());
        take(window(), "remote-lost");
        m_there->mend();
        actions().disconnectMachine->trigger();
    }

    void Refused_saysWhyInTheDialog_data()
    {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("says");
        const QString here = LOCKSTEP_TRAIN_PROGRAM;
        QTest::newRow("no such machine") << "down"
                                         << "/tmp" << here << "refuses the connection";
        QTest::newRow("no such folder") << "there"
                                        << "/no/such/folder" << here << "no such folder";
        QTest::newRow("no program") << "there"
                                    << "/tmp"
                                    << "/no/lockstep-train"
                                    << "does not find";
        QTest::newRow("older version")
            << "there"
            << "/tmp"
            << "sh -c \"echo \\\"lockstep-train: unknown command 'serve'; did\\\" >&2; exit 2\""
            << "older version";
    }

    void Refused_saysWhyInTheDialog()
    {
        QFETCH(const QString, machine);
        QFETCH(const QString, folder);
        QFETCH(const QString, program);
        QFETCH(const QString, says);
        m_scene->settings().setValue("remote/program", program);
        if (machine == "down") {
            m_there->write("down", "");
        }
        m_there->askFor(machine, folder);
        auto* const problem = find<ProblemLabel>("connect_problem");
        QTRY_VERIFY(!problem->problem().isEmpty());
        QVERIFY2(problem->problem().contains(says), qPrintable(problem->problem()));
        QVERIFY(!problem->problem().contains('\n'));
        QVERIFY(find<QComboBox>("connect_machine")->isEnabled()); // to be corrected
        QVERIFY(!find<QLabel>("machine_text")->isVisible());
        QTest::keyClick(find<QLineEdit>("connect_path"), Qt::Key_Escape);
        QTRY_VERIFY(find<QDialog>("connect_dialog") == nullptr);
    }

    void Address_isCheckedWhileTyping()
    {
        actions().connectMachine->trigger();
        auto* const machine = find<QComboBox>("connect_machine");
        const auto* const accept = find<QDialog>("connect_dialog")->findChild<QDialogButtonBox*>();
        const auto canConnect = [&] {
            return std::ranges::any_of(accept->buttons(), [&](const QAbstractButton* button) {
                return accept->buttonRole(const_cast<QAbstractButton*>(button))
                           == QDialogButtonBox::AcceptRole
                       && button->isEnabled();
            });
        };
        QVERIFY(!canConnect());
        machine->setEditText("me@there");
        QVERIFY(canConnect());
        machine->setEditText("ssh://me@there:many/runs");
        QVERIFY(!canConnect());
        QVERIFY(find<ProblemLabel>("connect_problem")->problem().contains("many"));
        // The whole address may stand in one field, as on the command line.
        window().openCommands().open({"ssh://there" + m_there->runs().string()});
        QTRY_VERIFY(find<QLabel>("machine_text")->isVisible());
    }

    /// 5,000 steps a second over the line: the window works no more often than for a slow run.
    void Fast_run_costsNoMoreWork()
    {
        constexpr std::int64_t kAtOnce = 500;
        constexpr std::int64_t kSteps = 15'000;
        RunConfig config;
        config.towers = 2;
        config.steps = kSteps + 1; // goes on
        const RunFolder run = RunFolder::create(m_there->runs() / "fast", toToml(config));
        RunStore store(run.storeFile());
        store.startBranch(test::exampleBranch(2));
        const auto append = [&](std::int64_t first, std::int64_t end) {
            for (std::int64_t step = first; step < end; ++step) {
                StepRecord record = test::exampleStep(static_cast<int>(step % 1000), 2);
                record.step = step;
                record.examples = (step + 1) * test::kExampleBatch * 2;
                record.wallSeconds = 0.0002 * static_cast<double>(step + 1);
                store.append(std::move(record));
            }
        };
        append(0, 1);
        m_there->connect();
        open();
        WAIT_FOR_STEPS(1);
        int blocks = 0;
        connect(&m_scene->run(), &LiveRun::stepsAppended, this, [&] { ++blocks; });
        PaintCount count;
        window().findChild<PlotView*>()->installEventFilter(&count);
        QElapsedTimer clock;
        clock.start();
        std::jthread writer([&] {
            for (std::int64_t step = 1; step < kSteps; step += kAtOnce) {
                append(step, std::min(step + kAtOnce, kSteps));
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
        });
        QTRY_VERIFY(m_scene->shownSteps() == kSteps);
        const double seconds = static_cast<double>(clock.elapsed()) / 1000.0;
        writer.join();
        // The pump looks six times a second; the chart is painted no more often than that.
        QVERIFY2(blocks <= 7.0 * seconds + 2.0, qPrintable(QString::number(blocks)));
        QVERIFY2(count.paints <= 10.0 * seconds + 10.0, qPrintable(QString::number(count.paints)));
        store.close();
    }

private:
    void train(const char* name, int steps, const QStringList& more = {})
    {
        m_run.emplace(m_scene->pictures(), m_there->runs() / name, steps, more);
        QVERIFY(m_run->awaitSteps(1));
    }
    /// The only run, by a double click's signal.
    void open() const
    {
        showDock("runs_dock");
        auto* const table = find<QTableView>("runs_table");
        QTRY_VERIFY(table->model()->rowCount() >= 1);
        table->selectRow(0);
        QTest::keyClick(table, Qt::Key_Return);
    }
    [[nodiscard]] CheckpointItem itemOfNewest() const
    {
        const auto* const model =
            static_cast<const CheckpointModel*>(find<QTableView>("checkpoints_table")->model());
        return model->at(0);
    }
    void take(QWidget& widget, const char* name) const
    {
        for (const char* const theme : {"light", "dark"}) {
            m_scene->chooseTheme(theme);
            QTest::qWait(300);
            QVERIFY(widget.grab().save(pictureFile(QString("%1-%2").arg(name, theme))));
            // A sentence of a run that goes on may need another line since the last layout.
            QStringList cut;
            QTRY_VERIFY2((cut = cutWidgets(widget)).isEmpty(), qPrintable(cut.join('\n')));
        }
    }
    static std::string contentOf(const fs::path& path)
    {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::optional<MachineScene> m_there;
    std::optional<HeadlessRun> m_run;
};
LOCKSTEP_TEST(TestWindowMachine)
#include "test_window_machine.moc"
