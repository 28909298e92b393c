// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_origin.h"
#include "ui/headless_run.h"
#include "ui/window_witness.h"

#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// The window on runs that lockstep-train trains, or trained until it was killed.
class TestWindowFollowing : public WindowTest
{
    Q_OBJECT

private slots:
    void cleanup()
    {
        m_run.reset();
        END_SCENE();
    }

    void Open_runOfAnotherProcess_saysWhoTrainsIt()
    {
        follow();
        const QString process = QString("process %1").arg(m_run->process());
        QVERIFY2(m_scene->message().contains(process), qPrintable(m_scene->message()));
        QTRY_VERIFY2(
            m_scene->statusText().contains(process) && m_scene->statusText().contains("running"),
            qPrintable(m_scene->statusText()));
        QVERIFY(actions().start->isVisible() && !actions().start->isEnabled());
        QTRY_VERIFY(actions().pause->isEnabled() && actions().stop->isEnabled());
        QVERIFY(actions().saveCheckpoint->isEnabled() && actions().evaluate->isEnabled());
        QVERIFY(!actions().saveCheckpointAs->isEnabled() && !actions().continueRun->isEnabled());
        // Its settings are to be read, not to be typed over.
        const auto* const towers = find("towers");
        QVERIFY(!towers->isEnabled());
        const std::int64_t steps = m_scene->shownSteps();
        WAIT_FOR_STEPS(steps + 20);
        m_scene->press("Ctrl+N");
        QVERIFY(towers->isEnabled());
    }

