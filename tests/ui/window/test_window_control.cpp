// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/number_dialog.h"
#include "ui/headless_run.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// What a person changes in a run while it trains, in this window and in another process.
class TestWindowControl : public WindowTest
{
    Q_OBJECT

private slots:
    void cleanup()
    {
        m_run.reset();
        END_SCENE();
    }

    void Actions_areEnabledWhereTheyAct()
    {
        const QList<QAction*> live{
            actions().changeLearningRate, actions().changeSteps, actions().stopAfterEpoch};
        const auto areEnabled = [&](bool isWanted) {
            return std::all_of(live.begin(), live.end(), [&](const QAction* action) {
                return action->isEnabled() == isWanted;
            });
        };
        QVERIFY(areEnabled(false));
        startEndless();
        QVERIFY(areEnabled(true));
        pause();
        QVERIFY(areEnabled(true));
        QVERIFY(actions().stepOnce->isEnabled() && actions().saveCheckpoint->isEnabled());
        stop();
        QVERIFY(
            !actions().changeLearningRate->isEnabled() && !actions().stopAfterEpoch->isEnabled());
        QVERIFY(actions().changeSteps->isEnabled()); // it goes on
        m_scene->press("Ctrl+N");
        QVERIFY(areEnabled(false));
    }

    void LearningRate_isChangedFromTheNextStepOn()
    {
        startEndless();
        actions().changeLearningRate->trigger();
        QVERIFY(dialog() != nullptr && dialog()->isVisible());
        answer("0.0025");
        QTRY_COMPARE(m_scene->run().newestStep()->learningRate, 0.0025);
        QTRY_COMPARE(shown("learning_rate.initial"), "0.0025");
        const fs::path folder = m_scene->run().folder();
        const auto files = listCheckpoints(RunFolder::checkpointsOf(folder));
        QCOMPARE(std::ranges::count_if(files, &CheckpointFile::isPinned), 1);
        QCOMPARE(configOfRun(folder).learningRate.initial, 0.0025);
        stop();
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
    }

