// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"
#include "dialogs/configuration_difference_dialog.h"
#include "panels/log/log_panel.h"
#include "panels/start/start_card.h"
#include "panels/start/start_page.h"
#include "theme/tower_colors.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <set>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// What a run can begin with, and what runs are called, in the real window.
class TestWindowStart : public WindowTest
{
    Q_OBJECT

private slots:
    void StartPage_is_thereWhileNoRunIsShown()
    {
        QVERIFY(page().isVisible());
        m_scene->start(m_scene->config(20));
        QTRY_VERIFY(!page().isVisible());
        QTRY_COMPARE(m_scene->state(), SessionController::State::Finished);
        QVERIFY(!page().isVisible());
        actions().newRun->trigger();
        QVERIFY(page().isVisible());
    }

    void Card_clicked_setsUpItsRun()
    {
        QVERIFY(card("start_first_look")->isChecked()); // what a new window has set up
        QTest::mouseClick(card("start_poisoned_tower"), Qt::LeftButton);
        const RunConfig config = window().runPanel().request().config;
        QCOMPARE(config.towers, 4);
        QCOMPARE(config.experiment.shards, std::string("poisoned"));
        QVERIFY(card("start_poisoned_tower")->isChecked());
        QVERIFY(!card("start_first_look")->isChecked());
        const auto* const text = page().findChild<QLabel*>("start_prepared");
        QVERIFY2(text->text().contains("4 towers"), qPrintable(text->text()));
        // By keyboard.
        card("start_segdecnet_defects")->setFocus();
        m_scene->press("Space");
        QCOMPARE(window().runPanel().request().config.model.name, std::string("segdecnet"));
    }

    void DoItYourself_startsAPoisonedRun()
    {
        find<QPushButton>("start_own")->click();
        QTRY_VERIFY(m_scene->shownSteps() > 5);
        QCOMPARE(m_scene->run().config().experiment.shards, std::string("poisoned"));
        QVERIFY(!page().isVisible());
        m_scene->stopAtOnce();
    }

    void OpenAnything_opensARunByItsConfiguration()
    {
        const fs::path run = trainRun("by hand", 30);
        m_scene->open();
        card("start_open")->click();
        m_scene->answer(RunFolder::configurationFileOf(run));
        QTRY_COMPARE(m_scene->shownSteps(), 30);
    }

    void Cards_tell_timeAndMemory()
    {
        const auto figures = [this](const char* name) {
            return card(name)->accessibleDescription();
        };
        page().refreshPresets();
        QVERIFY(figures("start_first_look").endsWith("measuring …")); // no number is made up
        QVERIFY(figures("start_poisoned_tower").endsWith("measuring …"));
        const std::string first = toToml(presets().front().config);
        page().showExpectation(first, RunExpectation{170.0, true, 312 << 20, qint64{4} << 30});
        QVERIFY(figures("start_first_look").endsWith("about 3 min · about 310 MiB"));
        QVERIFY(!card("start_first_look")->toolTip().contains("Evaluations"));
        QVERIFY(figures("start_poisoned_tower").endsWith("measuring …"));
        page().showExpectation(
            first, RunExpectation{1e9, false, qint64{23} << 30, qint64{4} << 30});
        QVERIFY(figures("start_first_look").endsWith("years · 23.0 GiB: too much"));
        QVERIFY(card("start_first_look")->toolTip().contains("Evaluations come on top"));
        QVERIFY(card("start_first_look")->toolTip().contains("4.0 GiB"));
        page().showExpectation(first, std::nullopt);
        QVERIFY(figures("start_first_look").endsWith("time not known"));
    }

    /// In columns that are the same for all sections.
    void Cards_ofAllSections_standInTheSameColumns()
    {
        window().resize(1440, 900);
        QCoreApplication::processEvents();
        std::set<std::pair<int, int>> columns; // left edge and width
        for (const StartCard* const each : page().findChildren<StartCard*>()) {
            columns.insert({each->x(), each->width()});
        }
        QCOMPARE(columns.size(), std::size_t{3});
        QCOMPARE(columns.begin()->second, columns.rbegin()->second);
    }

    void OwnPictures_askForAFolder()
    {
        card("start_inception_imagenette")->click();
        auto* const dialog = window().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        emit dialog->fileSelected(toQString(m_scene->folder().path()));
        dialog->reject();
        const RunConfig config = window().runPanel().request().config;
        QCOMPARE(config.dataset, std::string("image_folder"));
        QCOMPARE(config.datasetPath, m_scene->folder().path().string());
        QCOMPARE(config.model.classes, 0); // those of the pictures
    }

