// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;
using State = SessionController::State;

namespace {

/// Where each dock is, and how large.
QStringList placesOf(const MainWindow& window)
{
    QStringList places;
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        QString place;
        QDebug(&place) << dock->objectName() << window.dockWidgetArea(dock) << dock->isHidden()
                       << dock->isFloating();
        if (!dock->isHidden() && window.tabifiedDockWidgets(dock).isEmpty()) {
            QDebug(&place) << dock->size();
        }
        places.append(place);
    }
    return places;
}

} // namespace

/// What a window leaves behind: closing it while a run goes on, and the next one with its settings.
class TestWindowSession : public WindowTest
{
    Q_OBJECT

private slots:
    void Close_idle_asksNothing()
    {
        m_scene->press("Ctrl+Q");
        QTRY_VERIFY(!window().isVisible());
        QVERIFY(question() == nullptr);
    }

    void Close_cancelled_theRunGoesOn()
    {
        bringTo(State::Running);
        for (int i = 0; i < 2; ++i) {
            QVERIFY(!window().close());
            QVERIFY(window().isVisible());
            const std::int64_t steps = m_scene->shownSteps();
            WAIT_FOR_STEPS(steps + 10); // it goes on behind the question, too
            answer(QMessageBox::RejectRole);
            QTRY_VERIFY(question() == nullptr);
            QCOMPARE(m_scene->state(), State::Running);
        }
        const std::int64_t steps = m_scene->shownSteps();
        WAIT_FOR_STEPS(steps + 10);
        m_scene->activate();
        m_scene->press("Ctrl+."); // a cancelled question does not close the window later
        WAIT_FOR_STATE(Stopped);
        QTest::qWait(50);
        QVERIFY(window().isVisible());
    }

    void Close_stopAndSave_writesACheckpoint_data()
    {
        QTest::addColumn<State>("state");
        QTest::newRow("preparing") << State::Preparing;
        QTest::newRow("running") << State::Running;
        QTest::newRow("paused") << State::Paused;
    }

    void Close_stopAndSave_writesACheckpoint()
    {
        QFETCH(const State, state);
        bringTo(state);
        window().close();
        answer(QMessageBox::AcceptRole);
        QTRY_VERIFY(!window().isVisible());
        QCOMPARE(m_scene->state(), State::Stopped);
        expectSaved(m_scene->run().folder());
    }

    void Close_whileTheQuestionIsOpen_doesNotAskTwice()
    {
        bringTo(State::Running);
        window().close();
        window().close();
        const auto boxes = window().findChildren<QMessageBox*>("close_question");
        QCOMPARE(boxes.size(), 1);
    }

    void StopAndClose_asByASignal_writesACheckpoint()
    {
        bringTo(State::Running);
        window().stopAndClose();
        QTRY_VERIFY(!window().isVisible());
        QVERIFY(question() == nullptr);
        expectSaved(m_scene->run().folder());
    }

    void Destroyed_whileRunning_writesACheckpoint()
    {
        bringTo(State::Running);
        const fs::path folder = m_scene->run().folder();
        m_scene->open();
        expectSaved(folder);
    }