    void Keys_pauseSaveAndStopIt()
    {
        follow();
        QTRY_VERIFY(actions().pause->isEnabled());
        m_scene->press("Ctrl+P");
        QTRY_VERIFY(m_scene->statusText().contains("paused"));
        QVERIFY(actions().resume->isVisible() && actions().stepOnce->isEnabled());
        m_scene->press("Ctrl+S");
        QTRY_VERIFY(m_scene->run().savedCheckpoint().has_value());
        m_scene->press("Ctrl+P");
        QTRY_VERIFY(actions().pause->isVisible());
        m_scene->press("Ctrl+.");
        WAIT_FOR_STATE(Idle);
        QVERIFY2(m_scene->message().contains("was stopped after"), qPrintable(m_scene->message()));
        QCOMPARE(m_scene->offers(), QStringList("Continue Run"));
        QVERIFY(m_run->awaitEnd());
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder())));
    }

    void Close_whileFollowing_asksNothingAndLeavesIt()
    {
        follow();
        QVERIFY(window().close());
        QVERIFY(window().findChild<QMessageBox*>() == nullptr);
        QCOMPARE(RunLock::writerOf(folder()), std::optional(m_run->process()));
        m_scene->open(); // the next one is there again
        WAIT_FOR_STATE(Following);
        QCOMPARE(m_scene->run().folder(), folder());
    }

    void Continue_ofARunBeingTrained_isRefused()
    {
        follow();
        window().setUpCommands().setUpToContinue(
            RunFolder::checkpointsOf(folder()) / "step-000000000.safetensors");
        const QString problem = window().runPanel().problem();
        QVERIFY2(
            problem.contains(QString("process %1").arg(m_run->process())), qPrintable(problem));
        QVERIFY(!actions().start->isEnabled());
    }

    void Killed_offersToResume_andLosesNothing()
    {
        // At each checkpoint the store is written, too: nothing would be lost.
        follow({"--set", "checkpoint.every_steps=0"});
        m_run->killHard();
        WAIT_FOR_STATE(Idle);
        const std::int64_t steps = m_scene->shownSteps();
        QVERIFY2(
            m_scene->message().contains(
                QString("ended unexpectedly at step %1").arg(QLocale().toString(steps))),
            qPrintable(m_scene->message()));
        const std::int64_t saved = RunLibrary::checkpointsOf(folder()).back().step;
        QVERIFY(saved < steps);
        QVERIFY2(
            m_scene->message().endsWith(
                QString("checkpoint of step %1. Steps lost since then: %2.")
                    .arg(
                        QLocale().toString(static_cast<qlonglong>(saved)),
                        QLocale().toString(static_cast<qlonglong>(steps - saved)))),
            qPrintable(m_scene->message()));
        QCOMPARE(m_scene->offers(), QStringList({"Resume", "Not Now"}));
        m_scene->accept("Resume");
        WAIT_FOR_STATE(Running);
        QCOMPARE(m_scene->run().folder(), folder());
        WAIT_FOR_STEPS(10);
        stop();
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder())));
    }

    void NextWindow_asksOnceAboutAnInterruptedRun()
    {
        train();
        m_run->killHard();
        m_scene->open();
        QTRY_VERIFY(m_scene->message().contains("other ended unexpectedly"));
        QCOMPARE(m_scene->offers(), QStringList({"Resume", "Show", "Not Now"}));
        m_scene->accept("Not Now");
        QCOMPARE(m_scene->message(), QString());
        m_scene->open();
        QTest::qWait(500);
        QCOMPARE(m_scene->message(), QString());
    }

    void NextWindow_afterTheShownRunWasKilled_asks()
    {
        follow();
        QVERIFY(window().close());
        m_run->killHard();
        m_scene->open();
        WAIT_FOR_STEPS(20);
        QTRY_VERIFY(m_scene->message().contains("ended unexpectedly"));
        m_scene->accept("Not Now");
        m_scene->open();
        WAIT_FOR_STEPS(20);
        QCOMPARE(m_scene->offers(), QStringList("Continue Run"));
    }

    void NewRun_whileFollowing_showsNoneAndLeavesIt()
    {
        follow();
        m_scene->press("Ctrl+N");
        QCOMPARE(m_scene->state(), SessionController::State::Idle);
        QCOMPARE(m_scene->shownSteps(), 0);
        QVERIFY(!actions().stop->isEnabled() && actions().start->isEnabled());
        QCOMPARE(RunLock::writerOf(folder()), std::optional(m_run->process()));
    }

    void Killed_thenResumedElsewhere_isFollowedAgain()
    {
        follow();
        m_run->killHard();
        WAIT_FOR_STATE(Idle);
        m_run.emplace(m_scene->pictures(), folder(), 100'000'000, QStringList("--resume"));
        WAIT_FOR_STATE(Following);
        const QString process = QString("process %1").arg(m_run->process());
        QTRY_VERIFY2(m_scene->message().contains(process), qPrintable(m_scene->message()));
        WAIT_FOR_STEPS(20);
        m_run->killHard();
        WAIT_FOR_STATE(Idle);
        QTRY_VERIFY(actions().start->isEnabled());
    }

    void Resume_ofARunThatIsTrainedMeanwhile_follows()
    {
        train();
        m_run->killHard();
        m_scene->open();
        QTRY_VERIFY(m_scene->offers().contains("Resume"));
        m_run.emplace(m_scene->pictures(), folder(), 100'000'000, QStringList("--resume"));
        QTRY_VERIFY(RunLock::writerOf(folder()).has_value());
        m_scene->accept("Resume");
        WAIT_FOR_STATE(Following);
        QCOMPARE(m_scene->run().folder(), folder());
    }

    void BannersStart_whileTheFormIsInvalid_saysWhyAndStays()
    {
        train();
        m_run->killHard();
        window().openCommands().openRun(folder());
        WAIT_FOR_STEPS(20);
        window().setUpCommands().prepare(requestToContinue(folder()), "To be changed first.");
        QCOMPARE(m_scene->offers(), QStringList("Start"));
        m_scene->type("steps", "0");
        m_scene->accept("Start");
        QCOMPARE(m_scene->state(), SessionController::State::Idle);
        QCOMPARE(m_scene->message(), window().runPanel().problem());
        QVERIFY(!m_scene->message().isEmpty());
        QCOMPARE(m_scene->offers(), QStringList("Start"));
    }

private:
    void train(int steps = 100'000'000, const QStringList& more = {})
    {
        m_run.emplace(m_scene->pictures(), folder(), steps, more);
        QVERIFY(m_run->awaitSteps(20));
    }
    void follow(const QStringList& more = {})
    {
        train(100'000'000, more);
        window().openCommands().openRun(folder());
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
    }
    [[nodiscard]] fs::path folder() const
    {
        return m_scene->folder() / "data" / "lockstep" / "runs" / "other";
    }

    std::optional<HeadlessRun> m_run;
};
LOCKSTEP_TEST(TestWindowFollowing)
#include "test_window_following.moc"