    void OwnPreset_saved_isOfferedAndRenamedUntilRemoved()
    {
        RunConfig config = m_scene->config(77);
        config.towers = 3;
        window().setUpCommands().setUp(config);
        actions().savePreset->trigger();
        auto* const dialog = window().findChild<QInputDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY(dialog->textValue().contains("3 × 8")); // proposed
        dialog->setTextValue("50 % / mine: größer");
        dialog->accept();
        actions().newRun->trigger();
        m_scene->open(); // it is there next time, too
        const auto own = [this]() -> StartCard* {
            for (StartCard* const each : page().findChildren<StartCard*>()) {
                if (each->text() == "50 % / mine: größer" && !each->isHidden()) {
                    return each;
                }
            }
            return nullptr;
        };
        QVERIFY(own() != nullptr);
        card("start_first_look")->click();
        own()->click();
        QCOMPARE(window().runPanel().request().config.steps, 77);
        QCOMPARE(window().runPanel().request().config.towers, 3);
        const auto menuTexts = [this] {
            QStringList texts;
            for (const QAction* const action : actions().presets->actions()) {
                texts.append(action->text());
            }
            return texts;
        };
        QVERIFY(menuTexts().contains(own()->text()));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        own()->actions().front()->trigger();
        auto* const renaming = window().findChild<QInputDialog*>();
        QCOMPARE(renaming->textValue(), own()->text());
        renaming->setTextValue("ours");
        renaming->accept();
        QVERIFY(own() == nullptr);
        QVERIFY(menuTexts().contains("ours"));
        card("start_ours")->click();
        QCOMPARE(window().runPanel().request().config.towers, 3);
        card("start_ours")->actions().back()->trigger();
        question()->button(QMessageBox::Cancel)->click();
        QVERIFY(card("start_ours") != nullptr);
        card("start_ours")->actions().back()->trigger();
        consent();
        QVERIFY(card("start_ours") == nullptr);
        QVERIFY(!menuTexts().contains("ours"));
    }

    void OwnPreset_ofATakenName_isReplacedOnlyIfWanted()
    {
        savePreset(77, "mine");
        savePreset(88, "mine");
        QVERIFY2(question()->text().contains("mine"), qPrintable(question()->text()));
        question()->button(QMessageBox::Cancel)->click();
        QCOMPARE(stepsOf("start_mine"), 77);
        savePreset(88, " mine ");
        consent();
        QCOMPARE(stepsOf("start_mine"), 88);
        // Another preset is not renamed onto it unasked, either.
        savePreset(99, "other");
        card("start_other")->actions().front()->trigger();
        nameDialog()->setTextValue("mine");
        nameDialog()->accept();
        question()->button(QMessageBox::Cancel)->click();
        QCOMPARE(stepsOf("start_mine"), 88);
        QCOMPARE(stepsOf("start_other"), 99);
        card("start_other")->actions().front()->trigger();
        nameDialog()->setTextValue("mine");
        nameDialog()->accept();
        consent();
        QCOMPARE(stepsOf("start_mine"), 99);
        QVERIFY(card("start_other") == nullptr);
    }

    void OwnPreset_savedAgain_isOfferedAFreeName()
    {
        savePreset(77);
        savePreset(88);
        savePreset(99);
        QVERIFY(question() == nullptr);
        QStringList names;
        for (const Preset& preset : ownPresets()) {
            names.append(preset.title);
        }
        names.sort();
        QCOMPARE(names.size(), 3);
        QCOMPARE(names[1], names[0] + " 2");
        QCOMPARE(names[2], names[0] + " 3");
        // A name that stays as it is needs no question.
        card(qPrintable("start_" + ownPresets().back().name))->actions().front()->trigger();
        nameDialog()->accept();
        QVERIFY(question() == nullptr);
        QCOMPARE(ownPresets().size(), 3U);
    }

    void Colors_chosen_stayWhenAnotherWindowOpens()
    {
        const fs::path other = trainRun("other", 5);
        m_scene->start(m_scene->config(1'000'000));
        QTRY_VERIFY(m_scene->shownSteps() > 5);
        chooseColor({ColorOwner::Kind::Tower, 0}, QColor("#123456"));
        m_scene->choose(actions().openRun, other);
        QVERIFY(beside() != nullptr);
        const QString colors = chosenColors();
        setChosenColors({}); // of the whole program
        QCOMPARE(colors, "t0 #123456");
        beside()->close();
        QTRY_VERIFY(beside() == nullptr);
        m_scene->stopAtOnce();
    }

