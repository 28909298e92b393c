// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/run_store.h"
#include "storage/run_store_reader.h"
#include "storage/steps.h"
#include "support/temporary_folder.h"

#include <sqlite3.h>

#include <QtTest>

#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

// The seed of a step's numbers tells which branch wrote it.
void writeSteps(RunStore& store, std::int64_t first, std::int64_t end, std::uint64_t branch)
{
    for (std::int64_t step = first; step < end; ++step) {
        store.append(exampleStep(step, 2, branch));
    }
}

// The branch each step of the current line was written by; checks numbers and order on the way.
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
    static void Branches_inACircle_doNotHangTheReader();
    static void Readme_queries_allRun();
};

void TestRunStoreBranches::Resume_keepsAbandonedRowsAndReadsTheNewLine()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "run.db");
        writeSteps(store, 0, 30, 1);
    }
    RunStore store(folder / "run.db");
    store.startBranch(20);
    writeSteps(store, 20, 40, 2);
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
    writeSteps(store, 0, 30, 1);
    store.startBranch(20);
    writeSteps(store, 20, 40, 2);
    store.startBranch(10);
    store.flush();
    const RunStoreReader reader(folder / "run.db");
    QCOMPARE(branchesOfLine(reader, 3), std::vector<std::uint64_t>(10, 1));
    writeSteps(store, 10, 15, 3);
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
        if (branch > 1) {
            line.resize(random() % (line.size() + 1));
            store.startBranch(static_cast<std::int64_t>(line.size()));
        }
        const std::size_t end = line.size() + random() % 12;
        writeSteps(
            store, static_cast<std::int64_t>(line.size()), static_cast<std::int64_t>(end), branch);
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
    writeSteps(store, 0, 10, 1);
    store.startBranch(15);
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
    store.startBranch(0);
    writeSteps(store, 0, 10, 1);
    store.startBranch(10);
    writeSteps(store, 10, 12, 1);
    store.close();
    const RunStoreReader reader(folder / "run.db");
    QVERIFY(reader.events().empty());
    QCOMPARE(branchesOfLine(reader, 1), std::vector<std::uint64_t>(12, 1));
}

void TestRunStoreBranches::Range_acrossBranches_isCut()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    writeSteps(store, 0, 10, 1);
    store.startBranch(5);
    writeSteps(store, 5, 10, 2);
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
    const auto evaluate = [&](std::int64_t step, std::int64_t correct) {
        store.append(EvaluationRecord{step, WeightsKind::Raw, 100, correct, 0.0, 0.0, 0.0});
    };
    writeSteps(store, 0, 10, 1);
    evaluate(0, 10);
    evaluate(5, 15);
    evaluate(8, 18);
    store.startBranch(5);
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

void TestRunStoreBranches::Branches_inACircle_doNotHangTheReader()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    writeSteps(store, 0, 10, 1);
    store.startBranch(5);
    store.close();
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open((folder / "run.db").c_str(), &database), SQLITE_OK);
    const char* damage = "UPDATE branch SET parent = 3 - id";
    QCOMPARE(sqlite3_exec(database, damage, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
    QCOMPARE(
        branchesOfLine(RunStoreReader(folder / "run.db"), 1), std::vector<std::uint64_t>(5, 1));
}

// The queries that the documentation offers, on a store with an abandoned branch.
void TestRunStoreBranches::Readme_queries_allRun()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    writeSteps(store, 0, 30, 1);
    store.startBranch(20);
    writeSteps(store, 20, 25, 2);
    store.append(RunValue{"seed", "1"});
    store.append(RunEvent{0, "info", "started"});
    store.append(EvaluationRecord{25, WeightsKind::Raw, 100, 7, 0.07, 2.0, 1.0});
    store.append(DeviceReadingRecord{1.0, 25, "cuda:0", 1, 2, 0.5, 60.0, 300.0, "power limit"});
    store.close();

    const std::string readme = readBytes(QT_TESTCASE_SOURCEDIR "/../../engine/storage/README.md");
    const auto begin = readme.find("```sql\n") + 7;
    const std::string queries = readme.substr(begin, readme.find("```", begin) - begin);
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open((folder / "run.db").c_str(), &database), SQLITE_OK);
    int answered = 0;
    for (const char* rest = queries.c_str(); std::string(rest).find(';') != std::string::npos;) {
        sqlite3_stmt* statement = nullptr;
        QCOMPARE(sqlite3_prepare_v2(database, rest, -1, &statement, &rest), SQLITE_OK);
        QVERIFY2(sqlite3_step(statement) == SQLITE_ROW, sqlite3_sql(statement));
        ++answered;
        if (std::string(sqlite3_sql(statement)).find("abandoned") != std::string::npos) {
            QCOMPARE(sqlite3_column_int(statement, 1), 20);
            QCOMPARE(sqlite3_column_int(statement, 2), 29);
        }
        sqlite3_finalize(statement);
    }
    sqlite3_close(database);
    QCOMPARE(answered, 10);
}

QTEST_GUILESS_MAIN(TestRunStoreBranches)
#include "test_run_store_branches.moc"
