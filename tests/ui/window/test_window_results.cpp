// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"
#include "engine/evaluation.h"
#include "ui/csv_table.h"
#include "ui/window_witness.h"

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

/// What the window shows and saves is what the engine made: in the store, as CSV, and as
/// lockstep-train makes it.
class TestWindowResults : public WindowTest
{
    Q_OBJECT

private slots:
    void Losses_afterPauseAndResume_areThoseOfARunNeverPaused()
    {
        constexpr std::int64_t kSteps = 3000; // on a fast machine, too, time to pause it
        m_scene->start(m_scene->config(kSteps));
        for (const std::int64_t steps : {10, 40}) {
            WAIT_FOR_STEPS(steps);
            pause();
            QVERIFY(m_scene->shownSteps() < kSteps); // it was paused indeed
            m_scene->press("Ctrl+P");
        }
        WAIT_FOR_STATE(Finished);
        const std::vector<double> paused = storedCrossEntropies(m_scene->run().folder());
        QVERIFY(showsLosses(m_scene->run(), paused));
        const fs::path folder = m_scene->run().folder();
        m_scene->press("Ctrl+R");
        QTRY_VERIFY(m_scene->run().folder() != folder);
        WAIT_FOR_STATE(Finished);
        QCOMPARE(paused.size(), static_cast<std::size_t>(kSteps));
        QVERIFY(paused == storedCrossEntropies(m_scene->run().folder()));
        QVERIFY(showsLosses(m_scene->run(), paused));
    }

    void Curves_equalTheExportedCsv()
    {
        RunConfig config = m_scene->config(120);
        config.towers = 3;
        train(config);
        const CsvTable table = exportedTable();
        QCOMPARE(table.rows(), 120U);
        QCOMPARE(table.differenceFrom(*m_scene->run().series()), QString());
    }

    void Curves_ofAContinuedRun_equalTheExportedCsv()
    {
        trainOn(20);
        stop();
        const std::int64_t steps = m_scene->shownSteps();
        m_scene->press("Ctrl+Shift+R"); // goes on at once
        WAIT_FOR_STEPS(steps + 20);
        stop();
        const std::int64_t all = m_scene->shownSteps();
        const CsvTable table = exportedTable();
        QCOMPARE(table.rows(), static_cast<std::size_t>(all));
        QCOMPARE(table.differenceFrom(*m_scene->run().series()), QString());
    }