    void NextWindow_isAsTheLastOneWasLeft()
    {
        RunConfig config = m_scene->config(123);
        config.seed = 99;
        config.learningRate.initial = 0.0375;
        m_scene->configure(config);
        actions().smoothLess->trigger();
        actions().logarithmic->trigger();
        actions().axis->actions().at(3)->trigger();
        actions().logarithmicX->trigger();
        actions().robust->trigger(); // off
        actions().theme->actions().at(2)->trigger();
        find<QDockWidget>("towers_dock")->hide();
        window().addDockWidget(Qt::RightDockWidgetArea, find<QDockWidget>("log_dock"));
        const QColor background = QApplication::palette().color(QPalette::Window);
        const double smoothing = m_scene->run().smoothing();
        QTest::qWait(400); // until nothing moves any more
        const QStringList places = placesOf(window());
        m_scene->press("Ctrl+Q");
        m_scene->open();

        MainWindow& next = window();
        QCOMPARE(toToml(next.runPanel().request().config), toToml(config));
        QCOMPARE(m_scene->run().smoothing(), smoothing);
        auto* const charts = next.findChild<ChartsPanel*>();
        QVERIFY(charts->plots().front()->isLogarithmic() && actions().logarithmic->isChecked());
        QCOMPARE(charts->range().axis(), XAxis::WallTime);
        QVERIFY(actions().axis->actions().at(3)->isChecked());
        QVERIFY(charts->range().isLogarithmic() && actions().logarithmicX->isChecked());
        QVERIFY(!charts->range().isRobust() && !actions().robust->isChecked());
        QVERIFY(actions().theme->actions().at(2)->isChecked());
        QCOMPARE(QApplication::palette().color(QPalette::Window), background);
        QTRY_COMPARE(placesOf(next), places);
        QVERIFY(next.findChild<QDockWidget*>("towers_dock")->isHidden());
        actions().resetLayout->trigger();
        QVERIFY(!next.findChild<QDockWidget*>("towers_dock")->isHidden());
    }

    void NextWindow_showsTheSameRun()
    {
        train(60);
        const fs::path folder = m_scene->run().folder();
        const QString title = window().windowTitle();
        m_scene->press("Ctrl+Q");
        m_scene->open();
        QTRY_COMPARE(m_scene->shownSteps(), 60);
        QCOMPARE(m_scene->run().folder(), folder);
        QCOMPARE(window().windowTitle(), title);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(folder)));
        QCOMPARE(m_scene->state(), State::Idle);
        QTRY_VERIFY(actions().continueRun->isEnabled());
        QVERIFY(actions().start->isEnabled());
        emit actions().recentRuns->aboutToShow();
        QCOMPARE(actions().recentRuns->actions().front()->toolTip(), toQString(folder));
    }

    void NextWindow_withSettingsOfNoUse_startsAsNew_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QVariant>("value");
        const auto row = [](const char* key, const QVariant& value) {
            QTest::newRow(key) << key << value;
        };
        row("run/configuration", "towers = [[[");
        row("run/shown", "/no/such/run");
        row("charts/smoothing", "-700");
        row("charts/x_axis", 17);
        row("charts/heights", QByteArray("nonsense"));
        row("window/layout", QByteArray("nonsense"));
        row("window/geometry", QByteArray("nonsense"));
        row("window/theme", "purple");
        row("recent/runs", "/no/such/run");
    }

    void NextWindow_withSettingsOfNoUse_startsAsNew()
    {
        QFETCH(const QString, key);
        QFETCH(const QVariant, value);
        m_scene->settings().clear();
        m_scene->settings().setValue(key, value);
        m_scene->open();
        QVERIFY(actions().start->isEnabled());
        QCOMPARE(m_scene->message(), QString());
        train(3);
    }

private:
    [[nodiscard]] QMessageBox* question() const { return find<QMessageBox>("close_question"); }

    void bringTo(State state)
    {
        m_scene->start(m_scene->config(kEndless));
        if (state == State::Preparing) {
            QCOMPARE(m_scene->state(), State::Preparing);
            return;
        }
        WAIT_FOR_STEPS(10);
        if (state == State::Paused) {
            pause();
        }
    }

    void answer(QMessageBox::ButtonRole role)
    {
        QMessageBox* const box = question();
        QVERIFY(box != nullptr && box->isVisible());
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == role) {
                return QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        QFAIL("no such answer");
    }

    /// The run ended with a checkpoint of its last step.
    void expectSaved(const fs::path& folder)
    {
        const RunStoreReader store(RunFolder::storeFileOf(folder));
        QCOMPARE(openCheckpoint(folder).checkpoint.step, store.nextStep());
    }
};
LOCKSTEP_TEST(TestWindowSession)
#include "test_window_session.moc"
