// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/runs/run_origin.h"
#include "bridge/session/live_run.h"
#include "ui/session_witness.h"

#include <cmath>
#include <fstream>

namespace lockstep::ui {
namespace {

/// The losses of one curve, as a chart draws them.
std::vector<float> curveOf(const LiveRun& run, int series)
{
    std::vector<float> values;
    for (std::int64_t row = 0; row < run.series()->steps().size(); ++row) {
        values.push_back(run.series()->steps().series(series).at(row));
    }
    return values;
}

void trainTo(SessionWitness& witness, const RunRequest& request)
{
    witness.controller.start(request);
    WAIT_FOR(Finished);
}

} // namespace

/// The run that the window shows: what it makes of what the controller tells.
class TestLiveRun : public QObject
{
    Q_OBJECT

private slots:
    void Run_trained_hasTheCurvesOfTheStore()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        RunConfig config = smallConfig(12);
        config.evaluateEverySteps = 5;
        config.evaluateAtEnd = true;
        witness.train(config);

        std::vector<float> means;
        for (const double loss : storedCrossEntropies(witness.run())) {
            means.push_back(static_cast<float>(loss));
        }
        QCOMPARE(curveOf(run, RunSeries::kMeanLoss), means);
        QCOMPARE(run.newestStep()->step, 11);
        QCOMPARE(run.savedCheckpoint()->step, 12);
        QVERIFY(run.throughput().rate().value() > 0.0);
        // Raw weights and averages are one point of each evaluation, at the step that they have
        // seen.
        const SeriesStore& points = run.series()->evaluations();
        QCOMPARE(points.size(), 3);
        QCOMPARE(points.timeline().stepAt(1), 10);
        QCOMPARE(witness.evaluations.size(), std::size_t{6});
        for (const EvaluationRecord& record : witness.evaluations) {
            const bool isRaw = record.weights == WeightsKind::Raw;
            const std::int64_t row = record.step == 12 ? 2 : record.step / 5 - 1;
            const int series = isRaw ? RunSeries::kTestAccuracy : RunSeries::kMovingAverageAccuracy;
            QCOMPARE(points.series(series).at(row), static_cast<float>(record.accuracy));
            const int loss = isRaw ? RunSeries::kTestLoss : RunSeries::kMovingAverageLoss;
            QCOMPARE(points.series(loss).at(row), static_cast<float>(record.loss));
        }
        QCOMPARE(run.testAccuracy().value(), witness.evaluations.back().accuracy);
    }

    void Run_opened_showsWhatWasTrained()
    {
        SessionWitness trained;
        LiveRun first(trained.controller);
        RunConfig config = smallConfig(12);
        config.evaluateAtEnd = true;
        trained.train(config);
        SessionWitness opened;
        LiveRun second(opened.controller);
        opened.controller.open(trained.run());
        QTRY_COMPARE(opened.steps.size(), std::size_t{12});
        QCOMPARE(opened.controller.state(), SessionController::State::Idle);
        QVERIFY(opened.controller.canStart());
        for (int series = 0; series < first.series()->steps().seriesCount(); ++series) {
            const std::vector<float> was = curveOf(first, series);
            const std::vector<float> is = curveOf(second, series);
            for (std::size_t row = 0; row < was.size(); ++row) { // "none" is not equal to itself
                QVERIFY(is[row] == was[row] || (std::isnan(is[row]) && std::isnan(was[row])));
            }
        }
        QCOMPARE(second.series()->evaluations().size(), 1);
        QCOMPARE(second.folder(), trained.run());
        QCOMPARE(second.seats().size(), std::size_t{2});
        QCOMPARE(second.seats()[0].device, "cpu");
        // Of the history, as the caption and the towers tell it.
        QCOMPARE(*second.throughput().rate(), *second.series()->examplesPerSecond());
    }

    void Run_withObjectives_hasTheirCurves_trainedAndOpened()
    {
        const test::TemporaryFolder folder;
        RunConfig config = smallConfig(4);
        config.model.name = "segdecnet";
        config.model.inputHeight = 128;
        config.model.inputWidth = 64;
        config.dataset = "synthetic_defects";
        config.datasetPath.clear();
        config.batchPerTower = 1;
        for (const bool isTrained : {true, false}) {
            SessionWitness witness;
            LiveRun run(witness.controller);
            if (isTrained) {
                trainTo(witness, {config, folder / "run"});
            } else {
                witness.controller.open(folder / "run");
                QTRY_COMPARE(witness.steps.size(), std::size_t{4});
            }
            const RunSeries& series = *run.series();
            QCOMPARE(series.objectives(), (std::vector<std::string>{"segmentation", "decision"}));
            for (int objective = 0; objective < 2; ++objective) {
                for (std::size_t step = 0; step < 4; ++step) {
                    const auto& towers = witness.steps[step].towers;
                    const auto place = static_cast<std::size_t>(objective);
                    QCOMPARE(
                        series.steps()
                            .series(series.objectiveLoss(objective))
                            .at(static_cast<std::int64_t>(step)),
                        static_cast<float>(
                            (towers[0].objectives[place] + towers[1].objectives[place]) / 2.0));
                    QCOMPARE(
                        series.steps().series(RunSeries::kLearningRate).at(0),
                        static_cast<float>(witness.steps[0].learningRate));
                }
            }
        }
    }

