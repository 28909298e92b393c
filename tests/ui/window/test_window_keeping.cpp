// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote.h"
#include "panels/masks/mask_strip.h"
#include "session/mask_model.h"
#include "ui/pictures.h"
#include "ui/window_witness.h"

#include <csignal>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// The window on runs that it starts as processes of their own, which go on without it.
class TestWindowKeeping : public WindowTest
{
    Q_OBJECT

private slots:
    void cleanup()
    {
        if (const auto writer = RunLock::writerOf(run()); writer && *writer != ::getpid()) {
            ::kill(*writer, SIGKILL); // none outlives a test that failed
        }
        END_SCENE();
    }

    void Choice_isOffAtFirst_andRemembered()
    {
        QVERIFY(actions().keepTraining->isCheckable() && !actions().keepTraining->isChecked());
        actions().keepTraining->trigger();
        m_scene->open();
        QVERIFY(actions().keepTraining->isChecked());
    }

    void Start_byKey_trainsInAProcessOfItsOwn()
    {
        keep(kEndless);
        QCOMPARE(m_scene->state(), SessionController::State::Preparing);
        QVERIFY2(
            m_scene->statusText().startsWith("Starting the training"),
            qPrintable(m_scene->statusText()));
        QVERIFY(actions().stop->isEnabled());
        follow();
        const int process = window().controller().plan().writer.value_or(0);
        QVERIFY(process > 0 && process != ::getpid());
        QVERIFY2(
            m_scene->statusText().contains(QString("process %1").arg(process)),
            qPrintable(m_scene->statusText()));
        QVERIFY(find<QLabel>("status_text")->toolTip().contains("goes on when this window closes"));
        QVERIFY(!find("towers")->isEnabled());
        QTRY_VERIFY(actions().pause->isEnabled() && actions().changeLearningRate->isEnabled());
        QTRY_VERIFY(window().grab().save(pictureFile("kept-run-light")));
        QVERIFY(menuOf(actions().keepTraining)->grab().save(pictureFile("run-menu-light")));
        m_scene->press("Ctrl+P");
        QTRY_VERIFY(m_scene->statusText().contains("paused"));
        QVERIFY(actions().resume->isVisible());
        m_scene->press("Ctrl+P");
        QTRY_VERIFY2(m_scene->statusText().contains("running"), qPrintable(m_scene->statusText()));
        m_scene->press("Ctrl+E");
        QTRY_VERIFY(m_scene->run().testAccuracy().has_value());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Stopped);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(run())));
    }

    /// As after a run of the window itself.
    void Ended_goesOnByTheOfferAndTheKey()
    {
        keep(kEndless);
        follow();
        stop();
        QVERIFY2(m_scene->message().startsWith("Stopped after"), qPrintable(m_scene->message()));
        QCOMPARE(m_scene->offers(), QStringList("Continue Run"));
        QVERIFY(actions().start->isVisible() && find("towers")->isEnabled());
        const fs::path first = run();
        const std::int64_t steps = m_scene->shownSteps();
        m_scene->accept("Continue Run");
        WAIT_FOR_STATE(Following);
        QCOMPARE(run(), first);
        WAIT_FOR_STEPS(steps + 10);
        stop();
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(run())));
        QVERIFY(actions().continueRun->isEnabled());
        // Back to what other runs do.
        actions().keepTraining->trigger();
        m_scene->press("Ctrl+Shift+R");
        WAIT_FOR_STATE(Running);
        stop();
    }

    void Close_asksNothing_andTheNextWindowIsThereAgain()
    {
        keep(kEndless);
        follow();
        const fs::path folder = run();
        QVERIFY(window().close());
        QVERIFY(window().findChild<QMessageBox*>() == nullptr);
        m_scene->open();
        WAIT_FOR_STATE(Following);
        QCOMPARE(run(), folder);
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QCOMPARE(m_scene->offers(), QStringList("Continue Run"));
    }

    /// A run of the window itself, whose process ends with it.
    void Close_keepTraining_handsTheRunOver()
    {
        trainOn(5);
        const fs::path folder = m_scene->run().folder();
        closeAndKeepTraining();
        QTRY_VERIFY(!window().isVisible());
        QVERIFY(RunLock::writerOf(folder).value_or(::getpid()) != ::getpid()); // not before
        m_scene->open();
        WAIT_FOR_STATE(Following);
        QCOMPARE(run(), folder);
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
        QVERIFY(storedCrossEntropies(folder).size() > 5);
    }

    void Close_keepTraining_whereItCantGoOn_staysAndTells()
    {
        trainOn(5);
        fs::rename(m_scene->pictures(), m_scene->folder() / "elsewhere");
        closeAndKeepTraining();
        WAIT_FOR_STATE(Failed);
        QTRY_VERIFY2(
            m_scene->message().contains("this folder does not exist"),
            qPrintable(m_scene->message()));
        QCoreApplication::processEvents();
        QVERIFY(window().isVisible());
        QVERIFY(window().close()); // nothing is left of the wish
        QVERIFY(window().findChild<QMessageBox*>("close_question") == nullptr);
    }

    void Close_whileItIsStarted_leavesIt()
    {
        keep(60);
        QVERIFY(window().close());
        const fs::path runs = m_scene->folder() / "data" / "lockstep" / "runs";
        const auto finished = [&] {
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(runs, ignored)) {
                return !RunLock::writerOf(entry.path())
                       && storedCrossEntropies(entry.path()).size() == 60;
            }
            return false;
        };
        QTRY_VERIFY(finished());
    }

    void Failed_start_tellsTheErrorOfTheTraining()
    {
        m_scene->configure(m_scene->config(20));
        actions().keepTraining->trigger();
        const fs::path file = m_scene->pictures() / "data_batch_1.bin";
        QVERIFY(fs::exists(file));
        fs::resize_file(file, 17);
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Failed);
        QVERIFY2(m_scene->message().contains("data_batch_1.bin"), qPrintable(m_scene->message()));
        QVERIFY(find("towers")->isEnabled());
    }

    void Masks_ofAKeptRun_areShown()
    {
        RunConfig config = m_scene->config(kEndless);
        config.model.name = test::writeMaskModel(m_scene->folder().path()).string();
        config.dataset = "synthetic_defects";
        config.datasetPath.clear();
        config.batchPerTower = 1;
        config.phases = {{"joint", kEndless, 0.01, {}}};
        actions().keepTraining->trigger();
        m_scene->startAtOnce(config);
        WAIT_FOR_STATE(Following);
        showDock("masks_dock");
        QTRY_VERIFY(!window().findChildren<MaskCard*>().isEmpty());
        QTRY_VERIFY(find<QLabel>("masks_summary")->isVisible());
        QVERIFY(window().grab().save(pictureFile("kept-masks-light")));
        QTRY_VERIFY(actions().stop->isEnabled());
        stop();
    }

    /// The window that starts it is another process: this program, which ends itself.
    void Window_isKilled_theRunGoesOnToItsEnd()
    {
        constexpr std::int64_t kSteps = 1500;
        const QByteArray note = qgetenv("LOCKSTEP_TEST_NOTE");
        if (!note.isEmpty()) {
            keep(kSteps);
            follow();
            m_scene->settings().sync();
            std::ofstream(note.toStdString()) << m_scene->folder().path().string() << '\n'
                                              << run().string();
            ::kill(::getpid(), SIGKILL);
        }
        const fs::path file = m_scene->folder() / "note";
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LOCKSTEP_TEST_NOTE", toQString(file));
        process.setProcessEnvironment(environment);
        process.start(
            QCoreApplication::applicationFilePath(),
            {"test_window_keeping", "Window_isKilled_theRunGoesOnToItsEnd"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitStatus(), QProcess::CrashExit);
        std::ifstream told(file);
        std::string home;
        std::string folder;
        std::getline(told, home);
        std::getline(told, folder);
        {
            QSettings settings(
                QString::fromStdString(home + "/settings.ini"), QSettings::IniFormat);
            MainWindow next(settings); // finds it by itself
            next.show();
            QTRY_COMPARE(next.run().folder(), fs::path(folder));
            QTRY_VERIFY(!RunLock::writerOf(folder));
            const std::vector<double> losses = storedCrossEntropies(folder);
            QCOMPARE(losses.size(), std::size_t{kSteps});
            QTRY_VERIFY(showsLosses(next.run(), losses));
        }
        fs::remove_all(home);
    }

private:
    [[nodiscard]] fs::path run() const
    {
        return window().controller().isBusy() ? fs::path() : m_scene->run().folder();
    }
    void keep(std::int64_t steps) const
    {
        if (!actions().keepTraining->isChecked()) {
            actions().keepTraining->trigger();
        }
        m_scene->start(m_scene->config(steps));
    }
    void closeAndKeepTraining() const
    {
        QVERIFY(!window().close());
        auto* const question = find<QMessageBox>("close_question");
        for (QAbstractButton* const button : question->buttons()) {
            if (button->text() == "Keep Training") {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
    }
    void follow() const
    {
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
    }
    [[nodiscard]] QMenu* menuOf(QAction* action) const
    {
        for (QMenu* const menu : window().menuBar()->findChildren<QMenu*>()) {
            if (menu->actions().contains(action)) {
                return menu;
            }
        }
        return nullptr;
    }
};
LOCKSTEP_TEST(TestWindowKeeping)
#include "test_window_keeping.moc"
