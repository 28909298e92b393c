// SPDX-License-Identifier: Apache-2.0
#include "session/gather/log_sources.h"

#include "gather/rank_scene.h"
#include "session/gather/run_gatherer.h"
#include "storage/events/event_file.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

std::vector<StepRecord> gatheredSteps(const fs::path& run, RankSources sources)
{
    RunGatherer gatherer(run, std::move(sources));
    gatherer.finish();
    std::vector<StepRecord> steps;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& step) {
        steps.push_back(step);
    });
    return steps;
}

void append(EventFile& file, const EventRecord& record)
{
    file.append({&record, 1});
}

fs::path tableOf(const fs::path& folder, const std::string& name, const std::string& text)
{
    std::ofstream(folder / name) << text;
    return folder / name;
}

} // namespace

class TestLogSources : public QObject
{
    Q_OBJECT

private slots:
    void EventFiles_tellLossAndRate();
    void EventFiles_ofSomeSteps_areRows();
    void Table_withPhases_namesTheStraggler();
    void Tables_aFileARank_areRanks();
    void BadInput_isNamed();
};

void TestLogSources::EventFiles_tellLossAndRate()
{
    const TemporaryFolder folder;
    std::vector<fs::path> folders;
    for (int rank = 0; rank < 2; ++rank) {
        folders.push_back(folder.path() / fmt::format("rank{}", rank));
        fs::create_directories(folders.back());
        EventFile file(folders.back(), 100);
        for (std::int64_t step = 100; step < 110; ++step) {
            append(
                file,
                {EventKind::Values,
                 1e9 + 0.5 * static_cast<double>(step),
                 step,
                 {{"train/loss", 3.0 + rank}, {"val/loss", 9.0}, {"train/learning_rate", 0.25}}});
        }
    }
    const auto steps = gatheredSteps(folder.path() / "run", eventFileSources(folders, ""));
    QCOMPARE(steps.size(), std::size_t{10});
    QCOMPARE(steps.front().step, 100);
    QCOMPARE(steps[4].lossMean, 3.5);
    QCOMPARE(steps[4].lossLast, 4.0);
    QCOMPARE(steps[4].learningRate, 0.25);
    QCOMPARE(steps[4].stepSeconds, 0.5);
    const auto other = gatheredSteps(folder.path() / "run", eventFileSources(folders, "val/loss"));
    QCOMPARE(other[4].lossMean, 9.0);
    QVERIFY(tells(
        errorOf([&] { eventFileSources(folders, "cost"); }), ErrorCode::BadInput, "'cost'",
        "train/loss, val/loss"));
}

void TestLogSources::EventFiles_ofSomeSteps_areRows()
{
    const TemporaryFolder folder;
    EventFile file(folder.path(), 0);
    for (std::int64_t step = 0; step < 500; step += 50) {
        append(file, {EventKind::Values, 1e9, step, {{"loss", static_cast<double>(step)}}});
    }
    const auto steps = gatheredSteps(folder.path() / "run", eventFileSources({folder.path()}, ""));
    QCOMPARE(steps.size(), std::size_t{10});
    QCOMPARE(steps[3].step, 3);
    QCOMPARE(steps[3].lossMean, 150.0);
    const auto events = RunStoreReader(RunFolder::storeFileOf(folder.path() / "run")).events();
    QVERIFY(events.front().text.find("the 10 that were, from 0 to 450") != std::string::npos);
}

void TestLogSources::Table_withPhases_namesTheStraggler()
{
    const TemporaryFolder folder;
    std::string text = "rank;Step;time;loss;data;forward;backward;averaging;update\r\n";
    for (int step = 0; step < 20; ++step) {
        for (int rank = 0; rank < 3; ++rank) {
            // All have the mean at once, 40 ms after they began.
            const double forward = rank == 1 ? 0.025 : 0.005;
            text += fmt::format(
                "{};{};{};{};0.001;{};0.01;{};0.004\r\n", rank, step, 1e9 + 0.04 * (step + 1), 0.5,
                forward, 0.025 - forward);
        }
    }
    const auto file = tableOf(folder.path(), "all.csv", text);
    RunGatherer gatherer(folder.path() / "run", tableSources({file}, ""));
    gatherer.finish();
    const BarrierSummary summary = gatherer.barrier();
    QCOMPARE(summary.towers.size(), std::size_t{3});
    QCOMPARE(summary.towers[1].stepsLast, 20);
    QCOMPARE(summary.towers[1].phase(), WorkPhase::Forward);
    QVERIFY(std::abs(summary.towers[1].costSeconds - 0.02) < 1e-6);
}

void TestLogSources::Tables_aFileARank_areRanks()
{
    const TemporaryFolder folder;
    const auto steps = gatheredSteps(
        folder.path() / "run", tableSources(
                                   {tableOf(folder.path(), "a.csv", "loss,lr\n1,0.1\n2,0.1\n"),
                                    tableOf(folder.path(), "b.csv", "loss,lr\n3,0.1\n,0.1\n")},
                                   ""));
    QCOMPARE(steps.size(), std::size_t{2});
    QCOMPARE(steps[0].lossMean, 2.0);
    QVERIFY(std::isnan(steps[1].towers[1].loss));
    QCOMPARE(steps[1].lossMean, 2.0);
    QCOMPARE(steps[1].learningRate, 0.1);
}

void TestLogSources::BadInput_isNamed()
{
    const TemporaryFolder folder;
    const auto refused = [&](const char* text, const char* reason) {
        const auto file = tableOf(folder.path(), "x.csv", text);
        return tells(
            errorOf([&] { tableSources({file}, ""); }), ErrorCode::BadInput, "x.csv", reason);
    };
    QVERIFY(refused("", "line of names"));
    QVERIFY(refused("loss\n", "no line"));
    QVERIFY(refused("loss,step\n1\n", ":2: 1 fields"));
    QVERIFY(refused("loss,step\n1,one\n", ":2: 'one' is no number"));
    QVERIFY(refused("loss,step\n1,-4\n", ":2: a step below 0"));
    QVERIFY(refused("loss,rank\n1,0\n1,2\n", "1 is"));
    const auto other = tableOf(folder.path(), "y.csv", "cost\n1\n");
    QVERIFY(tells(errorOf([&] { tableSources({other}, ""); }), ErrorCode::BadInput, "y: no loss"));
    QVERIFY(tells(
        errorOf([&] { eventFileSources({folder.path()}, ""); }), ErrorCode::BadInput,
        "no event files"));
    QVERIFY(
        tells(errorOf([&] { rankFileSources({folder.path()}); }), ErrorCode::BadInput, "*.lsr"));
}

LOCKSTEP_TEST(TestLogSources)
#include "test_log_sources.moc"
