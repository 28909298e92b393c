// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_facts.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

class TestTrainingRun : public QObject
{
    Q_OBJECT

private slots:
    void Run_toTheEnd_keepsStepsAndCheckpoints();
    void Run_evaluates_everyKAndAtTheEnd();
    void Evaluation_tellsHowFarItIs();
    void Run_thatGetsNoBetter_endsAsFinished();
    void Evaluation_thatWasLost_isMadeByTheResume();
    void Run_inEpochs_hasTheirSteps();
    void Run_inEpochs_hasAllPhases();
    void Passes_changeNoLoss();
    void Clipping_isTold();
    void Save_byTime_losesNoMoreThanThat();
    void Save_thatFails_isToldAndTriedAgain();
    void Resume_goesOn_bitForBit();
    void Resume_withDamagedNewest_takesTheOneBefore();
    void Resume_withoutAGoodCheckpoint_isRefused();
    void Resume_withoutItsStore_keepsAllCheckpoints();
    void Resume_fromAnEarlierCheckpoint_leavesTheOldLine();
    void Pause_thenResume_changesNothing();
    void StepOnce_whilePaused_makesOneStepEach();
    void Stop_savesAndCanBeResumed();
    void Requests_whilePaused_areServed();
    void ExistingRun_withoutResume_isRefused();
    void RecordedRun_isNotGoneOnWith();
    void FailingStart_leavesNoFolder();
    void BestByAFigureThatNeverComes_isRefused();
    void Diverging_namesTheLastGoodCheckpoint();
};

void TestTrainingRun::Run_toTheEnd_keepsStepsAndCheckpoints()
{
    const TemporaryFolder folder;
    Witness witness;
    const auto losses = trainWhole({smallConfig(12), folder / "run"}, witness);
    QCOMPARE(losses.size(), std::size_t{12});
    QCOMPARE(storedLosses(folder / "run"), losses);
    std::vector<std::int64_t> steps;
    for (const CheckpointFile& file : listCheckpoints(folder / "run" / "checkpoints")) {
        steps.push_back(file.step);
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{0, 5, 10, 12}));
    QCOMPARE(readCheckpoint(witness.checkpoints.at(10)).step, 10);
    QVERIFY(witness.states == (std::vector{RunState::Running, RunState::Finished}));
    QCOMPARE(configOfRun(folder / "run").batchPerTower.value(), 8);
}

void TestTrainingRun::Run_evaluates_everyKAndAtTheEnd()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(5);
    config.dataset = "synthetic"; // 2,000 pictures to be tested with
    config.evaluateEverySteps = 3;
    config.evaluateAtEnd = true;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    std::vector<std::pair<std::int64_t, WeightsKind>> found;
    for (const EvaluationRecord& record : witness.evaluations) {
        found.emplace_back(record.step, record.weights);
        QVERIFY(record.accuracy > 0.0 && record.accuracy < 1.0);
        QCOMPARE(record.examples, 2000);
    }
    QVERIFY(
        found
        == (std::vector<std::pair<std::int64_t, WeightsKind>>{
            {3, WeightsKind::Raw},
            {3, WeightsKind::Average},
            {5, WeightsKind::Raw},
            {5, WeightsKind::Average}}));
    const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
    QCOMPARE(reader.evaluations().size(), std::size_t{4});
}

void TestTrainingRun::Run_thatGetsNoBetter_endsAsFinished()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(20);
    config.learningRate.initial = 0.0; // every evaluation is the first one again
    config.evaluateEverySteps = 2;
    config.stopPatience = 3;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 3) { // the same state thrice is no better either, but counts once
            run.send(command::Evaluate{});
            run.send(command::Evaluate{});
        }
    };
    run.train();
    QCOMPARE(witness.losses.size(), std::size_t{8});
    QVERIFY(witness.states.back() == RunState::Finished);
    QVERIFY(std::ranges::any_of(witness.notes, [](const std::string& note) {
        return note.find("better than that at step 2, 3 in a row") != std::string::npos;
    }));
    QVERIFY(witness.checkpoints.contains(2)); // the best
    config.checkpointKeepBest = 0;
    QVERIFY(refusal({config, folder / "other"}).contains("stop.patience"));
}

