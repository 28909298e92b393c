// SPDX-License-Identifier: Apache-2.0
#include "session/config/run_data.h"
#include "session/training/measured_threads.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include "base/thread_team.h"
#include "dataset/formats/catalog.h"
#include "run_witness.h"
#include "storage/checkpoint/checkpoint.h"
#include "support/temporary_folder.h"

#include <algorithm>

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Numbers = std::vector<int>;

RunConfig measuredConfig(std::int64_t steps)
{
    RunConfig config = smallConfig(steps);
    config.towers = 1;
    setConfigValue(config, "threads_per_tower", "measure");
    return config;
}

std::map<std::string, std::string> factsOf(const std::filesystem::path& run)
{
    return RunStoreReader(RunFolder::storeFileOf(run)).values();
}

/// More than there are processors: measuring never chooses it.
int unlikelyThreads()
{
    return ThreadTeam::processors() + 1;
}

} // namespace

class TestMeasuredThreads : public QObject
{
    Q_OBJECT

private slots:
    void Candidates_arePowersOfTwoAndAllThatThereIs_data();
    void Candidates_arePowersOfTwoAndAllThatThereIs();
    void Fastest_isTheShortestStep_orMoreThreadsInATie_data();
    void Fastest_isTheShortestStep_orMoreThreadsInATie();
    void Trials_inWords_ascend();
    void Session_thatMeasures_trainsAsOneWithThatNumber();
    void Session_moreTowersThanProcessors_takesOne();
    void Run_thatMeasures_recordsTheNumber();
    void Run_thatGoesOn_neverMeasuresAgain();
    void Run_ofOtherTowers_measuresForThem();
    void Run_withAGivenNumber_isNotCalledMeasured();
};

void TestMeasuredThreads::Candidates_arePowersOfTwoAndAllThatThereIs_data()
{
    addRows<int, int, Numbers>(
        {"towers", "processors", "expected"}, {{"one processor", 1, 1, Numbers{1}},
                                               {"two processors", 1, 2, Numbers{2, 1}},
                                               {"six processors", 1, 6, Numbers{6, 4, 2, 1}},
                                               {"a share of them", 3, 16, Numbers{5, 4, 2, 1}},
                                               {"a power of two", 4, 64, Numbers{16, 8, 4, 2, 1}},
                                               {"as many towers", 8, 8, Numbers{1}},
                                               {"towers take turns", 9, 8, Numbers{1}}});
}

void TestMeasuredThreads::Candidates_arePowersOfTwoAndAllThatThereIs()
{
    QFETCH(const int, towers);
    QFETCH(const int, processors);
    QTEST(threadCandidates(towers, processors), "expected");
}

void TestMeasuredThreads::Fastest_isTheShortestStep_orMoreThreadsInATie_data()
{
    addRows<std::vector<ThreadTrial>, int>(
        {"trials", "expected"}, {{"only one", {{1, 5.0}}, 1},
                                 {"most are fastest", {{4, 10.0}, {2, 20.0}, {1, 40.0}}, 4},
                                 {"fewest are fastest", {{4, 40.0}, {2, 20.0}, {1, 10.0}}, 1},
                                 {"between", {{4, 12.0}, {2, 10.0}, {1, 19.0}}, 2},
                                 {"2 % slower is a tie", {{4, 10.2}, {2, 10.1}, {1, 10.0}}, 4},
                                 {"4 % slower is none", {{4, 10.4}, {2, 10.2}, {1, 10.0}}, 2}});
}

void TestMeasuredThreads::Fastest_isTheShortestStep_orMoreThreadsInATie()
{
    QFETCH(const std::vector<ThreadTrial>, trials);
    QTEST(fastestThreads(trials), "expected");
}

void TestMeasuredThreads::Trials_inWords_ascend()
{
    QCOMPARE(toString({{2, 33.04}, {1, 61.16}}), std::string("1: 61.2 ms, 2: 33.0 ms"));
}