    void Accuracies_equalTheExportedEvaluations()
    {
        RunConfig config = m_scene->config(40);
        config.evaluateEverySteps = 20;
        train(config);
        QCOMPARE(exportedTable().rows(), 40U);
        QFile file(toQString(m_scene->folder() / "metrics-evaluations.csv"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines =
            QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 1 + 2 * 2);
        const auto value = [&](int line, const char* name) {
            return lines[line].split(u',').value(lines[0].split(u',').indexOf(name));
        };
        const SeriesStore& shown = m_scene->run().series()->evaluations();
        for (int i = 0; i < 2; ++i) { // the moving averages first
            for (const auto& [line, weights, series, loss] :
                 {std::tuple{
                      1 + 2 * i, "average", RunSeries::kMovingAverageAccuracy,
                      RunSeries::kMovingAverageLoss},
                  {2 + 2 * i, "raw", RunSeries::kTestAccuracy, RunSeries::kTestLoss}}) {
                QCOMPARE(value(line, "weights"), weights);
                QCOMPARE(value(line, "step"), QString::number(20 * (i + 1)));
                QCOMPARE(value(line, "accuracy").toFloat(), shown.series(series).at(i));
                QCOMPARE(value(line, "loss").toFloat(), shown.series(loss).at(i));
            }
        }
    }

    void Plots_showTheCurvesOfTheRun()
    {
        train(30);
        const RunSeries& series = *m_scene->run().series();
        const auto* charts = window().findChild<ChartsPanel*>();
        QStringList shown;
        for (const PlotView* plot : charts->plots()) {
            QVERIFY2(
                !plot->isEmpty() || plot == charts->plots()[ChartPlaces::kTestLoss],
                qPrintable(plot->summary()));
            for (const Curve& curve : plot->curves()) {
                const bool isOfSteps = curve.store == &series.steps();
                QVERIFY(isOfSteps || curve.store == &series.evaluations());
                shown.append(QString(isOfSteps ? "s%1" : "e%1").arg(curve.seriesIndex));
                if (curve.band) {
                    shown.append(QString("s%1").arg(curve.band->first));
                    shown.append(QString("s%1").arg(curve.band->second));
                }
            }
        }
        for (int i = 0; i < series.steps().seriesCount(); ++i) {
            QVERIFY2(shown.contains(QString("s%1").arg(i)), qPrintable(QString::number(i)));
        }
        // All but the average precision, which this network has none of.
        for (int i = 0; i < RunSeries::kAveragePrecision; ++i) {
            QVERIFY(shown.contains(QString("e%1").arg(i)));
        }
    }

    void Checkpoint_equalsThatOfLockstepTrain()
    {
        const fs::path file = pausedCheckpoint();
        const Checkpoint mine = readCheckpoint(file);
        stop();
        const fs::path config = m_scene->folder() / "exported.toml";
        m_scene->choose(actions().exportConfiguration, config);
        const fs::path run = m_scene->folder() / "run";
        const test::Outcome outcome = test::runProgram(
            {"train", "--config", toQString(config), "--steps", QString::number(mine.step), "--run",
             toQString(run)});
        QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
        const SafetensorsFile got = readSafetensors(file);
        const SafetensorsFile expected = readSafetensors(openCheckpoint(run).file.path);
        QCOMPARE(got.tensors.size(), expected.tensors.size());
        QVERIFY(got.tensors.size() >= 12); // six parameters and their averages
        for (std::size_t i = 0; i < got.tensors.size(); ++i) {
            QCOMPARE(got.tensors[i].name, expected.tensors[i].name);
            QVERIFY(got.tensors[i].shape == expected.tensors[i].shape);
            QVERIFY2(
                got.tensors[i].values == expected.tensors[i].values, got.tensors[i].name.c_str());
        }
        QCOMPARE(readCheckpoint(openCheckpoint(run).file.path).step, mine.step);
    }

    void Checkpoint_ofLockstepTrain_loadsInTheWindow()
    {
        const fs::path run = m_scene->folder() / "run";
        const test::Outcome outcome =
            test::runProgram(test::smallTraining(m_scene->pictures(), run, 12));
        QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
        m_scene->choose(actions().loadCheckpoint, openCheckpoint(run).file.path);
        m_scene->accept("Continue Its Run");
        QTRY_COMPARE(m_scene->shownSteps(), 12); // its curves are there before it goes on
        m_scene->type("steps", "20");
        m_scene->accept("Start");
        WAIT_FOR_STATE(Finished);
        QCOMPARE(m_scene->run().folder(), run);
        QCOMPARE(m_scene->shownSteps(), 20);
        // Going on in the window is going on in the terminal.
        const fs::path whole = m_scene->folder() / "whole";
        QCOMPARE(test::runProgram(test::smallTraining(m_scene->pictures(), whole, 20)).exitCode, 0);
        QVERIFY(storedCrossEntropies(run) == storedCrossEntropies(whole));
    }

    void Checkpoint_ofTheWindow_isEvaluatedByLockstepTrain()
    {
        const fs::path file = pausedCheckpoint();
        m_scene->press("Ctrl+E");
        QTRY_COMPARE(m_scene->run().series()->evaluations().size(), 1);
        const auto shown =
            m_scene->run().series()->evaluations().series(RunSeries::kTestAccuracy).at(0);
        const test::Outcome outcome = test::runProgram(
            {"evaluate", "--checkpoint", toQString(file), "--weights", "raw", "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
        const auto events = outcome.events();
        QCOMPARE(events.size(), 1);
        QCOMPARE(static_cast<float>(events[0]["accuracy"].toDouble()), shown);
    }

private:
    /// Trains, pauses, saves by the menu.
    fs::path pausedCheckpoint()
    {
        m_scene->start(m_scene->config(kEndless));
        const auto isPast = [this] { return m_scene->shownSteps() >= 10; };
        const bool hasStarted = test::waitFor(isPast);
        actions().pause->trigger();
        const bool isPaused =
            hasStarted && test::waitFor([this] { return actions().resume->isEnabled(); });
        actions().saveCheckpoint->trigger();
        const auto isSaved = [this] {
            const auto& saved = m_scene->run().savedCheckpoint();
            return saved && saved->step > 0 && saved->step == m_scene->shownSteps();
        };
        if (!isPaused || !test::waitFor(isSaved)) {
            throw std::runtime_error("nothing was saved");
        }
        return m_scene->run().savedCheckpoint()->file;
    }

    /// By the menu.
    CsvTable exportedTable()
    {
        const fs::path file = m_scene->folder() / "metrics.csv";
        m_scene->choose(actions().exportCsv, file);
        if (!test::waitFor([&] { return m_scene->message().startsWith("Written"); })) {
            throw std::runtime_error("not exported: " + m_scene->message().toStdString());
        }
        return CsvTable(file);
    }
};
LOCKSTEP_TEST(TestWindowResults)
#include "test_window_results.moc"
