// SPDX-License-Identifier: Apache-2.0
#include "gather/rank_scene.h"
#include "session/gather/run_gatherer.h"
#include "storage/rows/step_row_reader.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <array>
#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kHour = 3'600'000; // in milliseconds
/// Steps begin so many milliseconds apart.
constexpr std::int64_t kPeriod = 60;

/// How the ranks of a training spend their steps.
struct Training
{
    int ranks = 4;
    std::int64_t steps = 40;
    std::function<Pace(int rank, std::int64_t step)> pace = [](int, std::int64_t) {
        return Pace{};
    };
    /// By how many milliseconds the clock of a rank is ahead.
    std::function<std::int64_t(int rank)> ahead = [](int) { return 0; };
    std::string more = ""; ///< in the starts

    /// What rank `rank` writes.
    [[nodiscard]] std::string bytesOf(int rank, std::int64_t first = 0) const
    {
        std::string bytes = startFrame(rank, ranks, more);
        for (std::int64_t step = first; step < first + steps; ++step) {
            std::int64_t done = 0;
            for (int each = 0; each < ranks; ++each) {
                const Pace of = pace(each, step);
                done = std::max(done, of.data + of.forward + of.backward);
            }
            RankStep told =
                stepOf(step, 1000 + kPeriod * step + ahead(rank), pace(rank, step), done + 3);
            told.loss = 1.0 + rank;
            bytes += stepFrame(told);
        }
        return bytes;
    }

    void write(const fs::path& run, bool isEnded = true) const
    {
        for (int rank = 0; rank < ranks; ++rank) {
            appendTo(rankFileOf(run, rank), bytesOf(rank) + (isEnded ? endFrame() : ""));
        }
    }
};

std::vector<StepRecord> stepsOf(const fs::path& run)
{
    std::vector<StepRecord> steps;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& step) {
        steps.push_back(step);
    });
    return steps;
}

/// Everything that is told of people's concern.
std::string warningsOf(const fs::path& run)
{
    std::string text;
    for (const RunEvent& event : RunStoreReader(RunFolder::storeFileOf(run)).events()) {
        text += event.level == "info" ? "" : event.text + '\n';
    }
    return text;
}

void gather(const fs::path& run)
{
    RunGatherer gatherer(run);
    gatherer.finish();
}

bool isNear(double value, double expected, double tolerance = 1e-9)
{
    return std::abs(value - expected) <= tolerance;
}

} // namespace

class TestRunGatherer : public QObject
{
    Q_OBJECT

private slots:
    void Steps_tellWhatEachRankDid();
    void Delay_isNamedWithItsPhase_data();
    void Delay_isNamedWithItsPhase();
    void Waiting_withinAPass_isNotItsWork();
    void Clocks_anHourApart_areBroughtTogether();
    void Clocks_ofOneMachine_areOne();
    void Unknown_isLeftOut();
    void Gradients_agreeWithWhatRanksMeasured();
    void PoisonedRank_isNamed();
    void SkewedRank_biasesTheLastLoss();
    void Following_showsWhatIsThere();
    void RankThatEnds_isNotWaitedFor();
    void RankThatIsSilent_isLeftOutAndTaken();
    void Restart_beginsABranch();
    void Restart_withoutAStep_leavesWhatWasThere();
    void Restart_ofARankWithoutAStep_isThatOfTheOthers();
    void DamagedFile_losesOnlyWhatIsDamaged();
    void SecondFileOfARank_isLeftOut();
    void GatheringAgain_makesTheSame();
    void OwnTraining_isNotOverwritten();
};

