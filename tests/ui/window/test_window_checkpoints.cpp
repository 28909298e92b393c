// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation.h"
#include "panels/log/log_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "support/other_head.h"
#include "ui/window_witness.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// Checkpoints in the window: pins on the charts, the table, and what can be done with one.
class TestWindowCheckpoints : public WindowTest
{
    Q_OBJECT

private slots:
    void Pins_ofARun_standOnEveryChart()
    {
        train(30);
        auto* const charts = window().findChild<ChartsPanel*>();
        window().resize(1440, 2000); // a low chart leaves them to the one above it
        window().resizeDocks(window().findChildren<QDockWidget*>("log_dock"), {160}, Qt::Vertical);
        for (const PlotView* plot : charts->plots()) {
            QTRY_COMPARE(plot->shared().pins == nullptr, plot->isEmpty());
            QVERIFY(plot->isEmpty() || !pins().groups(plot->xScale()).empty());
        }
        std::vector<std::int64_t> steps;
        for (const PlotPin& pin : pins().pins()) {
            steps.push_back(pin.step);
        }
        QCOMPARE(steps, std::vector<std::int64_t>({0, 10, 20, 30}));
        m_scene->press("Ctrl+N"); // no run, no pins
        QVERIFY(pins().pins().empty());
    }

    void SaveAs_answeredAfterTheEnd_saysThatNothingIsSaved()
    {
        trainOn(5);
        actions().saveCheckpointAs->trigger();
        window().controller().send(command::Stop{});
        WAIT_FOR_STATE(Stopped);
        const fs::path file = m_scene->folder() / "mine.safetensors";
        m_scene->answer(file);
        QVERIFY2(m_scene->message().contains("mine.safetensors"), qPrintable(m_scene->message()));
        QCOMPARE(window().messages().kind(), MessageBar::Kind::Error);
        QVERIFY(!fs::exists(file));
    }

