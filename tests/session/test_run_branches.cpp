// SPDX-License-Identifier: Apache-2.0
#include "session/run_witness.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Everything that decides how a training goes on.
bool isSameState(const Checkpoint& a, const Checkpoint& b)
{
    return a.step == b.step && a.examplesSeen == b.examplesSeen && a.seed == b.seed
           && a.weights == b.weights && a.movingAverages == b.movingAverages
           && a.optimizerState == b.optimizerState;
}

} // namespace

/// Going on from a checkpoint: exactly where it is the same run, openly where it is not.
class TestRunBranches : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Branch_withOtherLoaderThreads_isTheSameBitForBit();
    void Resume_onTwiceTheTowers_isTheSameToRounding();
    void Branch_ofAnAbandonedCheckpoint_takesItsOwnPast();
    void Branch_withWhatMayNotChange_isRefused_data();
    void Branch_withWhatMayNotChange_isRefused();
    void Branch_ofAnotherRun_isRefused();
    void NewRun_fromAState_keepsStepAndExamples();
    void Resume_withoutAStore_goesOn();
    void Best_isKeptAcrossAResume();

private:
    TemporaryFolder m_folder;
    Witness m_straight; ///< 20 steps in one go
};

void TestRunBranches::initTestCase()
{
    RunConfig config = smallConfig(20);
    config.checkpointKeep = 10;
    trainWhole({config, m_folder / "straight"}, m_straight);
}

void TestRunBranches::Branch_withOtherLoaderThreads_isTheSameBitForBit()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(20);
    config.checkpointKeep = 10;
    Witness first;
    trainWhole({config, folder / "run"}, first);
    config.inputThreads = 7;
    config.inputPrefetchBatches = 2;
    Witness second;
    trainWhole({config, folder / "run", true, first.checkpoints.at(10)}, second);
    QCOMPARE(second.losses.size(), std::size_t{10});
    QCOMPARE(storedLosses(folder / "run"), m_straight.losses);
    QVERIFY(isSameState(
        readCheckpoint(second.checkpoints.at(20)), readCheckpoint(m_straight.checkpoints.at(20))));
    const auto branches = RunStoreReader(RunFolder::storeFileOf(folder / "run")).branches();
    QCOMPARE(branches.size(), std::size_t{2});
    QCOMPARE(branches.back().parent.value(), branches.front().id);
    QCOMPARE(branches.back().fromStep, 10);
    // What was left is set aside, not lost.
    QCOMPARE(
        listCheckpoints(folder / "run" / "checkpoints" / "abandoned-1").size(), std::size_t{2});
}

void TestRunBranches::Resume_onTwiceTheTowers_isTheSameToRounding()
{
    const TemporaryFolder folder;
    Witness first;
    trainWhole({smallConfig(5), folder / "run"}, first);
    RunConfig config = smallConfig(20);
    config.towers = 4;
    config.batchPerTower = 4;
    Witness second;
    trainWhole({config, folder / "run", true}, second);
    QCOMPARE(second.losses.size(), std::size_t{15});
    for (std::size_t i = 0; i < second.losses.size(); ++i) {
        const double expected = m_straight.losses[i + 5];
        const double difference = std::abs(second.losses[i] - expected) / expected;
        QVERIFY2(difference <= (i == 0 ? 1e-6 : 1e-4), qPrintable(QString::number(difference)));
    }
}

void TestRunBranches::Branch_ofAnAbandonedCheckpoint_takesItsOwnPast()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(10);
    Witness first;
    trainWhole({config, folder / "run"}, first);
    config.learningRate.initial = 0.01;
    Witness second;
    trainWhole({config, folder / "run", true, first.checkpoints.at(5)}, second);
    QVERIFY(storedLosses(folder / "run")[9] != first.losses[9]);
    const Checkpoint secondsEnd = readCheckpoint(second.checkpoints.at(10));
    // Back to the line that was left.
    config.learningRate.initial = smallConfig(1).learningRate.initial;
    config.steps = 15;
    Witness third;
    const auto abandoned =
        folder / "run" / "checkpoints" / "abandoned-1" / first.checkpoints.at(10).filename();
    trainWhole({config, folder / "run", true, abandoned}, third);
    const auto expected =
        std::vector<double>(m_straight.losses.begin(), m_straight.losses.begin() + 15);
    QCOMPARE(storedLosses(folder / "run"), expected);
    // What the second line had made is kept, at the very step that the third began at, too.
    QCOMPARE(listCheckpoints(folder / "run" / "checkpoints" / "abandoned-2").front().step, 10);
    QVERIFY(isSameState(
        readCheckpoint(folder / "run" / "checkpoints" / "abandoned-2" / abandoned.filename()),
        secondsEnd));
    for (const CheckpointFile& file : listCheckpoints(folder / "run" / "checkpoints")) {
        QVERIFY(readCheckpoint(file.path).branch != 2);
    }
    // It goes on from there when it is resumed, too.
    config.steps = 20;
    Witness fourth;
    trainWhole({config, folder / "run", true}, fourth);
    QCOMPARE(storedLosses(folder / "run"), m_straight.losses);
}