void TestRunGatherer::Steps_tellWhatEachRankDid()
{
    const TemporaryFolder run;
    Training training;
    training.more = R"(,"training_examples":320,"model":"Res\"Net","clock":"one")";
    training.pace = [](int rank, std::int64_t) { return Pace{5 + rank, 10, 20}; };
    training.write(run.path());
    gather(run.path());
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{40});
    const StepRecord& step = steps[3];
    QCOMPARE(step.lossMean, 2.5);
    QCOMPARE(step.lossLast, 4.0);
    QCOMPARE(step.examples, 4 * 32);
    QCOMPARE(step.epoch, 0.4);
    QCOMPARE(step.learningRate, 0.1);
    QVERIFY(isNear(step.inputSeconds, 5e-3));    // all wait so long for data
    QVERIFY(isNear(step.computeSeconds, 33e-3)); // and rank 3 begins 3 ms later
    QVERIFY(isNear(step.averagingSeconds, 3e-3));
    QVERIFY(isNear(step.updateSeconds, 2e-3));
    QVERIFY(isNear(step.stepSeconds, 60e-3));
    QVERIFY(isNear(step.wallSeconds, 43e-3 + 3 * 60e-3));
    QVERIFY(isNear(step.towers[2].copySeconds, 2e-3));
    QVERIFY(isNear(step.towers[2].forwardSeconds, 10e-3));
    QVERIFY(isNear(step.towers[2].backwardSeconds, 20e-3));
    QVERIFY(isNear(waitingSeconds(step, step.towers[2]).value(), 1e-3));
    QCOMPARE(step.towers[1].correct, 4);
    const RunStoreReader reader(RunFolder::storeFileOf(run.path()));
    const auto facts = reader.values();
    QCOMPARE(facts.at(kRecordedByFact), std::string("test 1"));
    QCOMPARE(facts.at("model"), std::string("Res\"Net"));
    QCOMPARE(facts.at(kRunStateFact), std::string("finished"));
    QCOMPARE(
        facts.at(kTowerDevicesFact),
        std::string("rank0@node0:cuda:0 rank1@node0:cuda:0 rank2@node1:cuda:0 rank3@node1:cuda:0"));
    QVERIFY(
        RunFolder::configurationOf(run.path()).find("towers = 4\nsteps = 40") != std::string::npos);
    // Their losses are 1, 2, 3, 4.
    QVERIFY2(
        warningsOf(run.path()).find(": its loss is") != std::string::npos,
        warningsOf(run.path()).c_str());
}

void TestRunGatherer::Delay_isNamedWithItsPhase_data()
{
    QTest::addColumn<int>("phase");
    QTest::newRow("data") << 0;
    QTest::newRow("forward") << 1;
    QTest::newRow("backward") << 2;
}

void TestRunGatherer::Delay_isNamedWithItsPhase()
{
    QFETCH(const int, phase);
    const TemporaryFolder run;
    Training training;
    training.pace = [&](int rank, std::int64_t step) {
        std::array<std::int64_t, 3> lengths{5 + rank % 2, 10 + step % 3, 20 - rank % 2};
        lengths[static_cast<std::size_t>(phase)] += rank == 2 ? 20 : 0;
        return Pace{lengths[0], lengths[1], lengths[2]};
    };
    training.write(run.path());
    RunGatherer gatherer(run.path());
    gatherer.finish();
    const BarrierSummary summary = gatherer.barrier();
    QCOMPARE(summary.towers[2].stepsLast, 40);
    QCOMPARE(static_cast<int>(summary.towers[2].phase()), phase);
    QVERIFY(isNear(summary.towers[2].costSeconds, 20e-3, 1.01e-3));
    // What a rank sees of it from outside, in its own backward pass, is the same for all.
    for (const StepRecord& step : stepsOf(run.path())) {
        for (const TowerRecord& tower : step.towers) {
            const double outside =
                tower.backwardSeconds + *waitingSeconds(step, tower) + step.averagingSeconds;
            if (phase == 2) {
                QVERIFY(isNear(outside, 43e-3, 1.01e-3));
            }
        }
    }
}

