// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

// The branch each step of the lineage was written by; checks numbers and order on the way.
std::vector<std::uint64_t> branchesOfLine(const RunStoreReader& reader, std::uint64_t branches)
{
    std::vector<std::uint64_t> line;
    reader.forEachStep([&](const StepRecord& record) {
        QCOMPARE(record.step, static_cast<std::int64_t>(line.size()));
        std::uint64_t branch = 1;
        while (branch <= branches && !sameStep(record, exampleStep(record.step, 2, branch))) {
            ++branch;
        }
        line.push_back(branch);
    });
    return line;
}

} // namespace

class TestRunStoreBranches : public QObject
{
    Q_OBJECT
private slots:
    static void Resume_keepsAbandonedRowsAndReadsTheNewLine();
    static void Resume_belowAnEarlierBranch_skipsItWhole();
    static void Resume_manyTimes_equalsAPlainSimulation();
    static void Resume_afterAGap_says();
    static void Resume_withoutAbandonedRows_saysNothing();
    static void Range_acrossBranches_isCut();
    static void Evaluations_areThoseOfTheLine();
    static void Evaluation_addedLater_isOfItsStepsBranch();
    static void Branches_inACircle_doNotHangTheReader();
};

void TestRunStoreBranches::Resume_keepsAbandonedRowsAndReadsTheNewLine()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(2));
        writeSteps(store, 0, 30, 2, 1);
    }
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2, 20));
    writeSteps(store, 20, 40, 2, 2);
    store.close();
    const RunStoreReader reader(folder / "run.db");
    std::vector<std::uint64_t> expected(20, 1);
    expected.resize(40, 2);
    QCOMPARE(branchesOfLine(reader, 2), expected);
    QCOMPARE(reader.nextStep(), 40);
    const auto branches = reader.branches();
    QCOMPARE(branches.size(), 2U);
    QVERIFY(!branches[0].parent.has_value());
    QCOMPARE(branches[1].parent, std::optional(branches[0].id));
    QCOMPARE(branches[1].fromStep, 20);
    QVERIFY(branches[1].created >= branches[0].created);
}

void TestRunStoreBranches::Resume_belowAnEarlierBranch_skipsItWhole()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 30, 2, 1);
    store.startBranch(exampleBranch(2, 20));
    writeSteps(store, 20, 40, 2, 2);
    store.startBranch(exampleBranch(2, 10));
    store.flush();
    const RunStoreReader reader(folder / "run.db");
    QCOMPARE(branchesOfLine(reader, 3), std::vector<std::uint64_t>(10, 1));
    writeSteps(store, 10, 15, 2, 3);
    store.flush();
    std::vector<std::uint64_t> expected(10, 1);
    expected.resize(15, 3);
    QCOMPARE(branchesOfLine(reader, 3), expected);
    QCOMPARE(reader.nextStep(), 15);
}

// The line as a plain list that a resume cuts and a step lengthens.
void TestRunStoreBranches::Resume_manyTimes_equalsAPlainSimulation()
{
    const TemporaryFolder folder;
    std::mt19937_64 random(5);
    RunStore store(folder / "run.db");
    std::vector<std::uint64_t> line;
    for (std::uint64_t branch = 1; branch <= 25; ++branch) {
        line.resize(random() % (line.size() + 1));
        store.startBranch(exampleBranch(2, static_cast<std::int64_t>(line.size())));
        QCOMPARE(store.branch(), static_cast<std::int64_t>(branch));
        const std::size_t end = line.size() + random() % 12;
        writeSteps(
            store, static_cast<std::int64_t>(line.size()), static_cast<std::int64_t>(end), 2,
            branch);
        line.resize(end, branch);
        store.flush();
        const RunStoreReader reader(folder / "run.db");
        QCOMPARE(branchesOfLine(reader, branch), line);
        QCOMPARE(reader.nextStep(), static_cast<std::int64_t>(line.size()));
    }
}

void TestRunStoreBranches::Resume_afterAGap_says()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 10, 2, 1);
    store.startBranch(exampleBranch(2, 15));
    store.close();
    const auto events = RunStoreReader(folder / "run.db").events();
    QCOMPARE(events.size(), 1U);
    QCOMPARE(events[0].level, std::string("warning"));
    QVERIFY(events[0].text.find("steps 10 to 14 ") != std::string::npos);
}

