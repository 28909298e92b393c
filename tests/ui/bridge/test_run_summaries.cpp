// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_summaries.h"
#include "bridge/runs/run_title.h"
#include "engine/records.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "storage/steps.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/time_limit.h"
#include "ui/session_witness.h"
#include "ui/several_runs.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// All steps of a run, as its store has them in full.
std::vector<StepRecord> stepsOf(const fs::path& run)
{
    std::vector<StepRecord> steps;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& record) {
        steps.push_back(record);
    });
    return steps;
}

std::vector<EvaluationRecord> testsOf(const fs::path& run)
{
    std::vector<EvaluationRecord> tests = RunStoreReader(RunFolder::storeFileOf(run)).evaluations();
    std::erase_if(
        tests, [](const EvaluationRecord& test) { return test.weights != WeightsKind::Average; });
    return tests;
}

} // namespace

/// What is read of runs for the table and the overlays, against the stores that the real
/// lockstep-train wrote.
class TestRunSummaries : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder.emplace();
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(m_folder->path().string()));
    }

    void Summary_ofARun_isWhatItsStoreSays()
    {
        const fs::path run = trainRun("run", 130, setting("evaluate.every_steps", "50"));
        const std::vector<StepRecord> steps = stepsOf(run);
        const std::vector<EvaluationRecord> tests = testsOf(run);
        QCOMPARE(steps.size(), std::size_t{130});
        QCOMPARE(tests.size(), std::size_t{3});
        const RunRow row = readRunSummary(run);
        QCOMPARE(row.stage, RunStage::Finished);
        QCOMPARE(row.name, "run");
        QCOMPARE(row.model, "small");
        QCOMPARE(row.stepsDone, 130);
        QCOMPARE(row.stepsWanted, 130);
        QCOMPARE(row.towers, 2);
        QCOMPARE(row.batchPerTower, 8);
        QCOMPARE(row.lastLoss.value(), crossEntropy(steps.back()));
        double lowest = crossEntropy(steps.front());
        for (const StepRecord& step : steps) {
            lowest = std::min(lowest, crossEntropy(step));
        }
        QCOMPARE(static_cast<float>(row.lowestLoss.value()), static_cast<float>(lowest));
        QCOMPARE(row.lastAccuracy.value(), tests.back().accuracy);
        double best = 0.0;
        for (const EvaluationRecord& test : tests) {
            best = std::max(best, test.accuracy);
        }
        QCOMPARE(row.bestAccuracy.value(), best);
        double seconds = 0.0;
        for (std::size_t i = 30; i < 130; ++i) {
            seconds += steps[i].stepSeconds;
        }
        QVERIFY(std::abs(row.examplesPerSecond.value() * seconds / (100.0 * 16) - 1.0) < 1e-6);
        QVERIFY(std::abs(row.started.secsTo(QDateTime::currentDateTime())) < 120);
        // The little curve spans the run.
        QVERIFY(row.curve.size() > 40 && row.curve.size() <= 96);
        QVERIFY(row.curve.front().step < 3.0 && row.curve.back().step > 126.0);
    }

    void Summary_ofAKilledRun_saysSo()
    {
        const fs::path run = runsFolder() / "killed";
        QProcess process;
        process.start(
            LOCKSTEP_TRAIN_PROGRAM, {"train", "--model", LOCKSTEP_SMALL_MODEL, "--steps", "1000000",
                                     "--batch-per-tower", "8", "--run", test::toText(run)});
        QTRY_VERIFY(RunFolder::isRun(run) && readRunSummary(run).stepsDone > 20);
        const RunRow training = readRunSummary(run);
        QCOMPARE(training.stage, RunStage::Training);
        QCOMPARE(training.process, process.processId());
        const RunStamp before = runStamp(run);
        ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
        QVERIFY(process.waitForFinished());
        QVERIFY(runStamp(run) != before); // its files are as they were, its writer is gone
        const RunRow killed = readRunSummary(run);
        QCOMPARE(killed.stage, RunStage::EndedUnexpectedly);
        QCOMPARE(killed.stepsDone, static_cast<qint64>(stepsOf(run).size()));
    }

    void Summary_ofADamagedRun_saysWhy()
    {
        const fs::path run = trainRun("damaged", 3);
        std::ofstream(RunFolder::storeFileOf(run)) << "this is no store, but it is long enough";
        const RunRow row = readRunSummary(run);
        QCOMPARE(row.stage, RunStage::Unreadable);
        QVERIFY2(row.problem.contains("run.db"), qPrintable(row.problem));
        QCOMPARE(row.model, "small"); // its configuration is whole
    }

    void Summaries_areReadAgain_onlyWhereSomethingChanged()
    {
        const fs::path still = trainRun("still", 3);
        const fs::path growing = trainRun("growing", 3);
        const fs::path elsewhere = *m_folder / "elsewhere";
        fs::rename(trainRun("moved", 3), elsewhere);
        RunSummaries summaries;
        QStringList listed;
        QStringList read;
        connect(
            &summaries, &RunSummaries::listed, this, [&](const QStringList& all) { listed = all; });
        connect(&summaries, &RunSummaries::summarised, this, [&](const RunRow& row) {
            QCOMPARE(QThread::currentThread(), qApp->thread());
            read.append(row.folder);
        });
        QSignalSpy refreshed(&summaries, &RunSummaries::refreshed);
        summaries.setOthers({toQString(elsewhere)});
        summaries.refresh();
        QVERIFY(refreshed.wait());
        QStringList all{toQString(elsewhere), toQString(growing), toQString(still)};
        std::sort(all.begin(), all.end());
        listed.sort();
        read.sort();
        QCOMPARE(listed, all);
        QCOMPARE(read, all);

        read.clear();
        summaries.refresh();
        QVERIFY(refreshed.wait());
        QCOMPARE(read, QStringList());

        QCOMPARE(
            test::runProgram({"train", "--run", test::toText(growing), "--resume", "--steps", "6"})
                .exitCode,
            0);
        summaries.refresh();
        QVERIFY(refreshed.wait());
        QCOMPARE(read, QStringList(toQString(growing)));

        fs::remove_all(still);
        summaries.refresh();
        QVERIFY(refreshed.wait());
        QVERIFY(!listed.contains(toQString(still)));
    }

    void Summaries_ofManyRuns_areReadOnce()
    {
        constexpr int kRuns = 200;
        const fs::path run = trainRun("000", 200);
        for (int i = 1; i < kRuns; ++i) {
            const fs::path copy = runsFolder() / std::to_string(i);
            fs::create_directory(copy);
            for (const char* const name : {"run.toml", "run.db"}) {
                fs::copy_file(run / name, copy / name);
            }
        }
        RunSummaries summaries;
        int read = 0;
        connect(&summaries, &RunSummaries::summarised, this, [&] { ++read; });
        QSignalSpy refreshed(&summaries, &RunSummaries::refreshed);
        const auto milliseconds = [&] {
            QElapsedTimer clock;
            clock.start();
            summaries.refresh();
            return refreshed.wait(60'000) ? clock.elapsed() : 60'000;
        };
        const qint64 first = milliseconds();
        QCOMPARE(read, kRuns);
        const qint64 again = milliseconds();
        QCOMPARE(read, kRuns);
        qInfo("%d runs: %lld ms, again %lld ms", kRuns, first, again);
        QVERIFY(!test::isFarTooSlow(1e-3 * static_cast<double>(again), 0.1)); // and a slow disk
    }

    void Overlay_ofAShortRun_hasEveryStep()
    {
        const fs::path run = trainRun("run", 60, setting("evaluate.every_steps", "20"));
        OverlayRuns overlays;
        overlays.setSmoothing(0.5);
        QSignalSpy changed(&overlays, &OverlayRuns::changed);
        QVERIFY(overlays.setOverlaid(toQString(run), true));
        QTRY_VERIFY(overlays.overlays().front().series);
        const OverlaySeries& series = *overlays.overlays().front().series;
        const std::vector<StepRecord> steps = stepsOf(run);
        QCOMPARE(series.losses().size(), std::ssize(steps));
        Series charted(Smoothing::Line); // as the charts smooth the run that they show
        charted.setSmoothing(0.5);
        for (const StepRecord& step : steps) {
            charted.append(static_cast<float>(crossEntropy(step)));
        }
        for (std::int64_t row = 0; row < std::ssize(steps); ++row) {
            const StepRecord& step = steps[static_cast<std::size_t>(row)];
            const Moment moment = series.losses().timeline().momentAt(row);
            QCOMPARE(moment.step, step.step);
            QVERIFY(std::abs(moment.epoch - step.epoch) < 1e-6);
            QVERIFY(std::abs(moment.wallSeconds - step.wallSeconds) < 1e-6);
            const Series& mean = series.losses().series(OverlaySeries::kMeanLoss);
            QCOMPARE(mean.at(row), static_cast<float>(crossEntropy(step)));
            QVERIFY(std::abs(mean.smoothedAt(row) - charted.smoothedAt(row)) < 1e-6F);
        }
        const Series& rate = series.losses().series(OverlaySeries::kExamplesPerSecond);
        Series chartedRate(Smoothing::Rate);
        chartedRate.setSmoothing(0.5);
        for (std::int64_t row = 0; row < rate.size(); ++row) {
            chartedRate.append(rate.at(row));
        }
        for (std::int64_t row = 1; row < std::ssize(steps); ++row) {
            const StepRecord& step = steps[static_cast<std::size_t>(row)];
            const StepRecord& before = steps[static_cast<std::size_t>(row - 1)];
            const double expected = static_cast<double>(step.examples - before.examples)
                                    / (step.wallSeconds - before.wallSeconds);
            QVERIFY(std::abs(rate.at(row) - expected) < 1e-3 * expected);
            QCOMPARE(rate.smoothedAt(row), chartedRate.smoothedAt(row));
        }
        const std::vector<EvaluationRecord> tests = testsOf(run);
        QCOMPARE(series.tests().size(), std::ssize(tests));
        for (std::int64_t row = 0; row < std::ssize(tests); ++row) {
            const EvaluationRecord& test = tests[static_cast<std::size_t>(row)];
            QCOMPARE(series.tests().timeline().stepAt(row), test.step);
            QCOMPARE(
                series.tests().series(OverlaySeries::kAccuracy).at(row),
                static_cast<float>(test.accuracy));
            QCOMPARE(
                series.tests().series(OverlaySeries::kTestLoss).at(row),
                static_cast<float>(test.loss));
            // When the last of those updates was made.
            QVERIFY(
                std::abs(
                    series.tests().timeline().momentAt(row).wallSeconds
                    - steps[static_cast<std::size_t>(test.step - 1)].wallSeconds)
                < 1e-6);
        }
    }

    /// Of runs that are shown together only what differs.
    void Titles_ofSeveral_sayWhatDiffers()
    {
        const QString common = "CIFAR-10 · 4 × 32 · ";
        QCOMPARE(
            distinctTitles(
                {"", common + "rate 0.015", common + "rate 0.014 · seed 2", "named by hand"}),
            (QStringList{
                "", common + "rate 0.015", common + "rate 0.014 · seed 2", "named by hand"}));
        QCOMPARE(
            distinctTitles({"", common + "rate 0.015", common + "rate 0.014 · seed 2"}),
            (QStringList{"", "rate 0.015", "rate 0.014 · seed 2"}));
        QCOMPARE(
            distinctTitles({common + "rate 0.1", common + "rate 0.1", common + "rate 0.2"}),
            (QStringList{"rate 0.1", "rate 0.1", "rate 0.2"}));
        QCOMPARE(
            distinctTitles({common + "rate 0.1", common + "rate 0.1"}),
            (QStringList{common + "rate 0.1", common + "rate 0.1"}));
        QCOMPARE(distinctTitles({"", common}), (QStringList{"", common}));
        // Of long names of folders the words.
        QCOMPARE(
            distinctTitles({"", "shapes_sweep_wd-0.0005_night", "shapes_sweep_wd-0.0001_night"}),
            (QStringList{"", "0.0005", "0.0001"}));
        const QStringList different{"a_long_name of a folder", "another_long_name"};
        QCOMPARE(distinctTitles(different), (QStringList{"a-of-a-folder", "another"}));
        QCOMPARE(distinctTitles(different.mid(0, 1)), different.mid(0, 1));
        QCOMPARE(distinctTitles({"sweep-1", "sweep-2"}), (QStringList{"sweep-1", "sweep-2"}));
        RunConfig config = smallConfig(3);
        config.seed = 7;
        config.precision = "bfloat16";
        QVERIFY(describedTitle(config).endsWith("bfloat16 · seed 7"));
    }

    /// What no title says: the settings themselves.
    void Titles_ofASweep_areAllDifferent()
    {
        QLocale::setDefault({QLocale::English, QLocale::UnitedStates});
        std::vector<RunConfig> configs;
        QStringList titles;
        for (int i = 0; i < 8; ++i) {
            RunConfig config = smallConfig(3);
            config.optimizer.weightDecay = 0.001 * (i + 1);
            config.optimizer.momentum = i < 4 ? 0.9 : 0.8;
            configs.push_back(config);
            titles.append(describedTitle(config));
        }
        QCOMPARE(QSet<QString>(titles.begin(), titles.end()).size(), 1);
        const QStringList told = distinctTitles(titles, configs);
        QCOMPARE(told.front(), QString("momentum = 0.9 · weight_decay = 0.001"));
        QCOMPARE(told.back(), QString("momentum = 0.8 · weight_decay = 0.008"));
        QCOMPARE(QSet<QString>(told.begin(), told.end()).size(), 8);
        // Beside what the titles do say, and not for a run that needs none.
        titles.front() += " · seed 2";
        configs[2].optimizer.weightDecay = configs[1].optimizer.weightDecay;
        const QStringList mixed =
            distinctTitles(titles.mid(0, 3), {configs.begin(), configs.begin() + 3});
        QCOMPARE(mixed.front(), QString("seed 2"));
        QCOMPARE(mixed[1], titles[1]); // nothing tells it from its copy
        QCOMPARE(mixed[2], titles[2]);
    }

    /// The last tower's, of a run that grows, goes on from an earlier step, and is longer
    /// than there are points.
    void Overlay_figures_areThoseOfTheSteps()
    {
        constexpr std::int64_t kFirst = 300;
        constexpr std::int64_t kAll = 4500;
        constexpr std::int64_t kReturn = 4400;
        const fs::path folder = *m_folder / "figures";
        fs::create_directory(folder);
        OverlayReader overlay(folder);
        RunStore store(RunFolder::storeFileOf(folder));
        std::vector<StepRecord> lineage;
        const auto append = [&](std::int64_t first, std::int64_t end, std::uint64_t seed) {
            for (std::int64_t step = first; step < end; ++step) {
                const StepRecord record = test::exampleStep(step, 2, seed);
                lineage.resize(static_cast<std::size_t>(step));
                lineage.push_back(record);
                store.append(record);
            }
            store.flush();
        };
        const auto check = [&] {
            const std::shared_ptr<OverlaySeries> series = overlay.read();
            QVERIFY(series->hasTowers());
            const SeriesStore& figures = series->figures();
            QVERIFY(figures.size() <= 2000 && figures.size() > 250);
            QCOMPARE(figures.timeline().stepAt(figures.size() - 1), std::ssize(lineage) - 1);
            double sum = 0.0;
            std::int64_t row = 0;
            for (std::int64_t step = 0; step < std::ssize(lineage); ++step) {
                const StepRecord& record = lineage[static_cast<std::size_t>(step)];
                sum += record.lossLast - record.lossMean;
                if (figures.timeline().stepAt(row) == step) {
                    const double bias = sum / static_cast<double>(step + 1);
                    QVERIFY(std::abs(figures.series(OverlaySeries::kBias).at(row) - bias) < 1e-4);
                    ++row;
                }
            }
            QCOMPARE(row, figures.size());
            QVERIFY(std::isfinite(
                figures.series(OverlaySeries::kVarianceRatio).at(figures.size() - 1)));
        };
        store.startBranch(test::exampleBranch(2));
        append(0, kFirst, 1);
        check();
        append(kFirst, kAll, 1);
        check();
        store.startBranch(test::exampleBranch(2, kReturn));
        append(kReturn, kAll, 2);
        check();
    }

    /// Did not tell weight decay apart; the run was resumed since.
    void Overlay_ofAnOlderProgram_knowsThatWeightDecayIsIncluded()
    {
        for (const bool isOlder : {true, false}) {
            const fs::path folder = *m_folder / (isOlder ? "older" : "newer");
            fs::create_directory(folder);
            RunStore store(RunFolder::storeFileOf(folder));
            store.startBranch(test::exampleBranch(2));
            for (std::int64_t step = 0; step < 5; ++step) {
                StepRecord record = test::exampleStep(step, 2);
                if (isOlder && step < 3) {
                    record.weightDecayLoss = std::numeric_limits<double>::quiet_NaN();
                }
                store.append(record);
            }
            store.close();
            QCOMPARE(OverlayReader(folder).read()->isDecayIncluded(), isOlder);
        }
    }

    /// When a run of something else is shown.
    void Overlays_ofAnotherSubject_leave()
    {
        OverlayRuns overlays;
        const fs::path run = trainRun("run", 3);
        overlays.setOverlaid(toQString(run), true);
        overlays.keepOnly(subjectOf(configOfRun(run)));
        QCOMPARE(overlays.folders(), QStringList{toQString(run)});
        overlays.keepOnly("SegDecNet, KolektorSDD");
        QVERIFY(overlays.folders().isEmpty());
    }

    void Overlays_more_areRefused()
    {
        OverlayRuns overlays;
        const fs::path run = trainRun("run", 3);
        QStringList folders;
        for (int i = 0; i < OverlayRuns::kMost + 1; ++i) {
            const fs::path copy = runsFolder() / std::to_string(i);
            fs::copy(run, copy, fs::copy_options::recursive);
            folders.append(toQString(copy));
            QCOMPARE(overlays.setOverlaid(folders.back(), true), i < OverlayRuns::kMost);
        }
        QCOMPARE(overlays.folders(), folders.mid(0, OverlayRuns::kMost));
        // Each has its own colour, which is free again when it goes.
        const QHash<QString, int> colors = overlays.colors();
        QCOMPARE(QSet<int>(colors.begin(), colors.end()).size(), OverlayRuns::kMost);
        const int color = colors.value(folders[3]);
        overlays.setOverlaid(folders[3], false);
        QVERIFY(overlays.setOverlaid(folders.back(), true));
        QCOMPARE(overlays.colors().value(folders.back()), color);
    }

    void Overlay_thatCannotBeRead_isTakenAway()
    {
        OverlayRuns overlays;
        QSignalSpy failed(&overlays, &OverlayRuns::failed);
        overlays.setOverlaid(toQString(*m_folder / "nowhere"), true);
        QVERIFY(failed.wait());
        QVERIFY(failed[0][0].toString().contains("nowhere"));
        QVERIFY(overlays.overlays().empty());
    }

private:
    std::optional<test::TemporaryFolder> m_folder;
};
LOCKSTEP_TEST(TestRunSummaries)
#include "test_run_summaries.moc"