void TestRunGatherer::Waiting_withinAPass_isNotItsWork()
{
    const TemporaryFolder run;
    const auto write = [&](int rank, std::int64_t data, std::int64_t waited) {
        RankStep step = stepOf(0, 1000, {data, 10 + waited, 20}, 60);
        step.waited = kMillisecond * waited;
        appendTo(rankFileOf(run.path(), rank), startFrame(rank, 3) + stepFrame(step) + endFrame());
    };
    write(0, 5, 0);
    write(1, 25, 0); // its data come late
    write(2, 5, 20); // the buffers that it waits for come through rank 1
    gather(run.path());
    const StepRecord step = stepsOf(run.path()).front();
    QVERIFY(isNear(step.towers[2].forwardSeconds, 10e-3));
    const Straggler found = stragglerOf(step).value();
    QCOMPARE(found.tower, 1);
    QCOMPARE(found.phase(), WorkPhase::Copy);
    QVERIFY(isNear(found.costSeconds, 20e-3));
}

void TestRunGatherer::Clocks_anHourApart_areBroughtTogether()
{
    const TemporaryFolder run;
    Training training;
    training.steps = 200;
    training.ahead = [](int rank) { return rank * kHour; };
    training.pace = [](int rank, std::int64_t) { return Pace{5, 10, rank == 2 ? 40 : 20}; };
    training.write(run.path());
    gather(run.path());
    for (const StepRecord& step : stepsOf(run.path())) {
        const Straggler found = stragglerOf(step).value();
        QCOMPARE(found.tower, 2);
        QVERIFY(isNear(found.costSeconds, 20e-3, 3e-3)); // the sum itself takes 3 ms
        QVERIFY(isNear(step.stepSeconds, 60e-3, 3e-3) || step.step == 0);
    }
    const RunStoreReader reader(RunFolder::storeFileOf(run.path()));
    const auto events = reader.events();
    const auto slow = std::ranges::find(events, std::string("slow_tower"), &RunEvent::kind);
    QVERIFY(slow != events.end());
    QCOMPARE(slow->step, 30); // the first look
    QCOMPARE(slow->tower, 2);
    const auto facts = reader.values();
    QVERIFY(facts.at(kTowerClocksFact).starts_with("0 0.00"));
}

void TestRunGatherer::Clocks_ofOneMachine_areOne()
{
    const TemporaryFolder run;
    Training training;
    training.more = R"(,"clock":"boot 1")";
    training.write(run.path());
    gather(run.path());
    const auto facts = RunStoreReader(RunFolder::storeFileOf(run.path())).values();
    QCOMPARE(facts.at(kTowerClocksFact), std::string("0 0 0 0"));
}

void TestRunGatherer::Unknown_isLeftOut()
{
    const TemporaryFolder run;
    for (int rank = 0; rank < 2; ++rank) {
        std::string bytes =
            frameOf(fmt::format("\x01{{\"format\":1,\"rank\":{},\"ranks\":2}}", rank));
        for (std::int64_t number = 0; number < 3; ++number) {
            RankStep step;
            step.step = number;
            step.end = 1'000'000'000 + number * 50 * kMillisecond;
            step.loss = 2.0;
            bytes += stepFrame(step);
        }
        appendTo(rankFileOf(run.path(), rank), bytes + endFrame());
    }
    gather(run.path());
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{3});
    QVERIFY(isNear(steps[2].stepSeconds, 50e-3));
    QVERIFY(std::isnan(steps[2].learningRate));
    QCOMPARE(steps[2].epoch, 0.0);
    QVERIFY(!stragglerOf(steps[2]));
    QVERIFY(!trainAccuracy(steps[2]));
    QCOMPARE(steps[2].computeSeconds < 0.0, true);
}

void TestRunGatherer::Gradients_agreeWithWhatRanksMeasured()
{
    const TemporaryFolder run;
    for (int rank = 0; rank < 2; ++rank) {
        // Gradients (3, 4) and (1, 0) of "a": their mean is (2, 2).
        const RankGradients gradients{
            0, {rank == 0 ? RankGradients::Own{25, 14} : RankGradients::Own{1, 2}}, {}};
        appendTo(
            rankFileOf(run.path(), rank), startFrame(rank, 2, R"(,"parameters":["a"])")
                                              + stepFrame(stepOf(0, 1000, {}, 40))
                                              + gradientsFrame(gradients) + endFrame());
    }
    gather(run.path());
    std::vector<GradientRecord> records;
    RunStoreReader(RunFolder::storeFileOf(run.path()))
        .forEachGradient([&](const GradientRecord& record) { records.push_back(record); });
    QCOMPARE(records.size(), std::size_t{1});
    QCOMPARE(records[0].parameters[0].name, std::string("a"));
    QCOMPARE(records[0].parameters[0].gradientSquares, 8.0);
    QVERIFY(std::isnan(records[0].parameters[0].weightSquares));
    const GradientAgreement agreement = gradientAgreement(records[0]);
    QVERIFY(isNear(agreement.whole.cosines[0], 14 / (5 * std::sqrt(8.0))));
    GradientNoiseScale noise;
    noise.add(records[0]);
    QVERIFY(isNear(noise.variance(), (13 - 8) / (1.0 / 8 - 1.0 / 16))); // B = 8
}

