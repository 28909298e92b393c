// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_remote.h"
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Trains a new run and calls `act` at the end of step `at`.
std::vector<double> trainActing(
    const RunRequest& request, Witness& witness, std::int64_t at,
    const std::function<void(TrainingRun&)>& act)
{
    TrainingRun run(request, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == at) {
            act(run);
        }
    };
    run.train();
    return witness.losses;
}

/// 40 steps, with a decay every 10.
RunConfig halvedEveryTenSteps(const TemporaryFolder& folder)
{
    RunConfig config = smallConfig(40);
    Witness probe;
    const TrainingRun planned({config, folder / "probe"}, probe);
    const auto size = static_cast<double>(
        planned.session().stepper().shape().globalBatch()
        * planned.session().plan().schedule.decaySteps());
    config.learningRate.epochsPerDecay *= 10.0 * 16.0 / size;
    config.learningRate.decayFactor = 0.5;
    return config;
}

bool isSameState(const fs::path& a, const fs::path& b)
{
    const Checkpoint one = readCheckpoint(a);
    const Checkpoint other = readCheckpoint(b);
    return one.weights == other.weights && one.movingAverages == other.movingAverages;
}

bool anyContains(const std::vector<std::string>& notes, const std::string& words)
{
    return std::ranges::any_of(
        notes, [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

} // namespace

/// What is changed in a run while it trains.
class TestLiveControl : public QObject
{
    Q_OBJECT

private slots:
    void LearningRate_changed_isARunResumedWithIt();
    void LearningRate_changed_savesAndPinsFirst();
    void LearningRate_changed_isKeptForAResume();
    void LearningRate_afterDecays_decaysOn();
    void LearningRate_changed_branchFromBefore_hasTheRateOfThen();
    void LearningRate_tooHigh_isNamedAsOfThen();
    void LearningRate_toZero_keepsTheWeights();
    void LearningRate_whilePaused_takesTheCheckpointThatIsThere();
    void LearningRate_thatCantBeSaved_stays();
    void LearningRate_badValue_isRefused();
    void Steps_extended_isALongerRun();
    void Steps_extendedInTheLastStep_goesOn();
    void Steps_shortened_endsThere();
    void Steps_belowWhatIsDone_isRefused();
    void StopAfterEpoch_stopsWithTheStepThatCompletesIt();
    void StopAfterEpoch_beforeTheFirstStep_stopsAfterTheNextEpoch();
    void StopAfterEpoch_takenBack_goesOn();
    void Remote_changesBoth();
};

// The law that makes the change trustworthy: bit for bit the run that was stopped there and
// resumed.
void TestLiveControl::LearningRate_changed_isARunResumedWithIt()
{
    const TemporaryFolder folder;
    Witness live;
    const auto changed =
        trainActing({smallConfig(40), folder / "live"}, live, 19, [](TrainingRun& run) {
            run.send(command::SetLearningRate{0.003});
        });
    Witness first;
    auto halves =
        trainActing({smallConfig(40), folder / "halves"}, first, 19, [](TrainingRun& run) {
            run.send(command::Stop{});
        });
    QCOMPARE(halves.size(), 20U);
    RunConfig config = configOfRun(folder / "halves");
    config.learningRate.initial = 0.003;
    Witness second;
    const auto rest = trainWhole({config, folder / "halves", true}, second);
    halves.insert(halves.end(), rest.begin(), rest.end());
    QCOMPARE(changed, halves);
    QVERIFY(isSameState(live.checkpoints.at(40), second.checkpoints.at(40)));
    const auto steps = storedSteps(folder / "live");
    QCOMPARE(steps[19].learningRate, 0.1);
    QCOMPARE(steps[20].learningRate, 0.003);
    QCOMPARE(steps[39].learningRate, 0.003);
}

void TestLiveControl::LearningRate_changed_savesAndPinsFirst()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(60);
    config.checkpointKeep = 1;
    Witness witness;
    trainActing({config, folder / "run"}, witness, 12, [](TrainingRun& run) {
        run.send(command::SetLearningRate{0.01});
    });
    // Twelve checkpoints later, of which one is kept, it is still there.
    const auto files = listCheckpoints(folder / "run" / "checkpoints");
    QCOMPARE(files.size(), 2U);
    QVERIFY(files[0].step == 13 && files[0].isPinned && !files[1].isPinned);
    RunConfig before;
    parseConfig(before, readCheckpoint(files[0].path).configuration, "checkpoint");
    QCOMPARE(before.learningRate.initial, 0.1);
    RunConfig after;
    parseConfig(after, readCheckpoint(files[1].path).configuration, "checkpoint");
    QCOMPARE(after.learningRate.initial, 0.01);
    const auto events = RunStoreReader(RunFolder::storeFileOf(folder / "run")).events();
    const auto event = std::ranges::find(events, std::string(kLearningRateEvent), &RunEvent::kind);
    QVERIFY(event != events.end());
    QCOMPARE(event->step, 13);
    for (const char* words :
         {"0.01", "0.1 ", "step 13", "checkpoints/step-000000013.safetensors"}) {
        QVERIFY2(event->text.find(words) != std::string::npos, event->text.c_str());
    }
    QCOMPARE(witness.configs.size(), 1U);
    QCOMPARE(witness.configs.front().learningRate.initial, 0.01);
}

void TestLiveControl::LearningRate_changed_isKeptForAResume()
{
    const TemporaryFolder folder;
    Witness first;
    trainActing({smallConfig(40), folder / "run"}, first, 9, [](TrainingRun& run) {
        run.send(command::SetLearningRate{0.02});
        run.send(command::Stop{});
    });
    const RunConfig config = configOfRun(folder / "run");
    QCOMPARE(config.learningRate.initial, 0.02);
    Witness second;
    trainWhole({config, folder / "run", true}, second);
    QCOMPARE(storedSteps(folder / "run")[10].learningRate, 0.02);
    const auto facts = RunStoreReader(RunFolder::storeFileOf(folder / "run")).values();
    QCOMPARE(facts.at("configuration"), toToml(config));
}

void TestLiveControl::LearningRate_afterDecays_decaysOn()
{
    const TemporaryFolder folder;
    const RunConfig config = halvedEveryTenSteps(folder);
    Witness witness;
    trainActing({config, folder / "run"}, witness, 24, [](TrainingRun& run) {
        run.send(command::SetLearningRate{0.3});
    });
    const auto steps = storedSteps(folder / "run");
    QCOMPARE(steps[24].learningRate, 0.1 * 0.25);
    QCOMPARE(steps[25].learningRate, 0.3);
    QCOMPARE(steps[29].learningRate, 0.3);
    QCOMPARE(steps[30].learningRate, 0.15);
    QCOMPARE(configOfRun(folder / "run").learningRate.initial, 1.2);
}

// 0.1, halved every 10 steps, is 0.3 from step 25 on: as an initial rate that is 1.2, with which
// nobody wants to go on from step 5.
void TestLiveControl::LearningRate_changed_branchFromBefore_hasTheRateOfThen()
{
    const TemporaryFolder folder;
    RunConfig config = halvedEveryTenSteps(folder);
    config.checkpointKeep = 20;
    Witness witness;
    trainActing({config, folder / "run"}, witness, 24, [](TrainingRun& run) {
        run.send(command::SetLearningRate{0.3});
    });
    const auto before = storedSteps(folder / "run");
    for (const std::int64_t from :
         {5, 25, 35}) { // at 25 the state from before the change is pinned
        const fs::path file = witness.checkpoints.at(from);
        RunConfig ofCheckpoint;
        parseConfig(ofCheckpoint, readCheckpoint(file).configuration, "checkpoint");
        const RunConfig further = configToContinue(folder / "run", ofCheckpoint);
        QCOMPARE(further.learningRate.initial, from < 30 ? 0.1 : 1.2);
    }
    RunConfig ofCheckpoint;
    const fs::path file = witness.checkpoints.at(5);
    parseConfig(ofCheckpoint, readCheckpoint(file).configuration, "checkpoint");
    RunConfig further = configToContinue(folder / "run", ofCheckpoint);
    further.steps = 20;
    Witness second;
    trainWhole({further, folder / "run", true, file}, second);
    const auto after = storedSteps(folder / "run");
    for (std::size_t i = 5; i < 20; ++i) {
        QCOMPARE(after[i].learningRate, before[i].learningRate);
        QCOMPARE(after[i].lossMean, before[i].lossMean);
    }
}

void TestLiveControl::LearningRate_tooHigh_isNamedAsOfThen()
{
    const TemporaryFolder folder;
    Witness witness;
    const RunConfig config = halvedEveryTenSteps(folder);
    const QString text = failureOf([&] {
        trainActing({config, folder / "run"}, witness, 24, [](TrainingRun& run) {
            run.send(command::SetLearningRate{1e30});
        });
    });
    QVERIFY2(text.contains("learning_rate.initial is 4e+30"), qPrintable(text));
    QVERIFY2(text.contains("made 1e+30 at step 2"), qPrintable(text));
}

void TestLiveControl::LearningRate_toZero_keepsTheWeights()
{
    const TemporaryFolder folder;
    Witness witness;
    trainActing({smallConfig(20), folder / "run"}, witness, 9, [](TrainingRun& run) {
        run.send(command::SetLearningRate{0.0});
    });
    const Checkpoint before = readCheckpoint(witness.checkpoints.at(10));
    const Checkpoint after = readCheckpoint(witness.checkpoints.at(20));
    QVERIFY(before.weights == after.weights);
}

void TestLiveControl::LearningRate_whilePaused_takesTheCheckpointThatIsThere()
{
    const TemporaryFolder folder;
    Witness witness;
    int pauses = 0;
    TrainingRun run({smallConfig(12), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 4) { // saved periodically, right after
            run.send(command::Pause{});
        }
    };
    witness.whenPaused = [&] {
        ++pauses;
        run.send(command::SetLearningRate{0.05});
        run.send(command::SetLearningRate{0.04});
        run.send(command::Resume{});
    };
    run.train();
    QCOMPARE(pauses, 1);
    const auto files = listCheckpoints(folder / "run" / "checkpoints");
    const auto pinned = std::ranges::count_if(files, &CheckpointFile::isPinned);
    QCOMPARE(pinned, 1);
    RunConfig config;
    parseConfig(config, readCheckpoint(witness.checkpoints.at(5)).configuration, "checkpoint");
    QCOMPARE(config.learningRate.initial, 0.1); // what it was made with
    QCOMPARE(storedSteps(folder / "run")[5].learningRate, 0.04);
}

void TestLiveControl::LearningRate_thatCantBeSaved_stays()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(12);
    config.checkpointEverySteps = 0;
    Witness witness;
    const fs::path obstacle = folder / "run" / "checkpoints" / "step-000000007.safetensors.tmp";
    trainActing({config, folder / "run"}, witness, 6, [&](TrainingRun& run) {
        fs::create_directories(obstacle / "in the way");
        run.send(command::SetLearningRate{0.05});
    });
    QVERIFY(anyContains(witness.notes, "the learning rate stays 0.1"));
    QCOMPARE(witness.losses.size(), 12U);
    QCOMPARE(storedSteps(folder / "run")[8].learningRate, 0.1);
    QCOMPARE(configOfRun(folder / "run").learningRate.initial, 0.1);
}

