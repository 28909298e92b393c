// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/stored_run.h"
#include "support/cifar10_files.h"
#include "support/text_rows.h"
#include "ui/many_pictures.h"
#include "ui/session_witness.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

using namespace lockstep;
using namespace lockstep::ui;
using State = SessionController::State;

namespace {

/// The losses of a run that nothing disturbed, by the engine alone.
std::vector<double> undisturbedLosses(const RunConfig& config, const std::filesystem::path& folder)
{
    RunObserver nobody;
    TrainingRun run({config, folder}, nobody);
    run.train();
    return storedLosses(folder);
}

void addBusyStates()
{
    QTest::addColumn<State>("from");
    QTest::newRow("preparing") << State::Preparing;
    QTest::newRow("running") << State::Running;
    QTest::newRow("pausing") << State::Pausing;
    QTest::newRow("paused") << State::Paused;
}

void bringTo(State state, SessionWitness& witness, const RunRequest& request)
{
    witness.controller.start(request);
    if (state != State::Preparing) {
        WAIT_FOR(Running);
    }
    if (state == State::Pausing || state == State::Paused) {
        witness.controller.send(command::Pause{});
    }
    if (state == State::Paused) {
        WAIT_FOR(Paused);
    }
    QCOMPARE(witness.controller.state(), state);
}

} // namespace