void TestRunBranches::Branch_withWhatMayNotChange_isRefused_data()
{
    addTextRows(
        {"key", "value", "word"}, {{"seed", "seed", "2", "seed"},
                                   {"model", "model.name", "cifar10", "model"},
                                   {"data set", "dataset.name", "synthetic", "dataset.name"},
                                   {"optimizer", "optimizer.name", "adam", "optimizer.name"}});
}

void TestRunBranches::Branch_withWhatMayNotChange_isRefused()
{
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, word);
    RunConfig config = smallConfig(30);
    setConfigValue(config, key.toStdString(), value.toStdString());
    for (const auto& checkpoint :
         {std::optional<std::filesystem::path>(), std::optional(m_straight.checkpoints.at(10))}) {
        const QString text = refusal({config, m_folder / "straight", true, checkpoint});
        QVERIFY2(text.contains(word) && text.contains("step-"), qPrintable(text));
    }
    QCOMPARE(storedLosses(m_folder / "straight"), m_straight.losses);
}

void TestRunBranches::Branch_ofAnotherRun_isRefused()
{
    const TemporaryFolder folder;
    Witness other;
    trainWhole({smallConfig(5), folder / "other"}, other);
    const QString text =
        refusal({smallConfig(30), m_folder / "straight", true, other.checkpoints.at(5)});
    QVERIFY2(text.contains("another run"), qPrintable(text));
}

void TestRunBranches::NewRun_fromAState_keepsStepAndExamples()
{
    const TemporaryFolder folder;
    Witness witness;
    trainWhole({smallConfig(20), folder / "new", false, m_straight.checkpoints.at(10)}, witness);
    QCOMPARE(
        witness.losses,
        std::vector<double>(m_straight.losses.begin() + 10, m_straight.losses.end()));
    QVERIFY(isSameState(
        readCheckpoint(witness.checkpoints.at(20)), readCheckpoint(m_straight.checkpoints.at(20))));
    // It is a run of its own from its first checkpoint on.
    QVERIFY(
        readCheckpoint(witness.checkpoints.at(10)).run
        != readCheckpoint(m_straight.checkpoints.at(10)).run);
}

void TestRunBranches::Resume_withoutAStore_goesOn()
{
    const TemporaryFolder folder;
    Witness first;
    trainWhole({smallConfig(10), folder / "run"}, first);
    std::filesystem::remove(RunFolder::storeFileOf(folder / "run"));
    Witness second;
    trainWhole({smallConfig(20), folder / "run", true}, second);
    QCOMPARE(
        second.losses,
        std::vector<double>(m_straight.losses.begin() + 10, m_straight.losses.end()));
    QCOMPARE(storedLosses(folder / "run"), second.losses);
    // The run is still the same one.
    Witness third;
    trainWhole({smallConfig(25), folder / "run", true, first.checkpoints.at(10)}, third);
    QCOMPARE(third.losses.size(), std::size_t{15});
}

void TestRunBranches::Best_isKeptAcrossAResume()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(4);
    config.evaluateEverySteps = 2;
    config.checkpointEverySteps = 1;
    config.checkpointKeep = 1;
    config.checkpointBestBy = "raw_loss";
    Witness first;
    trainWhole({config, folder / "run"}, first);
    config.steps = 8;
    Witness second;
    trainWhole({config, folder / "run", true}, second);
    std::vector<EvaluationRecord> raw;
    for (const Witness* witness : {&first, &second}) {
        std::ranges::copy_if(witness->evaluations, std::back_inserter(raw), [](const auto& record) {
            return record.weights == WeightsKind::Raw;
        });
    }
    const auto best = std::ranges::min_element(raw, {}, &EvaluationRecord::loss);
    std::vector<std::int64_t> expected{best->step};
    if (best->step != 8) {
        expected.push_back(8);
    }
    std::vector<std::int64_t> found;
    for (const CheckpointFile& file : listCheckpoints(folder / "run" / "checkpoints")) {
        found.push_back(file.step);
    }
    QCOMPARE(found, expected);
}

LOCKSTEP_TEST(TestRunBranches)
#include "test_run_branches.moc"