void TestLiveControl::LearningRate_badValue_isRefused()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({smallConfig(3), folder / "run"}, witness);
    for (const double rate : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
        QVERIFY(failureOf([&] { run.send(command::SetLearningRate{rate}); }).contains("0 or more"));
    }
    run.train();
    QVERIFY(witness.configs.empty());
}

void TestLiveControl::Steps_extended_isALongerRun()
{
    const TemporaryFolder folder;
    Witness whole;
    const auto expected = trainWhole({smallConfig(25), folder / "whole"}, whole);
    Witness witness;
    const auto losses =
        trainActing({smallConfig(12), folder / "run"}, witness, 6, [](TrainingRun& run) {
            run.send(command::SetSteps{25});
        });
    QCOMPARE(losses, expected);
    QVERIFY(isSameState(whole.checkpoints.at(25), witness.checkpoints.at(25)));
    QCOMPARE(configOfRun(folder / "run").steps, 25);
    QCOMPARE(witness.configs.front().steps, 25);
    QVERIFY(witness.states == (std::vector{RunState::Running, RunState::Finished}));
}

void TestLiveControl::Steps_extendedInTheLastStep_goesOn()
{
    const TemporaryFolder folder;
    Witness witness;
    const auto losses =
        trainActing({smallConfig(12), folder / "run"}, witness, 11, [](TrainingRun& run) {
            run.send(command::SetSteps{15});
        });
    QCOMPARE(losses.size(), 15U);
    QVERIFY(witness.states == (std::vector{RunState::Running, RunState::Finished}));
}