// The steps that were timed leave no trace in the training.
void TestMeasuredThreads::Session_thatMeasures_trainsAsOneWithThatNumber()
{
    const RunConfig config = measuredConfig(0);
    const auto data = openDataset(datasetOf(config), Split::Train);
    TrainingSession measured(config, *data);
    const int threads = measured.stepper().shape().threadsPerTower;
    const auto candidates = threadCandidates(1, ThreadTeam::processors());
    QVERIFY(std::ranges::find(candidates, threads) != candidates.end());
    const std::string own = fmt::format("{}: ", threads);
    QVERIFY2(
        measured.plan().measuredThreads.find(own) != std::string::npos,
        measured.plan().measuredThreads.c_str());

    RunConfig same = config;
    same.threadsPerTower = {threads};
    TrainingSession given(same, *data);
    for (int step = 0; step < 5; ++step) {
        QCOMPARE(measured.step().record.lossMean, given.step().record.lossMean);
    }
    QVERIFY(measured.capture().weights == given.capture().weights);
}

void TestMeasuredThreads::Session_moreTowersThanProcessors_takesOne()
{
    RunConfig config = measuredConfig(0);
    config.towers = unlikelyThreads();
    const auto data = openDataset(datasetOf(config), Split::Train);
    const TrainingSession session(config, *data);
    QCOMPARE(session.stepper().shape().threadsPerTower, 1);
}

void TestMeasuredThreads::Run_thatMeasures_recordsTheNumber()
{
    const TemporaryFolder folder;
    Witness witness;
    trainWhole({measuredConfig(2), folder / "run"}, witness);
    const RunConfig repeated = configOfRun(folder / "run");
    QVERIFY(!repeated.threadsPerTower.isOpen());
    const Checkpoint checkpoint = readCheckpoint(witness.checkpoints.at(2));
    RunConfig saved;
    parseConfig(saved, checkpoint.configuration, "checkpoint");
    QCOMPARE(saved.threadsPerTower.number, repeated.threadsPerTower.number);
    QVERIFY(!saved.threadsPerTower.isMeasured);
    QCOMPARE(checkpoint.threadsPerTower, repeated.threadsPerTower.number);

    const std::string times = factsOf(folder / "run").at(kMeasuredThreadsNote);
    QVERIFY2(times.find(" ms") != std::string::npos, times.c_str());
    QCOMPARE(checkpoint.notes.at(kMeasuredThreadsNote), times);
    const std::string line =
        fmt::format("threads: {} a tower, measured: {}", checkpoint.threadsPerTower, times);
    QVERIFY(std::ranges::find(witness.notes, line) != witness.notes.end());
}

void TestMeasuredThreads::Run_thatGoesOn_neverMeasuresAgain()
{
    const TemporaryFolder folder;
    RunConfig config = measuredConfig(1);
    config.threadsPerTower = {unlikelyThreads()};
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    for (const char* threads : {"measure", "kept"}) {
        RunConfig more = configOfRun(folder / "run");
        if (threads == std::string("measure")) {
            setConfigValue(more, "threads_per_tower", threads);
        }
        more.steps += 1;
        Witness next;
        TrainingRun run({more, folder / "run", true}, next);
        run.train();
        QCOMPARE(run.session().stepper().shape().threadsPerTower, unlikelyThreads());
        QCOMPARE(configOfRun(folder / "run").threadsPerTower.number, unlikelyThreads());
    }
}

void TestMeasuredThreads::Run_ofOtherTowers_measuresForThem()
{
    const TemporaryFolder folder;
    RunConfig config = measuredConfig(1);
    config.threadsPerTower = {unlikelyThreads()};
    Witness witness;
    trainWhole({config, folder / "run"}, witness);
    RunConfig more = measuredConfig(2);
    more.towers = 2;
    const TrainingRun run({more, folder / "run", true}, witness);
    const auto candidates = threadCandidates(2, ThreadTeam::processors());
    const int threads = run.config().threadsPerTower.number;
    QVERIFY(std::ranges::find(candidates, threads) != candidates.end());
    QVERIFY(!run.session().plan().measuredThreads.empty());
}

void TestMeasuredThreads::Run_withAGivenNumber_isNotCalledMeasured()
{
    const TemporaryFolder folder;
    Witness witness;
    trainWhole({measuredConfig(1), folder / "run"}, witness);
    // Another number for the same run: the times that were measured explain nothing any more.
    RunConfig more = configOfRun(folder / "run");
    more.threadsPerTower = {unlikelyThreads()};
    more.steps = 2;
    Witness next;
    trainWhole({more, folder / "run", true}, next);
    QCOMPARE(factsOf(folder / "run").at(kMeasuredThreadsNote), std::string("no"));
    QVERIFY(!readCheckpoint(next.checkpoints.at(2)).notes.contains(kMeasuredThreadsNote));
}

LOCKSTEP_TEST(TestMeasuredThreads)
#include "test_measured_threads.moc"