class TestSessionController : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::writeCifar10Folder(m_data.path(), 20); }

    void Session_throughAllCommands_losesNothing()
    {
        SessionWitness witness;
        SessionController& controller = witness.controller;
        const QSignalSpy started(&controller.feed(), &RunFeed::started);
        controller.start({smallConfig(kEndless), witness.run()});
        QVERIFY(controller.isBusy() && !controller.canStart());
        QTRY_VERIFY(witness.steps.size() >= 30);
        QCOMPARE(started.size(), 1);
        QCOMPARE(controller.plan().folder, witness.run());
        QCOMPARE(controller.plan().config.batchPerTower.value(), 8);

        controller.send(command::Pause{});
        WAIT_FOR(Paused);
        const auto pausedAt = static_cast<std::int64_t>(witness.steps.size());
        const std::size_t before = witness.checkpoints.size();
        controller.send(command::SaveCheckpoint{});
        controller.send(command::SaveCheckpointAs{witness.folder / "mine.safetensors"});
        QTRY_COMPARE(witness.checkpoints.size(), before + 2);
        QCOMPARE(witness.checkpoints[before].first, pausedAt);
        QCOMPARE(witness.checkpoints[before + 1].second, witness.folder / "mine.safetensors");
        const Checkpoint saved = readCheckpoint(witness.checkpoints[before].second);
        const Checkpoint mine = readCheckpoint(witness.folder / "mine.safetensors");
        QCOMPARE(saved.step, pausedAt);
        QVERIFY(saved.weights == mine.weights && saved.movingAverages == mine.movingAverages);
        QCOMPARE(static_cast<std::int64_t>(witness.steps.size()), pausedAt);

        controller.send(command::Resume{});
        QCOMPARE(controller.state(), State::Running);
        QTRY_VERIFY(static_cast<std::int64_t>(witness.steps.size()) > pausedAt);
        controller.send(command::Stop{});
        QCOMPARE(controller.state(), State::Stopping);
        WAIT_FOR(Stopped);
        const auto stoppedAt = static_cast<std::int64_t>(witness.steps.size());
        QCOMPARE(witness.checkpoints.back().first, stoppedAt);
        QVERIFY(
            witness.states
            == (std::vector{
                State::Preparing, State::Running, State::Pausing, State::Paused, State::Running,
                State::Stopping, State::Stopped}));

        witness.steps.clear();
        controller.start({smallConfig(stoppedAt + 30), witness.run(), true});
        WAIT_FOR(Finished);
        const auto expected =
            undisturbedLosses(smallConfig(stoppedAt + 30), witness.folder / "straight");
        QVERIFY(witness.hasLosses(expected));
        QCOMPARE(storedLosses(witness.run()), expected);
        QVERIFY2(witness.warnings.isEmpty(), qPrintable(witness.warnings.join('\n')));
    }

    // As on a share that is gone: a file that is there, and whose content never comes.
    void Open_afterARunThatDoesNotAnswer_isNotKeptWaiting()
    {
        const test::TemporaryFolder folder;
        RunObserver nobody;
        TrainingRun({tinyConfig(3), folder / "run"}, nobody).train();
        const std::filesystem::path pipe = folder / "dead" / "run.toml";
        std::filesystem::create_directory(folder / "dead");
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        SessionWitness witness;
        witness.controller.open(folder / "dead");
        QTest::qWait(50);
        witness.controller.open(folder / "run");
        QTRY_COMPARE(witness.steps.size(), std::size_t{3});
        QCOMPARE(witness.controller.plan().folder, folder / "run");
        std::ofstream(pipe) << "towers = [[["; // lets the reader go
        QTest::qWait(50);
        QCOMPARE(witness.controller.plan().folder, folder / "run");
        QCOMPARE(witness.warnings, QStringList());
    }

    void Run_toItsEnd_tellsEverythingBeforeFinished()
    {
        SessionWitness witness;
        std::size_t stepsAtEnd = 0;
        std::size_t evaluationsAtEnd = 0;
        connect(&witness.controller, &SessionController::stateChanged, this, [&](State state) {
            if (state == State::Finished) {
                stepsAtEnd = witness.steps.size();
                evaluationsAtEnd = witness.evaluations.size();
            }
        });
        const QSignalSpy placed(&witness.controller.feed(), &RunFeed::towersPlaced);
        RunConfig config = tinyConfig(30);
        config.evaluateAtEnd = true;
        witness.train(config);
        QCOMPARE(stepsAtEnd, std::size_t{30});
        QCOMPARE(evaluationsAtEnd, std::size_t{2});
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
        QCOMPARE(placed.size(), 1);
        const auto towers = placed[0][0].value<std::vector<TowerPlacement>>();
        QCOMPARE(towers.size(), std::size_t{2});
        QCOMPARE(towers[1].device, "cpu");
        QVERIFY(towers[0].memoryBytes > 0 && towers[0].memoryBytes == towers[1].memoryBytes);
        QVERIFY2(witness.warnings.isEmpty(), qPrintable(witness.warnings.join('\n')));
        QVERIFY(!witness.notes.isEmpty());
        const double chance = witness.controller.plan().chance.accuracy;
        QVERIFY(chance > 0.0);
        QCOMPARE(readStoredRun(witness.run()).chance.accuracy, chance);

        // The evaluations of the history come again with a resume.
        witness.evaluations.clear();
        config.evaluateAtEnd = false;
        config.steps = 31;
        witness.train(config, true);
        QCOMPARE(witness.evaluations.size(), std::size_t{2});
        QCOMPARE(witness.evaluations[0].step, 30);
    }

    void Pause_thenResumeAtOnce_goesOn()
    {
        SessionWitness witness;
        witness.start(tinyConfig(kEndless));
        WAIT_FOR(Running);
        for (int i = 0; i < 50; ++i) {
            witness.controller.send(command::Pause{});
            QVERIFY(witness.controller.can(command::Resume{}));
            if (i % 3 == 0) {
                QCoreApplication::processEvents();
            }
            witness.controller.send(command::Resume{});
            QCOMPARE(witness.controller.state(), State::Running);
        }
        const std::size_t before = witness.steps.size();
        QTRY_VERIFY(witness.steps.size() > before + 5);
        QCOMPARE(witness.controller.state(), State::Running);
        witness.controller.send(command::Pause{});
        WAIT_FOR(Paused);
    }

    void Paused_standsStill_andEvaluates()
    {
        SessionWitness witness;
        RunConfig config = tinyConfig(kEndless);
        config.batchPerTower = 1024; // a step takes longer than a report's way to the window
        std::optional<std::size_t> stepsAtPause;
        connect(&witness.controller.feed(), &RunFeed::stepsArrived, this, [&] {
            if (!stepsAtPause && witness.steps.size() >= 3) {
                witness.controller.send(command::Pause{});
                stepsAtPause = witness.steps.size();
            }
        });
        witness.start(config);
        WAIT_FOR(Paused);
        // The step in progress, and one that was done and on its way.
        QVERIFY(witness.steps.size() <= stepsAtPause.value() + 2);
        const std::size_t steps = witness.steps.size();
        QTest::qWait(100);
        QCOMPARE(witness.steps.size(), steps);
        witness.controller.send(command::Evaluate{});
        QTRY_COMPARE(witness.evaluations.size(), std::size_t{2});
        QCOMPARE(witness.evaluations[0].step, static_cast<std::int64_t>(steps));
        QCOMPARE(witness.controller.state(), State::Paused);
    }

    void Stop_inAnyState_ends_data() { addBusyStates(); }

    void Stop_inAnyState_ends()
    {
        QFETCH(const State, from);
        SessionWitness witness;
        bringTo(from, witness, {tinyConfig(kEndless), witness.run()});
        witness.controller.send(command::Stop{});
        QCOMPARE(witness.controller.state(), State::Stopping);
        WAIT_FOR(Stopped);
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
        const auto stopping =
            std::find(witness.states.begin(), witness.states.end(), State::Stopping);
        QVERIFY(stopping + 2 == witness.states.end());
    }

    /// Before there is a run: a person who asks for that is told of no error.
    void Stop_whileTheDataIsOpened_isNoFailure()
    {
        SessionWitness witness;
        RunConfig config = smallConfig(kEndless);
        config.dataset = "image_folder";
        config.datasetPath = manyPictures(witness.folder / "pictures").string();
        witness.start(config);
        witness.controller.send(command::Stop{});
        WAIT_FOR(Stopped);
        QCOMPARE(witness.failure, QString());
        QVERIFY(!witness.controller.isPlanned());
        QVERIFY(!std::filesystem::exists(witness.run()));
        witness.train(tinyConfig(3));
        QVERIFY(witness.controller.isPlanned());
    }

    void Destroyed_inAnyState_savesAndEnds_data() { addBusyStates(); }

    void Destroyed_inAnyState_savesAndEnds()
    {
        QFETCH(const State, from);
        const test::TemporaryFolder folder;
        {
            SessionWitness witness;
            bringTo(from, witness, {tinyConfig(kEndless), folder / "run"});
        }
        QCoreApplication::processEvents(); // nothing is left that speaks to the dead
        const auto checkpoints = listCheckpoints(RunFolder::checkpointsOf(folder / "run"));
        QVERIFY(!checkpoints.empty());
        const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
        QCOMPARE(readCheckpoint(checkpoints.back().path).step, reader.nextStep());
    }

    void Start_thatFails_saysWhyAndCanBeRepeated_data()
    {
        test::addTextRows(
            {"key", "value", "named"},
            {{"a value", "towers", "0", "towers"},
             {"no such data", "dataset.name", "nothing", "nothing"},
             {"no folder", "dataset.path", "/no/such/folder", "/no/such/folder"},
             {"no such model", "model.name", "no_such_net", "no_such_net"},
             {"no such device", "device", "warp", "warp"}});
    }

    void Start_thatFails_saysWhyAndCanBeRepeated()
    {
        QFETCH(const QString, key);
        QFETCH(const QString, value);
        QFETCH(const QString, named);
        SessionWitness witness;
        RunConfig config = tinyConfig(3);
        setConfigValue(config, key.toStdString(), value.toStdString());
        witness.start(config);
        WAIT_FOR(Failed);
        QVERIFY2(witness.failure.contains(named), qPrintable(witness.failure));
        QVERIFY(witness.controller.canStart());
        QVERIFY(!std::filesystem::exists(witness.run()));
        witness.train(tinyConfig(3));
        QCOMPARE(witness.steps.size(), std::size_t{3});
    }

    void Start_fromAReportOfTheEnd_works()
    {
        SessionWitness witness;
        int starts = 0;
        const auto startAgain = [&](State state) {
            const bool hasEnded = state == State::Failed || state == State::Finished;
            if (hasEnded && ++starts < 4) {
                RunConfig config = tinyConfig(starts % 2 == 0 ? -1 : 2);
                witness.controller.start({config, witness.folder / std::to_string(starts)});
            }
        };
        connect(&witness.controller, &SessionController::stateChanged, this, startAgain);
        witness.controller.start({tinyConfig(-1), witness.folder / "0"});
        QTRY_COMPARE(starts, 4);
        WAIT_FOR(Finished);
        QCOMPARE(witness.steps.size(), std::size_t{4});
    }

    void Diverging_namesTowerStepAndCheckpoint()
    {
        SessionWitness witness;
        RunConfig config = tinyConfig(10);
        config.learningRate.initial = 1e20;
        witness.start(config);
        WAIT_FOR(Failed);
        const QString where = QString("step %1, tower ").arg(witness.steps.size());
        QVERIFY2(witness.failure.contains(where), qPrintable(witness.failure));
        const std::string checkpoint = witness.checkpoints.back().second.string();
        QVERIFY(witness.failure.contains(QString::fromStdString(checkpoint)));
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
        // From the last good checkpoint, as the text says.
        config.learningRate.initial = 0.01;
        witness.steps.clear();
        witness.train(config, true);
        QCOMPARE(witness.steps.size(), std::size_t{10});
    }

    void Start_whileBusy_isRefused()
    {
        SessionWitness witness;
        witness.start(tinyConfig(kEndless));
        witness.controller.start({tinyConfig(5), witness.folder / "other"});
        QCOMPARE(witness.warnings.size(), 1);
        WAIT_FOR(Running);
        witness.controller.start({tinyConfig(5), witness.folder / "other"});
        QCOMPARE(witness.warnings.size(), 2);
        witness.controller.send(command::Stop{});
        witness.controller.start({tinyConfig(5), witness.folder / "other"});
        QCOMPARE(witness.warnings.size(), 3);
        WAIT_FOR(Stopped);
        QCOMPARE(witness.controller.plan().folder, witness.run());
        QVERIFY(!std::filesystem::exists(witness.folder / "other"));
    }

    void Commands_whileIdle_doNothing()
    {
        SessionWitness witness;
        SessionController& controller = witness.controller;
        controller.send(command::Pause{});
        controller.send(command::Resume{});
        controller.send(command::Stop{});
        controller.send(command::SaveCheckpoint{});
        controller.send(command::SaveCheckpointAs{"nowhere"});
        controller.send(command::Evaluate{});
        QCOMPARE(controller.state(), State::Idle);
        QVERIFY(
            controller.canStart() && !controller.can(command::Stop{})
            && !controller.can(command::SaveCheckpoint{}));
        QVERIFY(witness.states.empty());
        QVERIFY(controller.plan().folder.empty());
    }

    void SaveAs_toNowhere_warnsAndGoesOn()
    {
        SessionWitness witness;
        witness.start(tinyConfig(kEndless));
        WAIT_FOR(Running);
        witness.controller.send(
            command::SaveCheckpointAs{witness.folder / "nowhere" / "mine.safetensors"});
        QTRY_COMPARE(witness.warnings.size(), 1);
        QVERIFY(witness.warnings[0].contains("nowhere"));
        QCOMPARE(witness.controller.state(), State::Running);
    }

    void FullSpeed_keepsEveryStepAndTheGuiAnswers()
    {
        SessionWitness witness;
        RunConfig config = tinyConfig(6000);
        config.batchPerTower = 1;
        config.checkpointEverySteps = 0;
        qint64 longest = 0;
        QElapsedTimer sinceBeat;
        QTimer beat;
        connect(&beat, &QTimer::timeout, this, [&] {
            longest = std::max(longest, sinceBeat.restart());
        });
        witness.start(config);
        WAIT_FOR(Running);
        sinceBeat.start();
        beat.start(1);
        WAIT_FOR(Finished);
        beat.stop();
        const double rate =
            static_cast<double>(witness.steps.size()) / witness.steps.back().wallSeconds;
        qInfo("%.0f steps/s; the GUI thread was away for at most %lld ms", rate, longest);
        QVERIFY(witness.hasLosses(storedLosses(witness.run())));
        QVERIFY2(longest < 1000, "the GUI thread did not answer for a second");
    }

private:
    /// On a tiny data set, which is opened in no time.
    [[nodiscard]] RunConfig tinyConfig(std::int64_t steps) const
    {
        RunConfig config = smallConfig(steps);
        config.dataset = "cifar10";
        config.datasetPath = m_data.path().string();
        config.learningRate.initial = 0.01;
        return config;
    }

    test::TemporaryFolder m_data;
};
LOCKSTEP_TEST(TestSessionController)
#include "test_session_controller.moc"