/// One that was killed in its evaluation has the checkpoint before it and no evaluation.
void TestTrainingRun::Evaluation_thatWasLost_isMadeByTheResume()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(5);
    Witness killed;
    trainWhole({config, folder / "run"}, killed);
    config.steps = 10;
    config.evaluateEverySteps = 5;
    for (const auto& steps : {std::set<std::int64_t>{5, 10}, {}}) {
        Witness resumed;
        trainWhole({config, folder / "run", true}, resumed);
        std::set<std::int64_t> found;
        for (const EvaluationRecord& record : resumed.evaluations) {
            found.insert(record.step);
        }
        QVERIFY(found == steps);
    }
}

void TestTrainingRun::Run_inEpochs_hasTheirSteps()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1000);
    config.epochs = 0.5;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    const auto batch = run.session().stepper().shape().globalBatch();
    const auto examples = run.session().plan().epochExamples;
    const std::int64_t steps = (examples + 2 * batch - 1) / (2 * batch);
    QCOMPARE(run.config().steps, steps);
    run.train();
    QCOMPARE(static_cast<std::int64_t>(witness.losses.size()), steps);
    QCOMPARE(configOfRun(folder / "run").steps, steps);
    QCOMPARE(configOfRun(folder / "run").epochs, 0.0);
}

void TestTrainingRun::Run_inEpochs_hasAllPhases()
{
    const TemporaryFolder folder;
    RunConfig config;
    config.model = {.name = "segdecnet", .inputHeight = 128, .inputWidth = 64};
    config.dataset = "synthetic_defects";
    config.batchPerTower = 2;
    config.towers = 1;
    config.epochs = 1.0;
    Witness witness;
    const TrainingRun run({config, folder / "run"}, witness);
    const auto& phases = run.config().phases;
    QCOMPARE(phases.size(), std::size_t{2}); // as without epochs, each a half of them
    QCOMPARE(phases[0].steps + phases[1].steps, run.config().steps);
    QVERIFY(std::abs(phases[0].steps - phases[1].steps) <= 1);
}

void TestTrainingRun::Passes_changeNoLoss()
{
    const TemporaryFolder folder;
    std::vector<std::vector<double>> losses;
    for (const int passes : {1, 4}) {
        RunConfig config = smallConfig(3);
        config.accumulatePasses = passes;
        Witness witness;
        losses.push_back(trainWhole({config, folder / std::to_string(passes)}, witness));
    }
    QVERIFY(std::abs(losses[1][0] / losses[0][0] - 1.0) < 1e-6);
    QVERIFY(std::abs(losses[1][2] / losses[0][2] - 1.0) < 1e-5);
}

void TestTrainingRun::Clipping_isTold()
{
    const TemporaryFolder folder;
    for (const auto& [norm, told] : {std::pair(1e-9, "3 of 3 steps"), {1e9, "0 of 3 steps"}}) {
        RunConfig config = smallConfig(3);
        config.optimizer.clipNorm = norm;
        Witness witness;
        trainWhole({config, folder / told}, witness);
        QVERIFY(std::ranges::any_of(witness.notes, [told = std::string(told)](const auto& note) {
            return note.find(told) != std::string::npos;
        }));
    }
}

void TestTrainingRun::Evaluation_tellsHowFarItIs()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1);
    config.dataset = "synthetic"; // 2,000 pictures to be tested with
    config.evaluateAtEnd = true;
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    QVERIFY(witness.evaluated.size() > 2);
    for (const EvaluatedExamples& told : witness.evaluated) {
        QVERIFY(told.all == 2000 && told.done > 0 && told.done <= 2000);
    }
}

