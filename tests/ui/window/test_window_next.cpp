// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/presets.h"
#include "dialogs/configuration_difference_dialog.h"
#include "engine/evaluation.h"
#include "panels/evaluation/evaluation_panel.h"
#include "ui/pictures.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// What the window makes of its room while a run trains, how the next one is set up meanwhile, and
/// what it offers when one has ended.
class TestWindowNext : public WindowTest
{
    Q_OBJECT

private slots:
    void Form_foldsWhileARunTrains_andComesBack()
    {
        QVERIFY(form().isVisible() && !strip().isVisible());
        m_scene->configure(m_scene->config(kEndless));
        const int before = charts().width();
        find("steps")->setFocus();
        m_scene->press("Ctrl+R");
        QVERIFY(!form().isVisible() && strip().isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), &summary()); // it was in the form
        WAIT_FOR_STEPS(3);
        QVERIFY2(
            summary().text().contains("2 × 8") && summary().text().contains("rate 0.01")
                && summary().text().contains("100,000,000 steps"),
            qPrintable(summary().text()));
        QVERIFY(charts().width() > before + 200);
        for (const char* const key : {"Ctrl+1", "click"}) {
            key == QLatin1String("click") ? click(summary()) : m_scene->press(key);
            QVERIFY(form().isVisible() && !find("steps")->isEnabled());
            click(summary());
            QVERIFY(!form().isVisible());
        }
        QTRY_COMPARE(liveChanges().size(), 2);
        const auto links = liveChanges();
        click(*links.front());
        QVERIFY(window().findChild<QDialog*>("learning_rate_question")->isVisible());
        // What is asked for as in the form.
        const FormField& rate = *m_scene->field("learning_rate_question.value");
        QVERIFY2(rate.note().startsWith("It was "), qPrintable(rate.note()));
        m_scene->type("learning_rate_question.value", "1e9");
        QVERIFY2(rate.note().startsWith("So large a rate"), qPrintable(rate.note()));
        m_scene->type("learning_rate_question.value", "0.02");
        QVERIFY(rate.note().startsWith("It was "));
        window().findChild<QDialog*>("learning_rate_question")->reject();
        m_scene->activate();
        stop();
        QVERIFY(form().isVisible() && find("steps")->isEnabled());
        QTRY_VERIFY(liveChanges().isEmpty());
        QVERIFY(QApplication::focusWidget() != nullptr && QApplication::focusWidget()->isVisible());
    }

    void Form_thatAPersonHadClosed_staysClosed()
    {
        m_scene->configure(m_scene->config(20));
        form().hide();
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QVERIFY(!form().isVisible());
    }

    void Form_ofAKeptRun_isThereForTheNextWindow()
    {
        actions().keepTraining->trigger();
        m_scene->start(m_scene->config(kEndless));
        WAIT_FOR_STATE(Following);
        QTRY_VERIFY(!form().isVisible());
        QVERIFY(window().close());
        m_scene->open();
        WAIT_FOR_STATE(Following);
        QTRY_VERIFY(!form().isVisible() && strip().isVisible());
        QTRY_VERIFY(actions().stop->isEnabled());
        m_scene->press("Ctrl+.");
        QTRY_VERIFY(form().isVisible());
        QTRY_VERIFY2(offered().contains("Summary…"), qPrintable(offered().join(", ")));
    }

    void NewRun_whileOneTrains_isSetUpForLater()
    {
        trainOn(3);
        const fs::path trained = m_scene->run().folder();
        m_scene->press("Ctrl+N");
        QVERIFY(form().isVisible() && form().isAncestorOf(QApplication::focusWidget()));
        QVERIFY(hint().startsWith("Next run: "));
        QVERIFY(!actions().start->isEnabled());
        QVERIFY2(
            actions().start->toolTip().contains("when it has ended"),
            qPrintable(actions().start->toolTip()));
        m_scene->type("steps", "25");
        m_scene->type("learning_rate.initial", "0.02");
        QVERIFY(find("learning_rate.initial")->hasFocus());
        // Neither the run nor what is typed knows of the other.
        actions().changeSteps->trigger();
        answerSteps("90000000");
        QTRY_COMPARE(m_scene->run().config().steps, 90'000'000);
        QCOMPARE(window().runPanel().request().config.steps, 25);
        const std::int64_t steps = m_scene->shownSteps();
        WAIT_FOR_STEPS(steps + 20);
        find("learning_rate.initial")->setFocus();
        const QPoint place = find("learning_rate.initial")->mapTo(&window(), QPoint());
        stop();
        QVERIFY(!hint().startsWith("Next run: "));
        QTest::qWait(300); // what the next run takes may come now
        QCOMPARE(find("learning_rate.initial")->mapTo(&window(), QPoint()), place);
        QVERIFY(find("learning_rate.initial")->hasFocus());
        QCOMPARE(m_scene->run().folder(), trained);
        QCOMPARE(m_scene->run().config().learningRate.initial, 0.01);
        QVERIFY(showsLosses(m_scene->run(), storedCrossEntropies(trained)));
        QCOMPARE(window().runPanel().request().config.steps, 25);
        trainAgain();
        QVERIFY(m_scene->run().folder() != trained);
        QCOMPARE(m_scene->shownSteps(), 25);
        QCOMPARE(m_scene->run().config().learningRate.initial, 0.02);
    }

    void PresetAndConfiguration_whileOneTrains_areSetUpForLater()
    {
        trainOn(3);
        QVERIFY(actions().presets->isEnabled());
        actions().presets->actions().front()->trigger();
        QVERIFY(form().isVisible() && find("steps")->isEnabled());
        QCOMPARE(window().runPanel().request().config.dataset, presets().front().config.dataset);
        m_scene->configure(m_scene->config(17));
        QCOMPARE(window().runPanel().request().config.steps, 17);
        QVERIFY(hint().startsWith("Next run: "));
        QCOMPARE(m_scene->run().config().steps, kEndless);
        stop();
        QCOMPARE(window().runPanel().request().config.steps, 17);
        QVERIFY(actions().start->isEnabled());
    }

    void Checkpoint_droppedWhileOneTrains_setsUpTheNextRun()
    {
        train(20);
        const fs::path file = m_scene->folder() / "other.safetensors";
        fs::copy_file(openCheckpoint(m_scene->run().folder()).file.path, file);
        trainOn(3);
        const auto offered = [&] { // unless the checks of the run on a busy machine come between
            const QString promise = m_scene->drop({file});
            return promise.startsWith("Sets up the next run")
                   && m_scene->offers() == QStringList({"New Run from It", "Fine-Tune from It"});
        };
        QTRY_VERIFY(offered());
        m_scene->accept("New Run from It");
        QVERIFY(hint().startsWith("Next run: "));
        QCOMPARE(m_scene->state(), WindowScene::State::Running);
        stop();
        QCOMPARE(window().runPanel().request().checkpoint.value_or(fs::path()), file);
    }

    void Stop_standsStill()
    {
        const auto* const bar = find<QToolBar>("tool_bar");
        const auto place = [&] { return bar->widgetForAction(actions().stop)->x(); };
        const int before = place();
        trainOn(3);
        QCOMPARE(place(), before);
        pause();
        QCoreApplication::processEvents();
        QCOMPARE(place(), before);
        stop();
        QCoreApplication::processEvents();
        QCOMPARE(place(), before);
    }

    void End_offersWhatCanBeDone()
    {
        RunConfig config = m_scene->config(30);
        config.evaluateAtEnd = true;
        train(config);
        const fs::path first = m_scene->run().folder();
        const QStringList all{
            "Try an Image…", "See Mistakes", "Train Longer…", "Branch…", "Summary…"};
        QTRY_VERIFY2(offered() == all, qPrintable(offered().join(", ")));
        trigger("See Mistakes");
        QVERIFY(find("evaluation_dock")->isVisible());
        QCOMPARE(find<QTabBar>("evaluation_views")->currentIndex(), 3);
        trigger("Try an Image…");
        QVERIFY(window().findChild<QFileDialog*>()->isVisible());
        window().findChild<QFileDialog*>()->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_scene->activate();
        trigger("Train Longer…");
        answerSteps("60");
        QVERIFY(offered().isEmpty());
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->run().folder(), first);
        QCOMPARE(m_scene->shownSteps(), 60);
        // A branch, from any checkpoint that is not the end.
        QTRY_VERIFY(offered().contains("Branch…"));
        QMenu* const branches = action("Branch…")->menu();
        const auto newest = [branches] {
            emit branches->aboutToShow();
            return branches->isEmpty() ? QString() : branches->actions().front()->text();
        };
        QTRY_VERIFY2(newest().startsWith("From step 30"), qPrintable(newest()));
        branches->actions().front()->trigger();
        QVERIFY2(m_scene->message().contains("from step 30"), qPrintable(m_scene->message()));
        m_scene->type("learning_rate.initial", "0.001");
        const std::size_t before = store().branches().size();
        trainAgain();
        QCOMPARE(m_scene->run().folder(), first);
        QCOMPARE(store().branches().size(), before + 1);
        // Another run, to compare.
        m_scene->press("Ctrl+N");
        QVERIFY(offered().isEmpty());
        train(config);
        QTRY_VERIFY(offered().contains("Compare…"));
        trigger("Compare…");
        QVERIFY(window().findChild<ConfigurationDifferenceDialog*>()->isVisible());
    }

    void End_ofARunOfBefore_offersTheSame()
    {
        RunConfig config = m_scene->config(30);
        config.evaluateAtEnd = true;
        train(config);
        QTRY_VERIFY(offered().contains("Branch…"));
        const QStringList all = offered();
        const fs::path run = m_scene->run().folder();
        m_scene->open();
        m_scene->choose(actions().openRun, run);
        QTRY_VERIFY2(offered() == all, qPrintable(offered().join(", ")));
        QCOMPARE(m_scene->state(), WindowScene::State::Idle);
        m_scene->press("Ctrl+N");
        QVERIFY(offered().isEmpty());
    }

    void End_withoutAnEvaluation_offersNoMistakes_untilEvaluated()
    {
        trainOn(20);
        stop();
        QTRY_VERIFY(offered().contains("Try an Image…"));
        QVERIFY(!offered().contains("See Mistakes") && !offered().contains("Compare…"));
        QVERIFY(!m_scene->run().testAccuracy());
        QVERIFY(actions().evaluate->isEnabled());
        const std::size_t before = store().evaluations().size();
        m_scene->press("Ctrl+E");
        QTRY_VERIFY2(
            m_scene->message().startsWith("Checkpoint of step"), qPrintable(m_scene->message()));
        QCOMPARE(store().evaluations().size(), before + 1);
        QCOMPARE(store().evaluations().back().step, m_scene->shownSteps());
        showDock("evaluation_dock");
        const auto listed = [this] { // by the dock
            const auto tables = find("evaluation_dock")->findChildren<QTableView*>();
            return std::ranges::any_of(tables, [](const QTableView* table) {
                return table->isVisible() && table->model()->rowCount() == 20;
            });
        };
        QTRY_VERIFY(listed());
    }

    void Summary_isOnePage()
    {
        train(40);
        const fs::path html = m_scene->folder() / "run.html";
        m_scene->choose(actions().exportSummary, html);
        QFile file(toQString(html));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(m_scene->message()));
        const QString page = QString::fromUtf8(file.readAll());
        for (const char* const part :
             {"<!DOCTYPE html>", "data:image/png;base64,", "<b>Learning</b>", "<b>Data</b>",
              "<b>Pace</b>", "Settings", "Batch per tower", "Steps", "Lockstep "}) {
            QVERIFY2(page.contains(part), part);
        }
        QVERIFY(!page.contains("src=\"http") && !page.contains(toQString(m_scene->pictures())));
        const fs::path png = m_scene->folder() / "run.png";
        m_scene->choose(actions().exportSummary, png);
        const QImage picture(toQString(png));
        QVERIFY2(picture.width() > 2000 && picture.height() > 2000, qPrintable(m_scene->message()));
        QVERIFY(picture.save(pictureFile("summary")));
        // Where it can't be written, it says so.
        m_scene->choose(actions().exportSummary, m_scene->folder() / "missing" / "run.html");
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Error);
    }

    void Pictures_lookRight()
    {
        for (const QSize size : {QSize(1440, 900), QSize(1024, 640)}) {
            window().resize(size);
            for (const char* const theme : {"light", "dark"}) {
                const QString name = QString("%1-%2-%3");
                const auto save = [&](const char* state) {
                    QTest::qWait(300);
                    const QString file = name.arg(state).arg(size.width()).arg(theme);
                    return window().grab().save(pictureFile(file));
                };
                m_scene->chooseTheme(theme);
                trainOn(200);
                QVERIFY(save("folded"));
                m_scene->press("Ctrl+N");
                QVERIFY(save("next"));
                stop();
                QVERIFY(save("what-now"));
            }
        }
    }

