// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/run_form/run_panel.h"
#include "support/lockstep_test.h"
#include "ui/headless_run.h"
#include "ui/window_witness.h"

#include <QMessageBox>

#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// The window on runs that lockstep-train trains, or trained until it was killed.
class TestWindowFollowing : public WindowTest
{
    Q_OBJECT

private slots:
    void init() { m_scene.emplace(); }
    void cleanup()
    {
        m_run.reset();
        END_SCENE();
    }

    void Open_runOfAnotherProcess_saysWhoTrainsIt();
    void Keys_pauseSaveAndStopIt();
    void Close_whileFollowing_asksNothingAndLeavesIt();
    void Continue_ofARunBeingTrained_isRefused();
    void Killed_offersToResume_andLosesNothing();
    void NextWindow_asksOnceAboutAnInterruptedRun();
    void NextWindow_afterTheShownRunWasKilled_asks();
    void NewRun_whileFollowing_showsNoneAndLeavesIt();
    void Killed_thenResumedElsewhere_isFollowedAgain();
    void Resume_ofARunThatIsTrainedMeanwhile_follows();
    void BannersStart_whileTheFormIsInvalid_saysWhyAndStays();

private:
    void train(int steps = 100'000'000)
    {
        m_run.emplace(m_scene->pictures(), folder(), steps);
        QVERIFY(m_run->awaitSteps(20));
    }
    void follow()
    {
        train();
        m_scene->window().openCommands().openRun(folder());
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
    }
    [[nodiscard]] fs::path folder() const
    {
        return m_scene->folder() / "data" / "lockstep" / "runs" / "other";
    }

    std::optional<HeadlessRun> m_run;
};