/// So long is every step that it is due after each.
void TestTrainingRun::Save_byTime_losesNoMoreThanThat()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(3);
    config.checkpointEverySteps = 0;
    for (const double minutes : {1e-12, 0.0, 1000.0}) {
        config.checkpointEveryMinutes = minutes;
        Witness witness;
        trainWhole({config, folder / "run"}, witness);
        std::vector<std::int64_t> steps;
        for (const auto& [step, file] : witness.checkpoints) {
            steps.push_back(step);
        }
        const bool isSoon = minutes > 0.0 && minutes < 1.0;
        QCOMPARE(
            steps,
            isSoon ? (std::vector<std::int64_t>{0, 1, 2, 3}) : (std::vector<std::int64_t>{0, 3}));
        std::filesystem::remove_all(folder / "run");
    }
    QVERIFY(RunConfig().checkpointEveryMinutes > 0.0); // without being asked
}

/// Where the checkpoints lay lies a file for a while.
void TestTrainingRun::Save_thatFails_isToldAndTriedAgain()
{
    const TemporaryFolder folder;
    const std::filesystem::path place = folder / "run" / "checkpoints";
    Witness witness;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 3) {
            std::filesystem::rename(place, folder / "away");
            std::ofstream(place) << "in the way";
        } else if (step == 7) {
            std::filesystem::remove(place);
            std::filesystem::rename(folder / "away", place);
        }
    };
    RunConfig config = smallConfig(12);
    config.evaluateEverySteps = 5; // of which each is the best so far
    config.learningRate.initial = 0.0;
    QCOMPARE(trainWhole({config, folder / "run"}, witness).size(), std::size_t{12});
    QVERIFY(!witness.checkpoints.contains(5) && witness.checkpoints.contains(10));
    QVERIFY(witness.states.back() == RunState::Finished);
    QVERIFY(std::ranges::any_of(witness.notes, [](const std::string& note) {
        return note.find("its checkpoint of step 5 was not completed") != std::string::npos;
    }));
}

void TestTrainingRun::Resume_goesOn_bitForBit()
{
    const TemporaryFolder folder;
    Witness straight;
    const auto expected = trainWhole({smallConfig(20), folder / "straight"}, straight);
    Witness first;
    trainWhole({smallConfig(10), folder / "halves"}, first);
    Witness second;
    trainWhole({smallConfig(20), folder / "halves", true}, second);
    QCOMPARE(second.losses.size(), std::size_t{10});
    QCOMPARE(storedLosses(folder / "halves"), expected);
    const Checkpoint a = readCheckpoint(straight.checkpoints.at(20));
    const Checkpoint b = readCheckpoint(second.checkpoints.at(20));
    QVERIFY(a.weights == b.weights && a.movingAverages == b.movingAverages);
}

void TestTrainingRun::Resume_withDamagedNewest_takesTheOneBefore()
{
    const TemporaryFolder folder;
    Witness first;
    const auto expected = trainWhole({smallConfig(10), folder / "run"}, first);
    {
        std::fstream file(
            first.checkpoints.at(10), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-5, std::ios::end);
        file.put('\x55');
    }
    Witness second;
    trainWhole({smallConfig(10), folder / "run", true}, second);
    QCOMPARE(second.losses.size(), std::size_t{5});
    QCOMPARE(storedLosses(folder / "run"), expected);
    const auto isWarning = [](const std::string& note) {
        return note.find("step-000000010") != std::string::npos;
    };
    QVERIFY(std::ranges::any_of(second.notes, isWarning));
}

void TestTrainingRun::Resume_withoutAGoodCheckpoint_isRefused()
{
    const TemporaryFolder folder;
    Witness first;
    trainWhole({smallConfig(5), folder / "run"}, first);
    for (const auto& [step, file] : first.checkpoints) {
        std::filesystem::resize_file(file, 100);
    }
    const QString told = refusal({smallConfig(10), folder / "run", true});
    QVERIFY2(told.contains("none of its 2 checkpoints can be read"), qPrintable(told));
    QCOMPARE(storedLosses(folder / "run"), first.losses);
}

