// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <sqlite3.h>

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

bool isFirstStep(const std::filesystem::path& file, const StepRecord& record)
{
    bool isFirst = false;
    RunStoreReader(file).forEachStep(
        [&](const StepRecord& step) { isFirst = sameStep(step, record); }, 0, 1);
    return isFirst;
}

} // namespace

/// What a store keeps besides steps, and what people see of it in SQL.
class TestRunStoreRecords : public QObject
{
    Q_OBJECT
private slots:
    static void Store_events_knowWhereTheRunStood();
    static void Store_checkpoints_areKeptByBranch();
    static void Store_preflight_isThatOfTheCurrentBranch();
    static void Store_unknownTimes_comeBack();
    static void Store_views_showWhatFollows();
    static void Store_stepThatFitsNoBranch_isRefused();
    static void Readme_queries_allRun();
};

void TestRunStoreRecords::Store_events_knowWhereTheRunStood()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.append(RunEvent{0, "info", "before"});
    store.startBranch(exampleBranch(1, 0));
    store.append(exampleStep(0, 1));
    store.append(exampleStep(1, 1));
    store.append(RunEvent{0, "warning", "slow input"});
    store.startBranch(exampleBranch(1, 1));
    store.append(RunEvent{0, "error", "disk full", 0, 0, "disk_low"});
    store.append(RunEvent{0, "info", "its loss is that of the others", 0, 0, "tower_loss", 3});
    store.close();
    const auto events = RunStoreReader(folder / "run.db").events();
    QCOMPARE(events.size(), 4U);
    const auto is = [&](std::size_t i, const char* text, std::int64_t branch, std::int64_t step) {
        return events[i].text == text && events[i].branch == branch && events[i].step == step
               && std::abs(events[i].time - static_cast<double>(time(nullptr))) < 60;
    };
    QVERIFY(is(0, "before", 0, 0));
    QVERIFY(is(1, "slow input", 1, 2));
    QVERIFY(is(2, "disk full", 2, 1));
    QCOMPARE(events[1].level, std::string("warning"));
    QVERIFY(events[1].kind.empty() && events[1].tower == -1);
    QVERIFY(events[2].kind == "disk_low" && events[2].tower == -1);
    QVERIFY(events[3].kind == "tower_loss" && events[3].tower == 3);
    QCOMPARE(
        ask(folder / "run.db", "SELECT group_concat(text) FROM alert"),
        std::string("slow input,disk full"));
}

void TestRunStoreRecords::Store_checkpoints_areKeptByBranch()
{
    const TemporaryFolder folder;
    const RunCheckpoint first{
        10, "checkpoints/step-000000010.safetensors", 1 << 20, "89abcdef", "periodic"};
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    store.append(first);
    store.startBranch(exampleBranch(1));
    store.append(RunCheckpoint{10, "a", 1, "b", "periodic"});
    store.append(RunCheckpoint{10, "checkpoints/ü", 7, "00", "best"}); // of that state once more
    store.close();
    const auto facts = RunStoreReader(folder / "run.db").checkpoints();
    QCOMPARE(facts.size(), 2U);
    QCOMPARE(facts[0].branch, 1);
    QCOMPARE(facts[0].checkpoint.step, 10);
    QCOMPARE(facts[0].checkpoint.file, first.file);
    QCOMPARE(facts[0].checkpoint.bytes, 1 << 20);
    QCOMPARE(facts[0].checkpoint.checksum, first.checksum);
    QCOMPARE(facts[0].checkpoint.reason, first.reason);
    QVERIFY(std::abs(facts[0].checkpoint.created - static_cast<double>(time(nullptr))) < 60);
    QCOMPARE(facts[1].branch, 2);
    QCOMPARE(facts[1].checkpoint.file, std::string("checkpoints/ü"));
    QCOMPARE(facts[1].checkpoint.reason, std::string("best"));
}

void TestRunStoreRecords::Store_preflight_isThatOfTheCurrentBranch()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    store.append(PreflightRecord{"checkpoint", PreflightResult::Failed, "read-only", 0.25});
    store.startBranch(exampleBranch(1));
    store.append(PreflightRecord{"labels", PreflightResult::Passed, "10 classes", 0.5});
    store.append(PreflightRecord{"free space", PreflightResult::Warning, "3 GB", 0.125});
    store.close();
    const auto lines = RunStoreReader(folder / "run.db").preflight();
    QCOMPARE(lines.size(), 2U);
    QCOMPARE(lines[0].name, std::string("labels"));
    QVERIFY(lines[0].result == PreflightResult::Passed);
    QCOMPARE(lines[0].text, std::string("10 classes"));
    QCOMPARE(lines[1].seconds, 0.125);
    QVERIFY(lines[1].result == PreflightResult::Warning);
    QCOMPARE(ask(folder / "run.db", "SELECT count(*) FROM preflight"), std::string("3"));
}