    void Run_opened_tellsOfItsDevices()
    {
        const test::TemporaryFolder folder;
        {
            SessionWitness witness;
            trainTo(witness, {smallConfig(3), folder / "run"});
            for (const DeviceReadingRecord& reading : witness.readings) {
                QCOMPARE(reading.device, std::string("cpu"));
            }
        }
        tellOfTwoGpus(folder / "run", 2);
        SessionWitness witness;
        LiveRun run(witness.controller);
        std::vector<DeviceReadingRecord> readings;
        connect(
            &run.feed(), &RunFeed::deviceReadingArrived, this,
            [&](const DeviceReadingRecord& record) {
                QCOMPARE(run.seats().size(), std::size_t{2}); // is known before
                if (record.device != "cpu") {
                    readings.push_back(record);
                }
            });
        witness.controller.open(folder / "run");
        QTRY_COMPARE(readings.size(), std::size_t{2});
        QCOMPARE(run.seats()[0].device, "cuda:0");
        QCOMPARE(run.seats()[1].device, "cuda:1");
        QCOMPARE(readings[0].device, std::string("cuda:0"));
        QCOMPARE(readings[0].temperature, 64.0); // the last one
        QCOMPARE(readings[1].throttleReason, std::string("power limit"));
    }

    void Run_opened_thatIsNone_keepsWhatIsShown()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        witness.train(smallConfig(3));
        QString error;
        connect(
            &witness.controller, &SessionController::openingFailed, this,
            [&](const QString& text) { error = text; });
        witness.controller.open(witness.folder / "nothing");
        QTRY_VERIFY(error.contains("nothing: not a run"));
        QCOMPARE(run.folder(), witness.run());
        QCOMPARE(run.series()->steps().size(), 3);
    }

    void Run_startedWhileOneIsOpened_isTheOneShown()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        trainTo(witness, {smallConfig(9), witness.folder / "old"});
        witness.controller.open(witness.folder / "old");
        trainTo(witness, {smallConfig(4), witness.folder / "new"});
        QTest::qWait(100); // for what was still on its way
        QCOMPARE(run.folder(), witness.folder / "new");
        QCOMPARE(run.series()->steps().size(), 4);
    }

    void Resume_withOtherTowers_keepsTheLastTowerLast()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        RunConfig config = smallConfig(4);
        witness.train(config);
        const std::vector<StepRecord> history = witness.steps;

        config.towers = 4;
        config.batchPerTower = 4;
        config.steps = 8;
        witness.train(config, true);
        const std::vector<float> last =
            curveOf(run, run.series()->towerLoss(run.series()->towers() - 1));
        const std::vector<float> first = curveOf(run, run.series()->towerLoss(0));
        const std::vector<float> third = curveOf(run, run.series()->towerLoss(2));
        QCOMPARE(last.size(), std::size_t{8});
        for (std::size_t row = 0; row < history.size(); ++row) {
            QCOMPARE(
                last[row], static_cast<float>(crossEntropy(history[row], history[row].towers[1])));
            QCOMPARE(
                first[row], static_cast<float>(crossEntropy(history[row], history[row].towers[0])));
            QVERIFY(std::isnan(third[row])); // there was none
        }
        QVERIFY(!std::isnan(third.back()));
    }

    void Clear_afterARun_showsNone()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        witness.train(smallConfig(3));
        const RunSeries* const before = run.series();
        bool wereCurvesThere = false;
        connect(
            &run, &LiveRun::begun, this, [&] { wereCurvesThere = before->steps().size() == 3; },
            Qt::SingleShotConnection);
        run.clear();
        QVERIFY(wereCurvesThere); // while those who draw them are told
        QVERIFY(run.series() == nullptr && run.folder().empty() && run.seats().empty());
        QVERIFY(!run.newestStep() && !run.savedCheckpoint() && !run.throughput().rate());
        trainTo(witness, {smallConfig(2), witness.folder / "next"});
        QCOMPARE(run.series()->steps().size(), 2);
    }

    void Smoothing_isKeptForTheNextRun()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        run.setSmoothing(0.5);
        witness.train(smallConfig(15)); // fewer would allow less
        QCOMPARE(run.series()->steps().smoothing(), 0.5);
        const Series& mean = run.series()->steps().series(RunSeries::kMeanLoss);
        QCOMPARE(mean.smoothing(), 0.5);
        double sum = 0.0;
        double weights = 0.0;
        for (std::int64_t row = 0; row < 15; ++row) { // the middle knows as much of both sides
            const double weight = std::pow(0.5, static_cast<double>(std::abs(row - 7)));
            sum += weight * mean.at(row);
            weights += weight;
        }
        QVERIFY(std::abs(mean.smoothedAt(7) - sum / weights) < 0.01);
        QVERIFY(mean.smoothedAt(7) != mean.at(7));
    }

    void StepOnce_whilePaused_showsOneStepMore()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        witness.start(smallConfig(kEndless));
        QTRY_VERIFY(run.newestStep());
        QVERIFY(!witness.controller.can(command::StepOnce{}));
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        const std::int64_t pausedAt = run.newestStep()->step;
        for (int i = 1; i <= 3; ++i) {
            QVERIFY(witness.controller.can(command::StepOnce{}));
            witness.controller.send(command::StepOnce{});
            QTRY_COMPARE(run.newestStep()->step, pausedAt + i);
            WAIT_FOR(Paused);
        }
        QTest::qWait(50);
        QCOMPARE(run.newestStep()->step, pausedAt + 3);
        witness.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
    }

    void TimeLeft_stopAtTheEndOfTheEpoch_isUntilThen()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        witness.start(smallConfig(kEndless));
        QTRY_VERIFY(run.newestStep());
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        QCOMPARE(run.endStep(), kEndless);
        const double whole = run.secondsLeft().value();
        witness.controller.send(command::StopAfterEpoch{true});
        QTRY_COMPARE(run.endStep(), witness.controller.stopStep());
        QTRY_VERIFY(run.endStep() < kEndless);
        const auto steps = static_cast<double>(run.endStep() - run.newestStep()->step - 1);
        QVERIFY(run.secondsLeft().value() < whole * (steps + 1.0) / 1e6);
        witness.controller.send(command::Resume{});
        WAIT_FOR(Stopped);
    }

    void TimeLeft_ofARunThatWasEvaluated_countsItsEvaluations()
    {
        SessionWitness witness;
        LiveRun run(witness.controller);
        RunConfig config = smallConfig(kEndless);
        config.evaluateEverySteps = 5;
        witness.start(config);
        QTRY_VERIFY(run.testAccuracy());
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
        const std::int64_t done = run.newestStep()->step + 1;
        const double ofSteps = run.throughput().secondsFor(kEndless - done).value();
        QVERIFY(run.secondsLeft().value() > ofSteps);
        witness.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
    }

    void Checkpoint_ofARun_tellsItsRunAndStep()
    {
        SessionWitness witness;
        witness.train(smallConfig(3));
        const std::filesystem::path file = witness.checkpoints.back().second;
        const CheckpointSummary summary = readCheckpointSummary(file);
        QCOMPARE(summary.step, 3);
        QCOMPARE(summary.model, std::string("small"));
        QCOMPARE(summary.run.value(), witness.run());
        QCOMPARE(summary.config.batchPerTower.value(), 8);

        const RunRequest other = requestFromCheckpoint(file);
        QVERIFY(!other.isResume && other.folder.empty());
        QCOMPARE(other.checkpoint.value(), file);
        QCOMPARE(other.config.steps, 6); // as many more
        const RunRequest further = requestToContinue(witness.run(), file);
        QVERIFY(further.isResume);
        QCOMPARE(further.folder, witness.run());
        RunConfig changed = configOfRun(witness.run());
        changed.learningRate.initial = 20.0; // as the rate of a later step
        std::ofstream(witness.folder / "run" / "run.toml") << toToml(changed);
        QCOMPARE(requestToContinue(witness.run()).config.learningRate.initial, 20.0);
        QCOMPARE(requestToContinue(witness.run(), file).config.learningRate.initial, 0.1);

        std::filesystem::copy_file(file, witness.folder / "elsewhere.safetensors");
        QVERIFY(!readCheckpointSummary(witness.folder / "elsewhere.safetensors").run);
    }

    void Checkpoint_damaged_isRefused()
    {
        const test::TemporaryFolder folder;
        const std::filesystem::path file = folder / "plain.safetensors";
        const std::vector<float> values(4);
        writeSafetensors(file, std::array{SafetensorsView{"w", {4}, std::span(values)}}, {});
        try {
            static_cast<void>(readCheckpointSummary(file));
            QFAIL("a file without a step was taken for a checkpoint");
        } catch (const Error& error) {
            QVERIFY(QString::fromUtf8(error.what()).contains("no field 'step'"));
            QVERIFY(QString::fromUtf8(error.what()).contains("plain.safetensors"));
        }
    }

    void Request_afterARun_isTheNextOne()
    {
        const RunRequest fresh{smallConfig(3), "/runs/a", false, "/c.safetensors"};
        const RunRequest next = requestAfter(fresh, false);
        QVERIFY(next.folder.empty() && !next.isResume && !next.checkpoint);
        const RunRequest resumed{smallConfig(3), "/runs/a", true, "/c.safetensors"};
        const RunRequest goesOn = requestAfter(resumed, false);
        QVERIFY(goesOn.isResume && !goesOn.checkpoint);
        QCOMPARE(goesOn.folder, std::filesystem::path("/runs/a"));
        const RunRequest again = requestAfter(resumed, true);
        QVERIFY(!again.isResume && again.folder.empty());
    }
};
} // namespace lockstep::ui

LOCKSTEP_TEST(lockstep::ui::TestLiveRun)
#include "test_live_run.moc"