/// One of them may be the best, and the store that could tell is gone.
void TestTrainingRun::Resume_withoutItsStore_keepsAllCheckpoints()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(10);
    Witness first;
    trainWhole({config, folder / "run"}, first);
    const auto kept = listCheckpoints(folder / "run" / "checkpoints");
    QVERIFY(kept.size() > 2);
    std::filesystem::remove(RunFolder::storeFileOf(folder / "run"));
    config.steps = 15;
    config.checkpointKeep = 1;
    Witness second;
    trainWhole({config, folder / "run", true}, second);
    for (const CheckpointFile& file : kept) {
        QVERIFY(std::filesystem::exists(file.path));
    }
}

void TestTrainingRun::Resume_fromAnEarlierCheckpoint_leavesTheOldLine()
{
    const TemporaryFolder folder;
    Witness first;
    trainWhole({smallConfig(10), folder / "run"}, first);
    RunConfig config = smallConfig(8);
    config.learningRate.initial = 0.01;
    Witness second;
    trainWhole({config, folder / "run", true, first.checkpoints.at(5)}, second);
    const auto stored = storedLosses(folder / "run");
    QCOMPARE(stored.size(), std::size_t{8});
    QCOMPARE(stored[5], first.losses[5]);
    QVERIFY(stored[7] != first.losses[7]);
    const RunStoreReader reader(RunFolder::storeFileOf(folder / "run"));
    QCOMPARE(reader.branches().size(), std::size_t{2});
}

void TestTrainingRun::Pause_thenResume_changesNothing()
{
    const TemporaryFolder folder;
    Witness plain;
    const auto expected = trainWhole({smallConfig(12), folder / "plain"}, plain);
    Witness witness;
    TrainingRun run({smallConfig(12), folder / "paused"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 4) {
            run.send(command::Pause{});
        }
    };
    std::thread trainer([&] { run.train(); });
    QTRY_VERIFY(witness.isPaused);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const bool isStill = witness.losses.size() == 5 && run.state() == RunState::Paused;
    run.send(command::Resume{});
    trainer.join();
    QVERIFY(isStill);
    QCOMPARE(witness.losses, expected);
    QVERIFY(
        witness.states
        == (std::vector{
            RunState::Running, RunState::Paused, RunState::Running, RunState::Finished}));
}

void TestTrainingRun::StepOnce_whilePaused_makesOneStepEach()
{
    const TemporaryFolder folder;
    Witness whole;
    const auto expected = trainWhole({smallConfig(12), folder / "whole"}, whole);
    Witness witness;
    TrainingRun run({smallConfig(12), folder / "stepped"}, witness);
    run.send(command::StepOnce{}); // nothing is paused: has no effect
    witness.afterStep = [&](std::int64_t step) {
        if (step == 3) {
            run.send(command::Pause{});
        }
    };
    std::vector<std::size_t> madeAtPause;
    witness.whenPaused = [&] {
        madeAtPause.push_back(witness.losses.size());
        madeAtPause.size() < 4 ? run.send(command::StepOnce{}) : run.send(command::Stop{});
    };
    run.train();
    QCOMPARE(madeAtPause, (std::vector<std::size_t>{4, 5, 6, 7}));
    QVERIFY(witness.losses == std::vector(expected.begin(), expected.begin() + 7));
}

void TestTrainingRun::Stop_savesAndCanBeResumed()
{
    const TemporaryFolder folder;
    Witness plain;
    const auto expected = trainWhole({smallConfig(12), folder / "plain"}, plain);
    Witness first;
    {
        TrainingRun run({smallConfig(12), folder / "run"}, first);
        first.afterStep = [&](std::int64_t step) {
            if (step == 6) {
                run.send(command::Stop{});
            }
        };
        run.train();
        QVERIFY(run.state() == RunState::Stopped);
    }
    QCOMPARE(first.losses.size(), std::size_t{7});
    QVERIFY(first.checkpoints.contains(7));
    Witness second;
    trainWhole({smallConfig(12), folder / "run", true}, second);
    QCOMPARE(storedLosses(folder / "run"), expected);
}