void TestWindowFollowing::Open_runOfAnotherProcess_saysWhoTrainsIt()
{
    follow();
    const QString process = QStringLiteral("process %1").arg(m_run->process());
    QVERIFY2(m_scene->message().contains(process), qPrintable(m_scene->message()));
    QTRY_VERIFY2_WITH_TIMEOUT(
        m_scene->statusText().contains(process)
            && m_scene->statusText().contains(QStringLiteral("running")),
        qPrintable(m_scene->statusText()), 10'000);
    QVERIFY(actions().start->isVisible() && !actions().start->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(actions().pause->isEnabled() && actions().stop->isEnabled(), 10'000);
    QVERIFY(actions().saveCheckpoint->isEnabled() && actions().evaluate->isEnabled());
    QVERIFY(!actions().saveCheckpointAs->isEnabled() && !actions().continueRun->isEnabled());
    // Its settings are to be read, not to be typed over.
    const auto* const towers = m_scene->window().findChild<QWidget*>(QStringLiteral("towers"));
    QVERIFY(!towers->isEnabled());
    const std::int64_t steps = m_scene->shownSteps();
    WAIT_FOR_STEPS(steps + 20);
    m_scene->press("Ctrl+N");
    QVERIFY(towers->isEnabled());
}

void TestWindowFollowing::Keys_pauseSaveAndStopIt()
{
    follow();
    QTRY_VERIFY_WITH_TIMEOUT(actions().pause->isEnabled(), 10'000);
    m_scene->press("Ctrl+P");
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->statusText().contains(QStringLiteral("paused")), 10'000);
    QVERIFY(actions().resume->isVisible() && actions().stepOnce->isEnabled());
    m_scene->press("Ctrl+S");
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->run().savedCheckpoint().has_value(), 10'000);
    m_scene->press("Ctrl+P");
    QTRY_VERIFY_WITH_TIMEOUT(actions().pause->isVisible(), 10'000);
    m_scene->press("Ctrl+.");
    WAIT_FOR_STATE(Idle);
    QVERIFY2(
        m_scene->message().contains(QStringLiteral("was stopped after")),
        qPrintable(m_scene->message()));
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Continue Run")));
    QVERIFY(m_run->awaitEnd());
    QVERIFY(showsLosses(m_scene->run(), storedLosses(folder())));
}

void TestWindowFollowing::Close_whileFollowing_asksNothingAndLeavesIt()
{
    follow();
    QVERIFY(m_scene->window().close());
    QVERIFY(m_scene->window().findChild<QMessageBox*>() == nullptr);
    QCOMPARE(RunLock::writerOf(folder()), std::optional(m_run->process()));
    m_scene->open(); // the next one is there again
    WAIT_FOR_STATE(Following);
    QCOMPARE(m_scene->run().folder(), folder());
}

void TestWindowFollowing::Continue_ofARunBeingTrained_isRefused()
{
    follow();
    m_scene->window().setUpCommands().setUpToContinue(
        RunFolder::checkpointsOf(folder()) / "step-000000000.safetensors");
    const QString problem = m_scene->window().runPanel().problem();
    QVERIFY2(
        problem.contains(QStringLiteral("process %1").arg(m_run->process())), qPrintable(problem));
    QVERIFY(!actions().start->isEnabled());
}

void TestWindowFollowing::Killed_offersToResume_andLosesNothing()
{
    follow();
    m_run->killHard();
    WAIT_FOR_STATE(Idle);
    const std::int64_t steps = m_scene->shownSteps();
    QVERIFY2(
        m_scene->message().contains(
            QStringLiteral("ended unexpectedly at step %1").arg(QLocale().toString(steps))),
        qPrintable(m_scene->message()));
    const std::int64_t saved = RunLibrary::checkpointsOf(folder()).back().step;
    QVERIFY(saved < steps);
    QVERIFY2(
        m_scene->message().endsWith(
            QStringLiteral("checkpoint of step %1. Steps lost since then: "
                           "%2.")
                .arg(
                    QLocale().toString(static_cast<qlonglong>(saved)),
                    QLocale().toString(static_cast<qlonglong>(steps - saved)))),
        qPrintable(m_scene->message()));
    QCOMPARE(m_scene->offers(), QStringList({QStringLiteral("Resume"), QStringLiteral("Not Now")}));
    m_scene->accept(QStringLiteral("Resume"));
    WAIT_FOR_STATE(Running);
    QCOMPARE(m_scene->run().folder(), folder());
    WAIT_FOR_STEPS(10);
    m_scene->press("Ctrl+.");
    WAIT_FOR_STATE(Stopped);
    QVERIFY(showsLosses(m_scene->run(), storedLosses(folder())));
}

void TestWindowFollowing::NextWindow_asksOnceAboutAnInterruptedRun()
{
    train();
    m_run->killHard();
    m_scene->open();
    QTRY_VERIFY_WITH_TIMEOUT(
        m_scene->message().contains(QStringLiteral("other ended unexpectedly")), 10'000);
    QCOMPARE(
        m_scene->offers(),
        QStringList({QStringLiteral("Resume"), QStringLiteral("Show"), QStringLiteral("Not Now")}));
    m_scene->accept(QStringLiteral("Not Now"));
    QCOMPARE(m_scene->message(), QString());
    m_scene->open();
    QTest::qWait(500);
    QCOMPARE(m_scene->message(), QString());
}

void TestWindowFollowing::NextWindow_afterTheShownRunWasKilled_asks()
{
    follow();
    QVERIFY(m_scene->window().close());
    m_run->killHard();
    m_scene->open();
    WAIT_FOR_STEPS(20);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_scene->message().contains(QStringLiteral("ended unexpectedly")), 10'000);
    m_scene->accept(QStringLiteral("Not Now"));
    m_scene->open();
    WAIT_FOR_STEPS(20);
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Continue Run")));
}

void TestWindowFollowing::NewRun_whileFollowing_showsNoneAndLeavesIt()
{
    follow();
    m_scene->press("Ctrl+N");
    QCOMPARE(m_scene->state(), SessionController::State::Idle);
    QCOMPARE(m_scene->shownSteps(), 0);
    QVERIFY(!actions().stop->isEnabled() && actions().start->isEnabled());
    QCOMPARE(RunLock::writerOf(folder()), std::optional(m_run->process()));
}

void TestWindowFollowing::Killed_thenResumedElsewhere_isFollowedAgain()
{
    follow();
    m_run->killHard();
    WAIT_FOR_STATE(Idle);
    m_run.emplace(
        m_scene->pictures(), folder(), 100'000'000, QStringList(QStringLiteral("--resume")));
    WAIT_FOR_STATE(Following);
    const QString process = QStringLiteral("process %1").arg(m_run->process());
    QTRY_VERIFY2_WITH_TIMEOUT(
        m_scene->message().contains(process), qPrintable(m_scene->message()), 10'000);
    WAIT_FOR_STEPS(20);
    m_run->killHard();
    WAIT_FOR_STATE(Idle);
    QTRY_VERIFY_WITH_TIMEOUT(actions().start->isEnabled(), 10'000);
}

void TestWindowFollowing::Resume_ofARunThatIsTrainedMeanwhile_follows()
{
    train();
    m_run->killHard();
    m_scene->open();
    QTRY_VERIFY_WITH_TIMEOUT(m_scene->offers().contains(QStringLiteral("Resume")), 10'000);
    m_run.emplace(
        m_scene->pictures(), folder(), 100'000'000, QStringList(QStringLiteral("--resume")));
    QTRY_VERIFY_WITH_TIMEOUT(RunLock::writerOf(folder()).has_value(), 60'000);
    m_scene->accept(QStringLiteral("Resume"));
    WAIT_FOR_STATE(Following);
    QCOMPARE(m_scene->run().folder(), folder());
}

void TestWindowFollowing::BannersStart_whileTheFormIsInvalid_saysWhyAndStays()
{
    train();
    m_run->killHard();
    m_scene->window().openCommands().openRun(folder());
    WAIT_FOR_STEPS(20);
    m_scene->window().startCommands().continueWithLowerRate(); // to be changed first
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Start")));
    m_scene->type(QStringLiteral("steps"), QStringLiteral("0"));
    m_scene->accept(QStringLiteral("Start"));
    QCOMPARE(m_scene->state(), SessionController::State::Idle);
    QCOMPARE(m_scene->message(), m_scene->window().runPanel().problem());
    QVERIFY(!m_scene->message().isEmpty());
    QCOMPARE(m_scene->offers(), QStringList(QStringLiteral("Start")));
}

LOCKSTEP_TEST(TestWindowFollowing)
#include "test_window_following.moc"