private:
    [[nodiscard]] QDockWidget& form() const { return *find<QDockWidget>("run_dock"); }
    [[nodiscard]] QToolBar& strip() const { return *find<QToolBar>("run_strip"); }
    [[nodiscard]] QAction* action(const QString& text) const
    {
        for (QAction* const each : strip().actions()) {
            if (each->text() == text) {
                return each;
            }
        }
        throw std::runtime_error(text.toStdString());
    }
    [[nodiscard]] QToolButton& summary() const
    {
        auto* const said = strip().findChild<QAction*>("run_summary");
        return *static_cast<QToolButton*>(strip().widgetForAction(said));
    }
    /// What may be changed while the run goes on.
    [[nodiscard]] QList<QToolButton*> liveChanges() const
    {
        QList<QToolButton*> buttons = strip().findChildren<QToolButton*>();
        buttons.removeIf([this](const QToolButton* button) {
            return !button->isVisible()
                   || (button->defaultAction() != actions().changeLearningRate
                       && button->defaultAction() != actions().changeSteps);
        });
        return buttons;
    }
    [[nodiscard]] QStringList offered() const
    {
        QStringList texts;
        for (const QAction* const each : strip().actions()) {
            const bool isChoice = each->text().endsWith("…") || each->text() == "See Mistakes";
            if (strip().isVisible() && each->isVisible() && isChoice) {
                texts.append(each->text());
            }
        }
        return texts;
    }
    void trigger(const QString& text) const
    {
        click(*static_cast<QToolButton*>(strip().widgetForAction(action(text))));
    }
    void answerSteps(const QString& steps) const
    {
        auto* const dialog = window().findChild<QDialog*>("steps_question");
        dialog->findChild<QLineEdit*>()->setText(steps);
        for (QPushButton* const button : dialog->findChildren<QPushButton*>()) {
            if (button->isDefault()) {
                click(*button);
            }
        }
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        m_scene->activate();
    }
    /// A tool bar shows and hides its buttons when it is next laid out.
    void click(QAbstractButton& button) const
    {
        QTRY_VERIFY(button.isVisible());
        QTest::mouseClick(&button, Qt::LeftButton);
    }
    /// The line at the top of the form; empty while it is not seen.
    [[nodiscard]] QString hint() const
    {
        for (const auto* const note : form().findChildren<NoteLabel*>()) {
            if (note->isVisible() && note->note().startsWith("Next run: ")) {
                return note->note();
            }
        }
        return {};
    }
};
LOCKSTEP_TEST(TestWindowNext)
#include "test_window_next.moc"