    void RecentRun_clicked_isOpened()
    {
        const fs::path run = trainRun("by hand", 30);
        m_scene->open();
        QTRY_VERIFY(card("start_run") != nullptr);
        QCOMPARE(card("start_run")->text(), "by hand");
        card("start_run")->click();
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        QVERIFY(!page().isVisible());
    }

    /// Else the keyboard, and a click that is under way, would lose the card that they are on.
    void RecentRuns_whenOneIsAdded_keepTheirCards()
    {
        trainRun("first", 10);
        m_scene->open();
        showRuns(1);
        QTRY_VERIFY(card("start_run") != nullptr);
        const QPointer<StartCard> first(card("start_run"));
        first->setFocus();
        const fs::path second = trainRun("second", 10);
        QTRY_COMPARE(page().findChildren<StartCard*>("start_run").size(), 2);
        QVERIFY(first != nullptr && first->hasFocus());
        QCOMPARE(first->text(), "first");
        // Nor is anything made while nobody sees the page.
        window().openCommands().openRun(second);
        QTRY_VERIFY(!page().isVisible());
        trainRun("third", 10);
        showRuns(3);
        QCOMPARE(page().findChildren<StartCard*>("start_run").size(), 2);
        actions().newRun->trigger();
        QTRY_COMPARE(page().findChildren<StartCard*>("start_run").size(), 3);
        QCOMPARE(card("start_run")->text(), "first"); // the oldest object
        card("start_run")->click();
        QTRY_COMPARE(m_scene->run().folder().filename(), fs::path("first"));
    }

    void Run_openedWhileOneTrains_hasItsOwnWindow()
    {
        const fs::path other = trainRun("other", 30);
        m_scene->start(m_scene->config(1'000'000));
        QTRY_VERIFY(m_scene->shownSteps() > 5);
        const fs::path trained = m_scene->run().folder();
        m_scene->choose(actions().openRun, other);
        QVERIFY(beside() != nullptr);
        QTRY_VERIFY(beside()->run().newestStep() && beside()->run().newestStep()->step == 29);
        QVERIFY(window().controller().isBusy());
        QCOMPARE(m_scene->run().folder(), trained);
        // It trains nothing, and says what it is.
        const QString name = "other – view only";
        QVERIFY2(beside()->windowTitle().startsWith(name), qPrintable(beside()->windowTitle()));
        const WindowActions& there = beside()->actions();
        QVERIFY(!there.start->isVisible() && !there.newRun->isEnabled());
        QVERIFY(!there.presets->isEnabled() && !there.continueRun->isEnabled());
        QVERIFY(!beside()->findChild<QWidget*>("steps")->isEnabled());
        beside()->startCommands().start();
        QVERIFY(!beside()->controller().isBusy());
        beside()->close();
        QTRY_VERIFY(beside() == nullptr);
        QVERIFY(window().controller().isBusy());
        window().openCommands().openRun(trained); // it is shown already
        QVERIFY(beside() == nullptr);
        m_scene->stopAtOnce();
    }

    void Everything_thatShowsARun_worksWhileOneTrains()
    {
        const fs::path other = trainRun("other", 30);
        m_scene->open(); // so that the menus know it
        window().openCommands().openRun(other);
        QTRY_COMPARE(m_scene->shownSteps(), 30);
        m_scene->start(m_scene->config(1'000'000));
        QTRY_VERIFY(m_scene->shownSteps() > 5);
        const auto shows = [&] {
            const bool isShown = test::waitFor(
                [&] { return beside() != nullptr && beside()->run().folder() == other; });
            if (isShown) {
                beside()->close();
            }
            m_scene->activate();
            return isShown && test::waitFor([this] { return beside() == nullptr; });
        };
        emit actions().recentRuns->aboutToShow();
        for (QAction* const action : actions().recentRuns->actions()) {
            if (action->toolTip() == toQString(other)) {
                action->trigger();
            }
        }
        QVERIFY(shows());
        m_scene->choose(
            actions().loadCheckpoint,
            RunFolder::checkpointsOf(other) / "step-000000030.safetensors");
        QCOMPARE(
            m_scene->offers(),
            QStringList({"Show Its Run", "New Run from It", "Fine-Tune from It"}));
        m_scene->accept("Show Its Run");
        QVERIFY(shows());
        showRuns(2);
        runs().selectAll();
        trigger("&Compare Runs");
        auto* const dialog = window().findChild<ConfigurationDifferenceDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        dialog->close();
        const bool isFirst =
            runs().model()->index(0, 0).data(FileRole).toString() == toQString(other);
        runs().clearSelection(); // where the keys of the test stand, a row is toggled
        runs().selectRow(isFirst ? 0 : 1);
        trigger("&Open");
        QVERIFY2(shows(), qPrintable(m_scene->message()));
        QVERIFY(window().controller().isBusy());
        m_scene->stopAtOnce();
    }

