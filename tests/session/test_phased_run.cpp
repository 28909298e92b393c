// SPDX-License-Identifier: Apache-2.0
#include "session/two_objectives.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Trains until `stop` updates are made, or to the end.
std::vector<double> trainUntil(const RunRequest& request, Witness& witness, std::int64_t stop)
{
    TrainingRun run(request, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step + 1 == stop) {
            run.send(command::Stop{});
        }
    };
    run.train();
    return witness.losses;
}

bool isSameParameters(const Checkpoint& one, const Checkpoint& other)
{
    return one.weights == other.weights && one.movingAverages == other.movingAverages
           && one.optimizerState == other.optimizerState;
}

/// Whether weights, moving averages and the optimizer's state of a group are the same bits.
bool isSameGroup(const Checkpoint& one, const Checkpoint& other, const std::set<std::string>& group)
{
    bool isSame = true;
    for (std::size_t i = 0; i < one.weights.size(); ++i) {
        const std::string& name = one.weights[i].name;
        if (group.contains(name.substr(0, name.find('.')))) {
            isSame = isSame && one.weights[i] == other.weights[i]
                     && one.movingAverages[i] == other.movingAverages[i];
            for (const auto& [slot, tensors] : one.optimizerState) {
                isSame = isSame && tensors[i] == other.optimizerState.at(slot)[i];
            }
        }
    }
    return isSame;
}

const std::set<std::string> kTrunk{"conv1", "first"};
const std::set<std::string> kHead{"hidden", "second"};

} // namespace

/// Runs that train one objective after the other.
class TestPhasedRun : public QObject
{
    Q_OBJECT

private slots:
    void Run_resumedWithinAndAtTheBorder_isTheRunInOneGo_data();
    void Run_resumedWithinAndAtTheBorder_isTheRunInOneGo();
    void Phase_leavesOtherGroups_bitForBit();
    void Phase_lossOfATower_isWhatIsTrained();
    void Phase_frozenLayers_needLessMemory();
    void Phase_joined_trainsAllGroups();
    void Phase_rates_areTheirOwn();
    void Store_knowsPhasesAndObjectives();
    void LearningRate_changedInAPhase_endsWithIt();
    void Steps_changed_moveTheEndOfTheLastPhase();
    void Phase_thatCantBe_isNamed_data();
    void Phase_thatCantBe_isNamed();
};

void TestPhasedRun::Run_resumedWithinAndAtTheBorder_isTheRunInOneGo_data()
{
    QTest::addColumn<int>("stop");
    QTest::addColumn<int>("towers");
    QTest::newRow("in the first phase") << 6 << 2;
    QTest::newRow("at the border") << 10 << 2;
    QTest::newRow("in the second phase") << 14 << 2;
    QTest::newRow("at the border, one tower") << 10 << 1;
}

void TestPhasedRun::Run_resumedWithinAndAtTheBorder_isTheRunInOneGo()
{
    QFETCH(int, stop);
    QFETCH(int, towers);
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    config.towers = towers;
    config.optimizer = {"momentum", 0.5};
    Witness whole;
    const auto expected = trainUntil({config, folder / "whole"}, whole, -1);
    Witness first;
    auto losses = trainUntil({config, folder / "halves"}, first, stop);
    QCOMPARE(losses.size(), static_cast<std::size_t>(stop));
    Witness second;
    const auto rest =
        trainUntil({configOfRun(folder / "halves"), folder / "halves", true}, second, -1);
    losses.insert(losses.end(), rest.begin(), rest.end());
    QCOMPARE(losses, expected);
    QVERIFY(isSameParameters(
        readCheckpoint(whole.checkpoints.at(20)), readCheckpoint(second.checkpoints.at(20))));
}

void TestPhasedRun::Phase_leavesOtherGroups_bitForBit()
{
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    config.optimizer = {"rmsprop", 0.9};
    Witness witness;
    trainUntil({config, folder / "run"}, witness, -1);
    const Checkpoint begin = readCheckpoint(witness.checkpoints.at(0));
    const Checkpoint border = readCheckpoint(witness.checkpoints.at(10));
    const Checkpoint end = readCheckpoint(witness.checkpoints.at(20));
    QVERIFY(!isSameGroup(begin, border, kTrunk));
    QVERIFY(isSameGroup(begin, border, kHead));
    QVERIFY(isSameGroup(border, end, kTrunk)); // its weight decay rests, too
    QVERIFY(!isSameGroup(border, end, kHead));
}

// Only the trunk has weight decay, which is no part of the second phase.
void TestPhasedRun::Phase_lossOfATower_isWhatIsTrained()
{
    const TemporaryFolder folder;
    Witness witness;
    trainUntil({phasedConfig(folder.path()), folder / "run"}, witness, -1);
    const auto steps = storedSteps(folder / "run");
    QCOMPARE(steps.size(), std::size_t{20});
    for (const StepRecord& step : steps) {
        const double decay = step.towers[0].loss - step.towers[0].objectives[0];
        for (const TowerRecord& tower : step.towers) {
            QCOMPARE(tower.objectives.size(), std::size_t{2});
            QVERIFY(tower.objectives[0] > 0.0 && tower.objectives[1] > 0.0);
            if (step.step < 10) {
                QVERIFY(decay > 0.0);
                QVERIFY(std::abs(tower.loss - tower.objectives[0] - decay) < 1e-9);
            } else {
                QCOMPARE(tower.loss, tower.objectives[1]);
            }
        }
    }
    // What is not trained is another number in every step all the same: it was computed.
    QVERIFY(steps[3].towers[0].objectives[1] != steps[4].towers[0].objectives[1]);
    QVERIFY(steps[13].towers[0].objectives[0] != steps[14].towers[0].objectives[0]);
}