void TestRunStoreBranches::Resume_withoutAbandonedRows_saysNothing()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2, 0));
    writeSteps(store, 0, 10, 2, 1);
    store.startBranch(exampleBranch(2, 10));
    writeSteps(store, 10, 12, 2, 1);
    store.close();
    const RunStoreReader reader(folder / "run.db");
    QVERIFY(reader.events().empty());
    QCOMPARE(branchesOfLine(reader, 1), std::vector<std::uint64_t>(12, 1));
}

void TestRunStoreBranches::Range_acrossBranches_isCut()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 10, 2, 1);
    store.startBranch(exampleBranch(2, 5));
    writeSteps(store, 5, 10, 2, 2);
    store.close();
    std::vector<std::int64_t> steps;
    RunStoreReader(folder / "run.db")
        .forEachStep([&](const StepRecord& record) { steps.push_back(record.step); }, 3, 7);
    QCOMPARE(steps, (std::vector<std::int64_t>{3, 4, 5, 6}));
}

void TestRunStoreBranches::Evaluations_areThoseOfTheLine()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    const auto evaluate = [&](std::int64_t step, std::int64_t correct) {
        store.append(EvaluationRecord{step, WeightsKind::Raw, 100, correct, 0.0, 0.0, 0.0});
    };
    writeSteps(store, 0, 10, 2, 1);
    evaluate(0, 10);
    evaluate(5, 15);
    evaluate(8, 18);
    store.startBranch(exampleBranch(2, 5));
    evaluate(9, 29);
    store.flush();
    const RunStoreReader reader(folder / "run.db");
    const auto corrects = [&] {
        std::vector<std::int64_t> list;
        for (const auto& evaluation : reader.evaluations()) {
            list.push_back(evaluation.correct);
        }
        return list;
    };
    // That of step 5 is of the state the new branch began with; that of step 8 was abandoned.
    QCOMPARE(corrects(), (std::vector<std::int64_t>{10, 15, 29}));
    evaluate(5, 25);
    store.flush();
    QCOMPARE(corrects(), (std::vector<std::int64_t>{10, 25, 29}));
}

void TestRunStoreBranches::Evaluation_addedLater_isOfItsStepsBranch()
{
    const TemporaryFolder folder;
    const std::filesystem::path run = folder / "run";
    {
        const RunFolder made = RunFolder::create(run, "steps = 40\n");
        RunStore store(made.storeFile());
        store.startBranch(exampleBranch(2));
        writeSteps(store, 0, 30, 2, 1);
        store.startBranch(exampleBranch(2, 20));
        writeSteps(store, 20, 40, 2, 2);
        QVERIFY(tells(errorOf([&] { addEvaluation(run, {}); }), ErrorCode::BadInput, "run"));
    }
    for (const std::int64_t step : {0, 10, 20, 40, 10}) { // one of them twice
        addEvaluation(run, EvaluationRecord{step, WeightsKind::Average, 100, step, 0.0, 0.0, 0.0});
    }
    std::vector<std::int64_t> steps;
    for (const auto& evaluation : RunStoreReader(RunFolder::storeFileOf(run)).evaluations()) {
        QCOMPARE(evaluation.correct, evaluation.step);
        steps.push_back(evaluation.step);
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{0, 10, 20, 40}));
}

void TestRunStoreBranches::Branches_inACircle_doNotHangTheReader()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 10, 2, 1);
    store.startBranch(exampleBranch(2, 5));
    store.close();
    QCOMPARE(ask(folder / "run.db", "UPDATE branch SET parent = 3 - id"), std::string());
    QCOMPARE(ask(folder / "run.db", "SELECT count(*) FROM current_line"), std::string("2"));
    QVERIFY(tells(
        errorOf([&] { RunStoreReader reader(folder / "run.db"); }), ErrorCode::Data, "branch"));
}

LOCKSTEP_TEST(TestRunStoreBranches)
#include "test_run_store_branches.moc"