void TestLiveControl::Steps_shortened_endsThere()
{
    const TemporaryFolder folder;
    Witness witness;
    const auto losses =
        trainActing({smallConfig(1000), folder / "run"}, witness, 6, [](TrainingRun& run) {
            run.send(command::SetSteps{9});
        });
    QCOMPARE(losses.size(), 9U);
    Witness now;
    const auto atOnce =
        trainActing({smallConfig(1000), folder / "now"}, now, 6, [](TrainingRun& run) {
            run.send(command::SetSteps{7});
        });
    QCOMPARE(atOnce.size(), 7U);
    QVERIFY(now.states.back() == RunState::Finished);
    QVERIFY(now.checkpoints.contains(7));
}

void TestLiveControl::Steps_belowWhatIsDone_isRefused()
{
    const TemporaryFolder folder;
    Witness witness;
    QString refusal;
    trainActing({smallConfig(12), folder / "run"}, witness, 6, [&](TrainingRun& run) {
        refusal = failureOf([&] { run.send(command::SetSteps{6}); });
    });
    QVERIFY2(refusal.contains("7 are made already"), qPrintable(refusal));
    QCOMPARE(witness.losses.size(), 12U);
}

void TestLiveControl::StopAfterEpoch_stopsWithTheStepThatCompletesIt()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({smallConfig(1000), folder / "run"}, witness);
    std::int64_t told = -1;
    witness.afterStep = [&](std::int64_t step) {
        if (step == 2) {
            run.send(command::StopAfterEpoch{true});
        } else if (step == 3) {
            told = run.stopStep();
        }
    };
    run.train();
    const auto steps = storedSteps(folder / "run");
    QVERIFY(run.state() == RunState::Stopped);
    QCOMPARE(std::ssize(steps), told);
    // 3 steps were made when it was asked for: of an epoch that was still the one under way.
    const double wanted = std::floor(steps[2].epoch) + 1.0;
    QVERIFY(steps.back().epoch >= wanted);
    QVERIFY(steps[steps.size() - 2].epoch < wanted);
    QCOMPARE(configOfRun(folder / "run").steps, 1000); // a resume goes on to them
}