    void Resume_fromAPin_goesOnFromThere()
    {
        train(30);
        const fs::path folder = m_scene->run().folder();
        const std::vector<double> before = storedCrossEntropies(folder);
        act(10, "Resume from Here");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->run().folder(), folder);
        QCOMPARE(m_scene->shownSteps(), 30);
        const RunStoreReader reader(RunFolder::storeFileOf(folder));
        QCOMPARE(reader.branches().size(), 2U);
        QCOMPARE(reader.branches().back().fromStep, 10);
        QCOMPARE(storedCrossEntropies(folder), before); // the same steps again: the same losses
        QVERIFY(showsLosses(m_scene->run(), before));
    }

    void Branch_withOtherLearningRate_trains()
    {
        train(30);
        const fs::path folder = m_scene->run().folder();
        const std::vector<double> before = storedCrossEntropies(folder);
        act(20, "Branch with Changes…");
        QCOMPARE(m_scene->offers(), QStringList("Start"));
        QVERIFY(window().runPanel().isReady());
        m_scene->type("learning_rate.initial", "0.001");
        QCOMPARE(window().runPanel().request().config.learningRate.initial, 0.001);
        trainAgain();
        const std::vector<double> after = storedCrossEntropies(folder);
        QCOMPARE(after.size(), before.size());
        QVERIFY(std::equal(before.begin(), before.begin() + 21, after.begin()));
        QVERIFY(before.back() != after.back());
    }

    void Branch_withAnotherSeed_saysWhyNot()
    {
        train(20);
        act(10, "Branch with Changes…");
        RunPanel& panel = window().runPanel();
        RunRequest request = panel.request();
        request.config.seed = 99;
        panel.setRequest(request);
        const RunConfig made = m_scene->run().config();
        const QString reason = QString::fromStdString(reasonAgainst(made, request.config));
        QVERIFY(reason.size() > 1); // whose first letter is a capital on the screen
        QVERIFY2(panel.problem().endsWith(reason.mid(1)), qPrintable(panel.problem()));
        QVERIFY(!actions().start->isEnabled());
    }

    void Branch_withTooFewSteps_saysSo()
    {
        train(20);
        act(20, "Branch with Changes…");
        RunPanel& panel = window().runPanel();
        QVERIFY2(panel.problem().contains("choose more"), qPrintable(panel.problem()));
        m_scene->type("steps", "25");
        QCOMPARE(panel.problem(), QString());
    }

    void FineTune_startsAtZeroWithTheWeights()
    {
        train(20);
        const fs::path first = m_scene->run().folder();
        const Checkpoint source = readCheckpoint(fileOf(20));
        act(20, "Fine-Tune from This Checkpoint…");
        m_scene->press("Ctrl+R");
        WAIT_FOR_STATE(Finished);
        QVERIFY(m_scene->run().folder() != first);
        QCOMPARE(m_scene->run().series()->steps().timeline().stepAt(0), 0);
        const Checkpoint start = readCheckpoint(fileOf(0));
        QVERIFY(start.weights == source.movingAverages); // what is best of the checkpoint
    }

    void FineTune_underAnotherHead_listsWhatBeginsAnew()
    {
        train(20);
        const Checkpoint source = readCheckpoint(fileOf(20));
        act(20, "Fine-Tune from This Checkpoint…");
        RunPanel& panel = window().runPanel();
        RunRequest request = panel.request();
        request.config.model.name = test::writeOtherHead(m_scene->folder().path()).string();
        panel.setRequest(request);
        QCOMPARE(panel.problem(), QString());
        // The form tells it before the run begins.
        const QString note = m_scene->field("initial_weights.checkpoint")->note();
        QVERIFY2(note.contains("Takes 4 of 6 tensors"), qPrintable(note));
        QVERIFY2(note.contains("Fresh: logits.bias (14 here, 10 there)"), qPrintable(note));
        trainAgain();
        const Checkpoint start = readCheckpoint(fileOf(0));
        for (std::size_t i = 0; i < start.weights.size(); ++i) {
            const bool isOfHead = start.weights[i].name.starts_with("logits.");
            QCOMPARE(start.weights[i] == source.movingAverages[i], !isOfHead);
        }
        const LogModel& log = window().findChild<LogPanel*>()->model();
        QStringList said;
        for (int row = 0; row < log.rowCount(); ++row) {
            said << log.index(row, LogModel::Text).data().toString();
        }
        QVERIFY2(
            said.contains("begins anew: logits.bias: shape 14 here, 10 there"),
            qPrintable(said.join('\n')));
    }

    void FineTune_takenBack_isARunFromRandomWeights()
    {
        train(20);
        act(20, "Fine-Tune from This Checkpoint…");
        RunPanel& panel = window().runPanel();
        auto* const line = panel.findChild<QWidget*>("run.checkpoint");
        auto* const clear = panel.findChild<QToolButton*>("run.checkpoint.clear");
        QVERIFY(line->isVisible() && clear->isVisible());
        QTest::mouseClick(clear, Qt::LeftButton);
        QVERIFY(!line->isVisible());
        QVERIFY(!panel.request().config.initialWeights.isGiven());
        // What is typed in the field is said at the top, too.
        panel.setRequest(panel.request());
        m_scene->field("initial_weights.checkpoint")->editor()->setText(toQString(fileOf(10)));
        panel.refresh();
        QVERIFY(line->isVisible());
        QVERIFY(static_cast<QLabel*>(line)->text().contains("step-000000010"));
        QCOMPARE(panel.request().config.initialWeights.checkpoint, fileOf(10).string());
    }

    void Evaluate_tellsTheAccuracy_andTheRunKeepsIt()
    {
        train(20);
        act(20, "Evaluate");
        QTRY_VERIFY(m_scene->message().contains("Checkpoint of step 20: test accuracy"));
        CheckpointEvaluationRequest request;
        request.checkpoint = fileOf(20);
        const double accuracy = evaluateCheckpoint(request).record.accuracy;
        const QString text = QLocale().toString(accuracy * 100.0, 'f', 2) + " %";
        QVERIFY2(m_scene->message().contains(text), qPrintable(m_scene->message()));
        const auto stored = store().evaluations();
        QCOMPARE(stored.size(), std::size_t{1});
        QVERIFY(stored.front().step == 20 && stored.front().accuracy == accuracy);
        QTRY_VERIFY(pins().pins().back().isBest); // nothing else was evaluated
        QVERIFY(pins().pins().back().figure.contains("%"));
    }

    void Evaluate_cancelled_givesUp()
    {
        RunConfig config = m_scene->config(20);
        config.dataset = "synthetic"; // ten thousand pictures, which take a while
        config.datasetPath.clear();
        WindowTest::train(config);
        QTRY_VERIFY(!pins().pins().empty() && pins().pins().back().step == 20);
        act(20, "Evaluate");
        QCOMPARE(m_scene->offers(), QStringList("Cancel"));
        m_scene->accept("Cancel");
        QTRY_VERIFY2(m_scene->message().contains("cancelled"), qPrintable(m_scene->message()));
    }

    void Pin_isKeptOnDisk_andCanBeTakenOff()
    {
        train(20);
        act(10, "Pin");
        QTRY_VERIFY(pins().pins()[1].isKept);
        const auto files = listCheckpoints(RunFolder::checkpointsOf(m_scene->run().folder()));
        QVERIFY(files[1].isPinned && !files[0].isPinned);
        auto* const table = find<QTableView>("checkpoints_table");
        QCOMPARE(table->model()->index(1, CheckpointModel::Kept).data().toString(), "pinned");
        act(10, "Unpin");
        QTRY_VERIFY(!pins().pins()[1].isKept);
    }

    void Best_isMarked()
    {
        RunConfig config = m_scene->config(40);
        config.checkpointEverySteps = 10;
        config.evaluateEverySteps = 10;
        WindowTest::train(config);
        std::int64_t best = -1;
        double most = -1.0;
        for (const EvaluationRecord& record : store().evaluations()) {
            if (record.weights == WeightsKind::Average && record.accuracy > most
                && fs::exists(fileOf(record.step))) {
                most = record.accuracy;
                best = record.step;
            }
        }
        const auto isBest = [](const PlotPin& pin) { return pin.isBest; };
        const auto marked = [&] { return std::ranges::find_if(pins().pins(), isBest); };
        QTRY_VERIFY(marked() != pins().pins().end() && marked()->step == best);
        QCOMPARE(std::ranges::count_if(pins().pins(), isBest), 1);
    }