    void LearningRate_wrongValue_isRefusedWhereItIsTyped_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isRight");
        QTest::newRow("a number") << "0.02" << true;
        QTest::newRow("zero") << "0" << true;
        QTest::newRow("small") << "1e-6" << true;
        QTest::newRow("negative") << "-0.1" << false;
        QTest::newRow("nothing") << " " << false;
        QTest::newRow("a word") << "low" << false;
        QTest::newRow("infinite") << "inf" << false;
    }

    void LearningRate_wrongValue_isRefusedWhereItIsTyped()
    {
        QFETCH(QString, text);
        QFETCH(bool, isRight);
        startEndless();
        actions().changeLearningRate->trigger();
        typeInDialog(text);
        QCOMPARE(acceptButton()->isEnabled(), isRight);
        const QString problem = dialog()->findChild<FormField*>()->problem();
        QCOMPARE(problem.isEmpty(), isRight);
        QVERIFY2(isRight || problem.startsWith("Learning rate "), qPrintable(problem));
        dialog()->reject();
    }

    void LearningRate_ofAnEndedRun_isToldNotToBeChanged()
    {
        startEndless();
        actions().changeLearningRate->trigger();
        window().controller().send(command::Stop{});
        WAIT_FOR_STATE(Stopped);
        answer("0.5");
        QVERIFY2(
            m_scene->message().contains("can't be changed now"), qPrintable(m_scene->message()));
    }

    void Steps_ofARunThatEndedMeanwhile_areToldNotToBeChanged()
    {
        startEndless();
        actions().changeSteps->trigger();
        window().controller().send(command::Stop{});
        WAIT_FOR_STATE(Stopped);
        answer(QString::number(m_scene->shownSteps() + 10));
        QVERIFY2(
            m_scene->message().contains("can't be changed now"), qPrintable(m_scene->message()));
        QCOMPARE(m_scene->state(), WindowScene::State::Stopped);
    }

    void Question_closesWithItsRun_data()
    {
        QTest::addColumn<bool>("isLive");
        QTest::newRow("of one that trains") << true;
        QTest::newRow("of one that has ended") << false;
    }

    /// Else the number that was meant for one run would change another.
    void Question_closesWithItsRun()
    {
        QFETCH(const bool, isLive);
        const fs::path other = trainRun("other", 5);
        startEndless();
        if (isLive) {
            actions().changeSteps->trigger();
        }
        m_scene->stopAtOnce();
        if (!isLive) {
            actions().changeSteps->trigger();
        }
        QVERIFY(dialog() != nullptr);
        window().openCommands().openRun(other);
        QTRY_COMPARE(m_scene->run().folder(), other);
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(m_scene->state(), WindowScene::State::Idle);
    }

    void Question_closesWhenAnotherRunIsStarted()
    {
        train(5);
        actions().changeSteps->trigger();
        QVERIFY(dialog() != nullptr);
        m_scene->startAtOnce(m_scene->config(kEndless));
        QTRY_VERIFY(dialog() == nullptr);
        m_scene->stopAtOnce();
    }

    void Steps_areExtendedWhileItTrains()
    {
        startEndless();
        pause();
        const std::int64_t steps = m_scene->shownSteps() + 12;
        actions().changeSteps->trigger();
        answer(QString::number(steps));
        QTRY_COMPARE(shown("steps"), QString::number(steps));
        m_scene->press("Ctrl+P");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->shownSteps(), steps);
    }

    void Steps_belowWhatIsDone_areRefused()
    {
        startEndless();
        actions().changeSteps->trigger();
        typeInDialog("3");
        QVERIFY(!acceptButton()->isEnabled());
        const QString problem = dialog()->findChild<FormField*>()->problem();
        QVERIFY2(problem.contains("already done"), qPrintable(problem));
        dialog()->reject();
    }

    void Steps_ofAFinishedRun_continueIt()
    {
        train(10);
        const fs::path folder = m_scene->run().folder();
        actions().changeSteps->trigger();
        QCOMPARE(acceptButton()->text(), "Continue");
        answer("25");
        QTRY_VERIFY(
            m_scene->shownSteps() == 25 && m_scene->state() == WindowScene::State::Finished);
        QCOMPARE(m_scene->run().folder(), folder);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
    }

    void StopAfterEpoch_isChecked_takenBack_andStops()
    {
        startEndless();
        pause();
        actions().stopAfterEpoch->trigger();
        QTRY_VERIFY(window().controller().stopStep() >= 0);
        QTRY_VERIFY(actions().stopAfterEpoch->isChecked());
        QTRY_VERIFY2(
            m_scene->statusText().contains("stops after step"), qPrintable(m_scene->statusText()));
        actions().stopAfterEpoch->trigger();
        QTRY_COMPARE(window().controller().stopStep(), -1);
        QTRY_VERIFY(!actions().stopAfterEpoch->isChecked());
        actions().stopAfterEpoch->trigger();
        QTRY_VERIFY(window().controller().stopStep() >= 0);
        const std::int64_t stop = window().controller().stopStep();
        m_scene->press("Ctrl+P");
        WAIT_FOR_STATE(Stopped);
        QCOMPARE(m_scene->shownSteps(), stop);
        QVERIFY(!actions().stopAfterEpoch->isChecked());
    }

    void Following_changesReachTheOtherProcess()
    {
        const fs::path folder = m_scene->folder() / "data" / "lockstep" / "runs" / "other";
        m_run.emplace(m_scene->pictures(), folder, 100'000'000);
        QVERIFY(m_run->awaitSteps(20));
        window().openCommands().openRun(folder);
        WAIT_FOR_STATE(Following);
        WAIT_FOR_STEPS(20);
        QTRY_VERIFY(actions().changeLearningRate->isEnabled());
        actions().changeLearningRate->trigger();
        answer("0.0625");
        QTRY_COMPARE(m_scene->run().newestStep()->learningRate, 0.0625);
        QTRY_COMPARE(m_scene->run().config().learningRate.initial, 0.0625);
        actions().changeSteps->trigger();
        answer("90000000");
        QTRY_COMPARE(m_scene->run().config().steps, 90'000'000);
        actions().stopAfterEpoch->trigger();
        QVERIFY(m_run->awaitEnd());
        WAIT_FOR_STATE(Idle);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
    }

    void Failed_offersALowerLearningRate()
    {
        RunConfig config = m_scene->config(50);
        config.learningRate.initial = 1e20;
        m_scene->start(config);
        WAIT_FOR_STATE(Failed);
        QVERIFY(m_scene->offers().contains("Lower the Learning Rate…"));
        m_scene->accept("Lower the Learning Rate…");
        QWidget* const focus = QApplication::focusWidget();
        QVERIFY(focus != nullptr);
        QCOMPARE(focus->objectName(), "learning_rate.initial");
        m_scene->type("learning_rate.initial", "0.01");
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->shownSteps(), 50);
    }

private:
    [[nodiscard]] NumberDialog* dialog() const { return window().findChild<NumberDialog*>(); }
    [[nodiscard]] QPushButton* acceptButton() const
    {
        for (auto* const button : dialog()->findChildren<QPushButton*>()) {
            if (button->isDefault()) {
                return button;
            }
        }
        return nullptr;
    }
    void typeInDialog(const QString& text) const
    {
        auto* const input = dialog()->findChild<QWidget*>(dialog()->objectName() + ".value");
        input->setFocus();
        QTest::keySequence(input, QKeySequence::SelectAll);
        QTest::keyClicks(input, text);
    }
    void answer(const QString& text) const
    {
        typeInDialog(text);
        QTest::mouseClick(acceptButton(), Qt::LeftButton);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_scene->activate();
    }
    void startEndless() const { trainOn(5); }
    [[nodiscard]] QString shown(const char* key) const
    {
        return m_scene->field(key)->editor()->text();
    }

    std::optional<HeadlessRun> m_run;
};
LOCKSTEP_TEST(TestWindowControl)
#include "test_window_control.moc"