    void Preset_afterARun_showsItNoMore()
    {
        train(20);
        const LogModel& log = window().findChild<LogPanel*>()->model();
        QVERIFY(log.rowCount() > 0);
        actions().presets->actions().front()->trigger();
        QCOMPARE(m_scene->shownSteps(), 0);
        QVERIFY(page().isVisible());
        QVERIFY(find<QLabel>("steps_done")->text().isEmpty());
        QVERIFY(m_scene->statusText().startsWith("Ready to start"));
        QCOMPARE(log.rowCount(), 0);
        QCOMPARE(window().windowTitle(), "Lockstep");
    }

    void Run_renamed_isCalledSoEverywhere()
    {
        const fs::path run = trainRun("run", 20);
        window().openCommands().openRun(run);
        QTRY_COMPARE(m_scene->shownSteps(), 20);
        showRuns(1);
        runs().model()->setData(runs().model()->index(0, 0), " Small  steps ");
        const QString name = "Small steps";
        QTRY_COMPARE(runs().model()->index(0, 0).data().toString(), name);
        QVERIFY(window().windowTitle().startsWith(name));
        window().close();
        m_scene->open();
        QTRY_VERIFY(window().windowTitle().startsWith(name));
        // Without a name it is called as before.
        showRuns(1);
        runs().model()->setData(runs().model()->index(0, 0), QString());
        QTRY_COMPARE(runs().model()->index(0, 0).data().toString(), "run");
    }

    void Run_inTheDefaultPlace_isCalledWhatItIs()
    {
        train(20);
        const QString title = "small, CIFAR-10 · 2 × 8 · rate 0.01";
        QVERIFY2(window().windowTitle().startsWith(title), qPrintable(window().windowTitle()));
        showRuns(1);
        QCOMPARE(runs().model()->index(0, 0).data().toString(), title);
    }

    void Run_movedToTheTrash_isGone()
    {
        const fs::path run = trainRun("run", 20);
        showRuns(1);
        trigger("Move to &Trash…");
        auto* const question = find<QMessageBox>("trash_question");
        QVERIFY(question != nullptr);
        question->button(QMessageBox::Cancel)->click();
        QVERIFY(fs::exists(run));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        trigger("Move to &Trash…");
        find<QMessageBox>("trash_question")->buttons().front()->click();
        QTRY_VERIFY(!fs::exists(run));
        QTRY_COMPARE(runs().model()->rowCount(), 0);
    }

private:
    [[nodiscard]] StartPage& page() const { return *window().findChild<StartPage*>(); }
    [[nodiscard]] StartCard* card(const char* name) const
    {
        for (auto* const each : page().findChildren<StartCard*>(name)) {
            if (!each->isHidden()) {
                return each;
            }
        }
        return nullptr;
    }
    [[nodiscard]] QInputDialog* nameDialog() const
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // of the one before
        return window().findChild<QInputDialog*>();
    }
    /// Under the proposed name, or another.
    void savePreset(std::int64_t steps, const QString& name = {}) const
    {
        window().setUpCommands().setUp(m_scene->config(steps));
        actions().savePreset->trigger();
        QInputDialog* const dialog = nameDialog();
        if (!name.isEmpty()) {
            dialog->setTextValue(name);
        }
        dialog->accept();
    }
    /// Whether a preset may be replaced, or removed.
    [[nodiscard]] QMessageBox* question() const
    {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return find<QMessageBox>("preset_question");
    }
    void consent() const
    {
        question()->buttons().front()->click();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[nodiscard]] std::int64_t stepsOf(const char* name) const
    {
        card(name)->click();
        return window().runPanel().request().config.steps;
    }
    [[nodiscard]] QTableView& runs() const { return *find<QTableView>("runs_table"); }
    /// The window that shows another run.
    [[nodiscard]] MainWindow* beside() const
    {
        for (QWidget* const each : QApplication::topLevelWidgets()) {
            auto* const found = qobject_cast<MainWindow*>(each);
            if (found != nullptr && found != &window() && found->isVisible()) {
                return found;
            }
        }
        return nullptr;
    }
    void trigger(const QString& text) const
    {
        for (QAction* const action : runs().actions()) {
            if (action->text() == text) {
                QVERIFY(action->isEnabled());
                action->trigger();
            }
        }
    }
    void showRuns(int count) const
    {
        m_scene->press("Ctrl+7");
        QTRY_COMPARE(runs().model()->rowCount(), count);
        runs().selectRow(0);
    }
};
LOCKSTEP_TEST(TestWindowStart)
#include "test_window_start.moc"