// What a device does not tell is no number there, and negative again when it is read.
void TestRunStoreRecords::Store_unknownTimes_comeBack()
{
    const TemporaryFolder folder;
    StepRecord record = exampleStep(0, 1);
    record.computeSeconds = record.averagingSeconds = record.updateSeconds = -1.0;
    TowerRecord& tower = record.towers[0];
    tower.startSeconds = tower.copySeconds = tower.forwardSeconds = tower.backwardSeconds = -1.0;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    store.append(record);
    store.close();
    QVERIFY(isFirstStep(folder / "run.db", record));
    QCOMPARE(
        ask(folder / "run.db", "SELECT count(*) FROM current_step JOIN current_tower_step"
                               " WHERE compute_seconds IS NULL AND averaging_seconds IS NULL AND"
                               " update_seconds IS NULL AND start_seconds IS NULL AND"
                               " copy_seconds IS NULL AND forward_seconds IS NULL AND"
                               " backward_seconds IS NULL AND work_seconds IS NULL AND"
                               " arrival_seconds IS NULL AND waiting_seconds IS NULL"),
        std::string("1"));
}

// The views say what the records say.
void TestRunStoreRecords::Store_views_showWhatFollows()
{
    const TemporaryFolder folder;
    StepRecord record = exampleStep(0, 2);
    record.stepSeconds = 0.5;
    record.computeSeconds = 0.375;
    record.towers[1].startSeconds = 0.0625;
    record.towers[1].copySeconds = 0.03125;
    record.towers[1].forwardSeconds = 0.0625;
    record.towers[1].backwardSeconds = 0.15625;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(record);
    store.close();
    const auto ask = [&](const char* sql) { return test::ask(folder / "run.db", sql); };
    QCOMPARE(ask("SELECT epoch FROM current_step"), std::string("0.00512")); // 256 of 50,000
    QCOMPARE(ask("SELECT examples_per_second FROM current_step"), std::string("512.0"));
    QCOMPARE(ask("SELECT seconds_per_batch FROM current_step"), std::string("0.25"));
    QCOMPARE(
        ask("SELECT work_seconds FROM current_tower_step WHERE tower = 1"), std::string("0.25"));
    QCOMPARE(
        ask("SELECT arrival_seconds FROM current_tower_step WHERE tower = 1"),
        std::string("0.3125"));
    QCOMPARE(
        ask("SELECT waiting_seconds FROM current_tower_step WHERE tower = 1"),
        std::string("0.0625"));
    QCOMPARE(
        ask("SELECT loss_last = (SELECT loss FROM tower_step WHERE tower = 1)"
            " FROM current_step"),
        std::string("1"));
}

void TestRunStoreRecords::Store_stepThatFitsNoBranch_isRefused()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "none.db");
        store.append(exampleStep(0, 2));
        QVERIFY(tells(errorOf([&] { store.flush(); }), ErrorCode::Internal, "branch"));
    }
    RunStore store(folder / "other.db");
    store.startBranch(exampleBranch(3));
    store.append(exampleStep(0, 2));
    QVERIFY(tells(errorOf([&] { store.flush(); }), ErrorCode::Internal, "branch"));
}

// The queries that the documentation offers, on a store with an abandoned branch.
void TestRunStoreRecords::Readme_queries_allRun()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    for (std::int64_t step = 0; step < 30; ++step) {
        store.append(exampleStep(step, 2));
    }
    store.startBranch(exampleBranch(2, 20));
    for (std::int64_t step = 20; step < 25; ++step) {
        store.append(exampleStep(step, 2));
    }
    store.append(RunObjectives{{"segmentation", "decision"}});
    store.append(RunPhases{{{0, 25, "joint", 0.1, {}}}});
    EvaluationRecord scored{25, WeightsKind::Average, 1, 1, 1.0, 2.0, 1.0};
    scored.images = {{0, "kos01/Part5", true, 0.9, 0.1, 0.8, 1, 2, true}};
    store.append(scored);
    store.append(RunValue{"seed", "1"});
    store.append(RunEvent{0, "info", "started"});
    store.append(EvaluationRecord{25, WeightsKind::Raw, 100, 7, 0.07, 2.0, 1.0});
    store.append(DeviceReadingRecord{1.0, 25, "cuda:0", 1, 2, 0.5, 60.0, 300.0, "power limit"});
    store.append(exampleGradients(20, 2));
    store.append(RunCheckpoint{25, "checkpoints/a", 1 << 22, "0123abcd", "end"});
    store.append(PreflightRecord{"labels", PreflightResult::Passed, "10 classes", 0.5});
    store.append(RunEvent{0, "warning", "a disk that is nearly full"});
    store.close();

    const std::string readme = readBytes(LOCKSTEP_SOURCE_DIR "/engine/storage/README.md");
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
    QCOMPARE(answered, 18);
}

LOCKSTEP_TEST(TestRunStoreRecords)
#include "test_run_store_records.moc"