void TestPhasedRun::Phase_frozenLayers_needLessMemory()
{
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    config.gradientsEverySteps = 0;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    std::map<std::int64_t, std::size_t> bytes;
    witness.afterStep = [&](std::int64_t step) { bytes[step] = run.session().stepper().bytes(); };
    run.train();
    QCOMPARE(bytes[0], bytes[9]);
    QCOMPARE(bytes[10], bytes[19]);
    QVERIFY(bytes[10] < bytes[9]);
}

void TestPhasedRun::Phase_joined_trainsAllGroups()
{
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    for (const char* objective : {"joint", "coarse+fine"}) {
        config.phases = {{objective, 5, 0.05, {}}};
        config.steps = 5;
        Witness witness;
        trainUntil({config, folder / objective}, witness, -1);
        const Checkpoint begin = readCheckpoint(witness.checkpoints.at(0));
        const Checkpoint end = readCheckpoint(witness.checkpoints.at(5));
        QVERIFY(!isSameGroup(begin, end, kTrunk));
        QVERIFY(!isSameGroup(begin, end, kHead));
    }
}

void TestPhasedRun::Phase_rates_areTheirOwn()
{
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    config.phases[1].learningRate.reset();
    config.learningRate.initial = 0.007;
    Witness witness;
    trainUntil({config, folder / "run"}, witness, -1);
    for (const StepRecord& step : storedSteps(folder / "run")) {
        QCOMPARE(step.learningRate, step.step < 10 ? 0.05 : 0.007);
    }
}

void TestPhasedRun::Store_knowsPhasesAndObjectives()
{
    const TemporaryFolder folder;
    Witness witness;
    trainUntil({phasedConfig(folder.path()), folder / "run"}, witness, 12);
    Witness more;
    trainUntil({configOfRun(folder / "run"), folder / "run", true}, more, -1);
    const RunStoreReader store(RunFolder::storeFileOf(folder / "run"));
    QCOMPARE(store.objectives(), (std::vector<std::string>{"coarse", "fine"}));
    const std::vector<RunPhase> expected{
        {0, 10, "coarse", 0.05, {}}, {10, 20, "fine", 0.02, {"trunk"}}};
    QVERIFY(store.phases() == expected); // across both branches
}

void TestPhasedRun::LearningRate_changedInAPhase_endsWithIt()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({phasedConfig(folder.path()), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 3) {
            run.send(command::SetLearningRate{0.3});
        }
    };
    run.train();
    for (const StepRecord& step : storedSteps(folder / "run")) {
        QCOMPARE(step.learningRate, step.step < 4 ? 0.05 : step.step < 10 ? 0.3 : 0.02);
    }
    const std::vector<RunPhase> expected{
        {0, 4, "coarse", 0.05, {}}, {4, 10, "coarse", 0.3, {}}, {10, 20, "fine", 0.02, {"trunk"}}};
    QVERIFY(RunStoreReader(RunFolder::storeFileOf(folder / "run")).phases() == expected);
    QVERIFY(phasePlan(configOfRun(folder / "run").trainedPhases()) == expected);
    // Going on from the state before the change takes it back.
    RunConfig before;
    parseConfig(before, readCheckpoint(witness.checkpoints.at(4)).configuration, "checkpoint");
    const RunConfig further = configToContinue(folder / "run", before);
    const std::vector<RunPhase> planned{
        {0, 10, "coarse", 0.05, {}}, {10, 20, "fine", 0.02, {"trunk"}}};
    QVERIFY(phasePlan(further.trainedPhases()) == planned);
}

void TestPhasedRun::Steps_changed_moveTheEndOfTheLastPhase()
{
    const TemporaryFolder folder;
    Witness witness;
    TrainingRun run({phasedConfig(folder.path()), folder / "run"}, witness);
    witness.afterStep = [&](std::int64_t step) {
        if (step == 12) {
            run.send(command::SetSteps{25});
        }
    };
    run.train();
    QCOMPARE(witness.losses.size(), std::size_t{25});
    const auto phases = RunStoreReader(RunFolder::storeFileOf(folder / "run")).phases();
    QCOMPARE(phases.size(), std::size_t{2});
    QCOMPARE(phases.back().endStep, 25);
    QCOMPARE(configOfRun(folder / "run").steps, 25);
}

void TestPhasedRun::Phase_thatCantBe_isNamed_data()
{
    addTextRows(
        {"objective", "frozen", "words"}, {{"objective", "medium", "", "medium"},
                                           {"group", "fine", "tail", "tail"},
                                           {"nothing left", "fine", "head", "frozen"}});
}

void TestPhasedRun::Phase_thatCantBe_isNamed()
{
    QFETCH(QString, objective);
    QFETCH(QString, frozen);
    QFETCH(QString, words);
    const TemporaryFolder folder;
    RunConfig config = phasedConfig(folder.path());
    config.phases[1] = {objective.toStdString(), 10, std::nullopt, {}};
    if (!frozen.isEmpty()) {
        config.phases[1].frozen = {frozen.toStdString()};
    }
    Witness witness;
    QVERIFY(tells(
        errorOf([&] {
            const TrainingRun run({config, folder / "run"}, witness);
        }),
        ErrorCode::BadInput, "phase.1", words.toStdString()));
    QVERIFY(!fs::exists(folder / "run"));
}

LOCKSTEP_TEST(TestPhasedRun)
#include "test_phased_run.moc"