void TestRunGatherer::PoisonedRank_isNamed()
{
    const TemporaryFolder run;
    for (int rank = 0; rank < 4; ++rank) {
        std::string bytes = startFrame(rank, 4, R"(,"parameters":["a","sparse"])");
        for (std::int64_t number = 0; number < 30; ++number) {
            RankStep step = stepOf(number, 1000 + kPeriod * number, {}, 40);
            step.loss = rank == 1 && number >= 20
                            ? NAN
                            : 1.0 + 0.01 * static_cast<double>((3 * rank + number) % 4);
            bytes += stepFrame(step);
            // Three of one direction, one across: |mean|^2 = (9 + 1) / 16.
            const double dot = (rank == 2 ? 1.0 : 3.0) / 4.0;
            bytes += gradientsFrame(
                {number,
                 {{rank == 3 && number == 25 ? NAN : 1.0, dot}, {0, 0}},
                 {{10.0 / 16, 1, 1}, {NAN, 1, 1}}});
        }
        appendTo(rankFileOf(run.path(), rank), bytes + endFrame());
    }
    RunGatherer gatherer(run.path());
    gatherer.finish();
    QCOMPARE(gatherer.verdicts()->data().tower, 2);
    const std::string warnings = warningsOf(run.path());
    QVERIFY2(
        warnings.find("the loss of rank 1 is not finite in step 20") != std::string::npos,
        warnings.c_str());
    QVERIFY(warnings.find("the gradient of rank 3 is not finite in step 25") != std::string::npos);
}

void TestRunGatherer::SkewedRank_biasesTheLastLoss()
{
    const TemporaryFolder run;
    Training().write(run.path()); // losses 1, 2, 3, 4
    gather(run.path());
    for (const StepRecord& step : stepsOf(run.path())) {
        QCOMPARE(step.lossLast - step.lossMean, 1.5);
    }
}

void TestRunGatherer::Following_showsWhatIsThere()
{
    const TemporaryFolder run;
    Training training;
    training.write(run.path(), false);
    RunGatherer gatherer(run.path());
    gatherer.poll();
    QCOMPARE(gatherer.merge().nextStep(), 40);
    QVERIFY(!gatherer.isOver());
    QVERIFY(RunLock::writerOf(run.path()).has_value());
    QVERIFY(
        tells(errorOf([&] { RunGatherer second(run.path()); }), ErrorCode::BadInput, "process"));
    for (int rank = 0; rank < 3; ++rank) {
        appendTo(rankFileOf(run.path(), rank), stepFrame(stepOf(40, 4000, {}, 40)) + endFrame());
    }
    gatherer.poll();
    QCOMPARE(gatherer.merge().nextStep(), 40); // rank 3 has not told it yet
    appendTo(rankFileOf(run.path(), 3), stepFrame(stepOf(40, 4000, {}, 40)) + endFrame());
    gatherer.poll();
    QCOMPARE(gatherer.merge().nextStep(), 41);
    QVERIFY(gatherer.isOver());
    gatherer.finish();
    QCOMPARE(stepsOf(run.path()).size(), std::size_t{41});
    QVERIFY(!RunGatherer::isBehind(run.path()));
    appendTo(rankFileOf(run.path(), 3), startFrame(3, 4));
    QVERIFY(RunGatherer::isBehind(run.path()));
}