private:
    /// Leaves a checkpoint every 10 steps.
    void train(std::int64_t steps)
    {
        RunConfig config = m_scene->config(steps);
        config.checkpointEverySteps = 10;
        WindowTest::train(config);
        QTRY_COMPARE(std::ssize(pins().pins()), std::min<std::int64_t>(5, steps / 10 + 1));
    }

    /// Chooses an entry of the menu of the checkpoint's pin.
    void act(std::int64_t step, const QString& text) const
    {
        const auto& all = pins().pins();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const PlotPin& pin) { return pin.step == step; });
        QVERIFY(found != all.end());
        const auto number = static_cast<std::size_t>(found - all.begin());
        emit pins().chosen({0.0, {number}}, {});
        auto* const menu = window().findChild<CheckpointMenu*>();
        QVERIFY(menu != nullptr);
        for (QAction* action : menu->actions()) {
            if (action->text().remove('&') == text) {
                QVERIFY(action->isEnabled());
                action->trigger();
            }
        }
        delete menu;
        m_scene->activate();
    }

    [[nodiscard]] PinRow& pins() const { return *window().findChild<PinRow*>(); }
    [[nodiscard]] fs::path fileOf(std::int64_t step) const
    {
        return RunFolder::checkpointsOf(m_scene->run().folder())
               / fmt::format("step-{:09}.safetensors", step);
    }
};
LOCKSTEP_TEST(TestWindowCheckpoints)
#include "test_window_checkpoints.moc"