void TestTrainingRun::Requests_whilePaused_areServed()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({smallConfig(6), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 2) {
            run.send(command::Pause{});
        }
    };
    std::thread trainer([&] { run.train(); });
    QTRY_VERIFY(witness.isPaused);
    run.send(command::SaveCheckpoint{});
    run.send(command::SaveCheckpointAs{folder / "mine.safetensors"});
    run.send(command::SaveCheckpointAs{folder / "no such folder" / "mine.safetensors"});
    run.send(command::Evaluate{});
    run.send(command::Resume{});
    trainer.join();
    QCOMPARE(readCheckpoint(folder / "mine.safetensors").step, 3);
    QVERIFY(std::filesystem::exists(folder / "run" / "checkpoints" / "step-000000003.safetensors"));
    QCOMPARE(witness.evaluations.size(), std::size_t{2});
    QCOMPARE(witness.evaluations.front().step, 3);
    const auto isFailure = [](const std::string& note) {
        return note.find("no such folder") != std::string::npos;
    };
    QVERIFY(std::ranges::any_of(witness.notes, isFailure));
    QCOMPARE(witness.losses.size(), std::size_t{6});
}

void TestTrainingRun::ExistingRun_withoutResume_isRefused()
{
    const TemporaryFolder folder;
    Witness first;
    const auto losses = trainWhole({smallConfig(3), folder / "run"}, first);
    Witness second;
    QVERIFY_THROWS_EXCEPTION(Error, TrainingRun({smallConfig(3), folder / "run"}, second));
    QCOMPARE(storedLosses(folder / "run"), losses);
}

// Another program trained it: its settings, of which little is known, are not ours.
void TestTrainingRun::RecordedRun_isNotGoneOnWith()
{
    const TemporaryFolder folder;
    {
        const RunFolder run = RunFolder::create(folder / "run", "[model]\nname = 'ResNet'\n");
        RunStore store(run.storeFile());
        store.append(RunValue{kRecordedByFact, "PyTorch"});
        store.close();
    }
    const QString why = refusal({configOfRun(folder / "run"), folder / "run", true});
    QVERIFY2(why.contains("recorded (PyTorch); only the program"), qPrintable(why));
    QCOMPARE(recorderOf(folder / "run"), std::string("PyTorch"));
    QVERIFY(recorderOf(folder / "none").empty());
}

void TestTrainingRun::FailingStart_leavesNoFolder()
{
    const TemporaryFolder folder;
    Witness witness;
    RunConfig config = smallConfig(3);
    config.device = "cuda";
    QVERIFY_THROWS_EXCEPTION(Error, TrainingRun({config, folder / "run"}, witness));
    QVERIFY(!std::filesystem::exists(folder / "run"));
}

// A network that only classifies has no average precision.
void TestTrainingRun::BestByAFigureThatNeverComes_isRefused()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(5);
    config.checkpointBestBy = "average_precision";
    Witness witness;
    QVERIFY(tells(
        errorOf([&] {
            trainWhole({config, folder / "run"}, witness);
        }),
        ErrorCode::BadInput, "average_precision", "detect"));
    QVERIFY(!std::filesystem::exists(folder / "run"));
}

void TestTrainingRun::Diverging_namesTheLastGoodCheckpoint()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(10);
    config.learningRate.initial = 1e20;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    const auto error = errorOf([&] { run.train(); });
    const std::string last = run.lastCheckpoint().string();
    QVERIFY(tells(error, ErrorCode::Numeric, last));
    for (const NamedTensor& tensor : readCheckpoint(last).weights) {
        for (const float value : tensor.values) {
            QVERIFY(std::isfinite(value));
        }
    }
    QVERIFY(run.state() == RunState::Failed);
}

LOCKSTEP_TEST(TestTrainingRun)
#include "test_training_run.moc"