void TestRunGatherer::RankThatEnds_isNotWaitedFor()
{
    const TemporaryFolder run;
    Training training;
    for (int rank = 0; rank < 4; ++rank) {
        training.steps = rank == 2 ? 10 : 40;
        const std::string end = rank == 2 ? R"(failed","text":"out of memory)" : "finished";
        appendTo(rankFileOf(run.path(), rank), training.bytesOf(rank) + endFrame(end));
    }
    gather(run.path());
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{40});
    QVERIFY(std::isnan(steps[10].towers[2].loss));
    QCOMPARE(steps[10].towers[2].examples, 0);
    QVERIFY(steps[10].towers[2].forwardSeconds < 0.0);
    QVERIFY(isNear(steps[10].lossMean, 7.0 / 3.0)); // of those that are there
    const std::string warnings = warningsOf(run.path());
    QVERIFY(warnings.find("rank 2 ends before step 10") != std::string::npos);
    QVERIFY(warnings.find("rank 2 failed: out of memory") != std::string::npos);
    const auto facts = RunStoreReader(RunFolder::storeFileOf(run.path())).values();
    QCOMPARE(facts.at(kRunStateFact), std::string("failed"));
}

void TestRunGatherer::RankThatIsSilent_isLeftOutAndTaken()
{
    const TemporaryFolder run;
    std::vector<RunRecord> records;
    RankMerge merge([&](RunRecord record) { records.push_back(std::move(record)); });
    Training training;
    training.steps = 5;
    for (int rank = 0; rank < 4; ++rank) {
        training.steps = rank == 1 ? 2 : 5;
        appendTo(rankFileOf(run.path(), rank), training.bytesOf(rank));
        merge.add(std::make_unique<RankFile>(rankFileOf(run.path(), rank)));
    }
    merge.merge(false, 0.0);
    QCOMPARE(merge.nextStep(), 2);
    merge.merge(false, 9.0);
    QCOMPARE(merge.nextStep(), 2);
    merge.merge(false, 11.0);
    QCOMPARE(merge.nextStep(), 5);
    training.steps = 6;
    const std::string all = training.bytesOf(1);
    training.steps = 2;
    appendTo(rankFileOf(run.path(), 1), all.substr(training.bytesOf(1).size()));
    for (const int rank : {0, 2, 3}) {
        appendTo(rankFileOf(run.path(), rank), stepFrame(stepOf(5, 3000, {}, 40)));
    }
    merge.merge(false, 12.0);
    QCOMPARE(merge.nextStep(), 6);
    QCOMPARE(merge.lateSteps(), 3);
    QVERIFY(std::get<StepRecord>(records.back()).towers[1].loss == 2.0);
    appendTo(
        rankFileOf(run.path(), 0), stepFrame(stepOf(6, 60000, {}, 40))); // after a pause of all
    merge.merge(false, 60.0);
    merge.merge(false, 69.0);
    QCOMPARE(merge.nextStep(), 6);
    merge.merge(false, 71.0);
    QCOMPARE(merge.nextStep(), 7);
}

void TestRunGatherer::Restart_beginsABranch()
{
    const TemporaryFolder run;
    Training training;
    training.steps = 20;
    for (int rank = 0; rank < 4; ++rank) {
        training.steps = rank == 0 ? 20 : 19; // killed at once
        appendTo(rankFileOf(run.path(), rank), training.bytesOf(rank));
    }
    training.steps = 30;
    for (int rank = 0; rank < 4; ++rank) { // from a checkpoint of step 10
        appendTo(rankFileOf(run.path(), rank), training.bytesOf(rank, 10) + endFrame());
    }
    gather(run.path());
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{40});
    QCOMPARE(steps.back().examples, 40 * 32);
    const RunStoreReader reader(RunFolder::storeFileOf(run.path()));
    QCOMPARE(reader.branches().size(), std::size_t{2});
    QCOMPARE(reader.branches().back().fromStep, 10);
    QCOMPARE(reader.abandoned(10).size(), std::size_t{1});
}