// A run that was stopped at the end of an epoch and goes on: now the next epoch is meant.
void TestLiveControl::StopAfterEpoch_beforeTheFirstStep_stopsAfterTheNextEpoch()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1000);
    config.batchPerTower = 10; // 10 steps of 20 of the 200 pictures
    Witness first;
    trainActing({config, folder / "run"}, first, 2, [](TrainingRun& run) {
        run.send(command::StopAfterEpoch{true});
    });
    QCOMPARE(first.losses.size(), 10U);
    QCOMPARE(storedSteps(folder / "run").back().epoch, 1.0);
    Witness second;
    TrainingRun run({configOfRun(folder / "run"), folder / "run", true}, second);
    run.send(command::StopAfterEpoch{true});
    run.train();
    QCOMPARE(second.losses.size(), 10U);
    QCOMPARE(storedSteps(folder / "run").back().epoch, 2.0);
}

void TestLiveControl::StopAfterEpoch_takenBack_goesOn()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({smallConfig(60), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 2) {
            run.send(command::StopAfterEpoch{true});
            run.send(command::StopAfterEpoch{false});
        }
    };
    run.train();
    QCOMPARE(run.stopStep(), -1);
    QCOMPARE(witness.losses.size(), 60U);
    QVERIFY(run.state() == RunState::Finished);
}

void TestLiveControl::Remote_changesBoth()
{
    const TemporaryFolder folder;
    Witness witness;
    RunStatus status;
    TrainingRun run({smallConfig(20), folder / "run"}, witness);
    RunRemote remote(folder / "run");
    witness.afterStep = [&](std::int64_t step) {
        if (step == 6) {
            remote.send(command::SetLearningRate{0.25});
            remote.send(command::SetSteps{24});
        } else if (step == 8) {
            remote.send(command::StopAfterEpoch{true});
            remote.send(command::StopAfterEpoch{false});
            status = remote.status();
        }
    };
    run.train();
    QCOMPARE(witness.losses.size(), 24U);
    QCOMPARE(status.steps, 24);
    QCOMPARE(status.step, 9);
    QCOMPARE(storedSteps(folder / "run")[7].learningRate, 0.25);
}

LOCKSTEP_TEST(TestLiveControl)
#include "test_live_control.moc"