void TestRunGatherer::Restart_withoutAStep_leavesWhatWasThere()
{
    const TemporaryFolder run;
    const Training training;
    training.write(run.path(), false);
    for (int rank = 0; rank < 4; ++rank) {
        appendTo(rankFileOf(run.path(), rank), startFrame(rank, 4));
    }
    gather(run.path());
    QCOMPARE(stepsOf(run.path()).size(), std::size_t{40});
    QCOMPARE(RunStoreReader(RunFolder::storeFileOf(run.path())).branches().size(), std::size_t{1});
}

void TestRunGatherer::Restart_ofARankWithoutAStep_isThatOfTheOthers()
{
    const TemporaryFolder run;
    Training training;
    training.steps = 5;
    const auto start = [](int rank, int time) {
        return startFrame(rank, 4, fmt::format(R"(,"time":{})", time));
    };
    for (int rank = 0; rank < 4; ++rank) {
        std::string bytes = start(rank, 1000);       // killed before any step,
        bytes += rank == 0 ? start(rank, 2000) : ""; // before other ranks had written their start,
        training.more = R"(,"time":3000)";
        bytes += rank == 1 ? start(rank, 3000) : training.bytesOf(rank); // before a step of rank 1
        training.more = R"(,"time":4000)";
        appendTo(rankFileOf(run.path(), rank), bytes + training.bytesOf(rank) + endFrame());
    }
    gather(run.path());
    QCOMPARE(RunStoreReader(RunFolder::storeFileOf(run.path())).branches().size(), std::size_t{2});
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{5});
    for (const StepRecord& step : steps) {
        QVERIFY(std::ranges::none_of(step.towers, isMissing));
    }
}

void TestRunGatherer::DamagedFile_losesOnlyWhatIsDamaged()
{
    const TemporaryFolder run;
    Training().write(run.path());
    const auto file = rankFileOf(run.path(), 1);
    std::string bytes;
    {
        std::ifstream in(file, std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    bytes[20] ^= 1; // its start
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(file, std::ios::binary) << bytes;
    gather(run.path());
    const auto steps = stepsOf(run.path());
    QCOMPARE(steps.size(), std::size_t{40});
    QCOMPARE(
        std::ranges::count_if(
            steps, [](const StepRecord& step) { return std::isnan(step.towers[1].loss); }),
        1);
    const std::string warnings = warningsOf(run.path());
    QVERIFY2(
        warnings.find("rank-0001.lsr: its start can't be read; it is taken for rank 1")
            != std::string::npos,
        warnings.c_str());
    QVERIFY(warnings.find("rank-0001.lsr: bytes ") != std::string::npos);
}

void TestRunGatherer::SecondFileOfARank_isLeftOut()
{
    const TemporaryFolder run;
    Training training;
    training.write(run.path());
    appendTo(run.path() / "ranks" / "rank-0000 (copy).lsr", training.bytesOf(0));
    gather(run.path());
    QCOMPARE(stepsOf(run.path()).size(), std::size_t{40});
    QVERIFY(warningsOf(run.path()).find("are both of rank 0") != std::string::npos);
}

void TestRunGatherer::GatheringAgain_makesTheSame()
{
    const TemporaryFolder run;
    Training().write(run.path());
    gather(run.path());
    const auto first = stepsOf(run.path());
    gather(run.path());
    const auto second = stepsOf(run.path());
    QCOMPARE(second.size(), first.size());
    QCOMPARE(second.back().wallSeconds, first.back().wallSeconds);
}

void TestRunGatherer::OwnTraining_isNotOverwritten()
{
    const TemporaryFolder run;
    QVERIFY(
        tells(errorOf([&] { gather(run.path()); }), ErrorCode::BadInput, "ranks/rank-0000.lsr"));
    Training().write(run.path());
    std::ofstream(run.path() / "run.toml") << "towers = 2\n";
    QVERIFY(tells(errorOf([&] { gather(run.path()); }), ErrorCode::BadInput, "own is there"));
}

LOCKSTEP_TEST(TestRunGatherer)
#include "test_run_gatherer.moc"
