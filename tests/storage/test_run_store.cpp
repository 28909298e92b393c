// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <limits>
#include <set>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;
using namespace std::chrono_literals;

namespace {

std::vector<StepRecord> stepsOf(const RunStoreReader& reader)
{
    std::vector<StepRecord> steps;
    reader.forEachStep([&](const StepRecord& step) { steps.push_back(step); });
    return steps;
}

// Appends steps until the store refuses; then it must go on refusing, by name, and stay readable.
void checkRefusal(const std::filesystem::path& file)
{
    RunStore store(file, {10ms, ""});
    store.startBranch(exampleBranch(4));
    store.append(exampleStep(0, 4));
    store.flush();
    std::optional<Error> error;
    for (std::int64_t step = 1; step < 1'000'000 && !error; ++step) {
        error = errorOf([&] { store.append(exampleStep(step, 4)); });
    }
    QVERIFY2(tells(error, ErrorCode::Io, file.string()), error ? error->what() : "never refused");
    QVERIFY(tells(errorOf([&] { store.append(RunEvent{0, "info", "more"}); }), ErrorCode::Io));
    QVERIFY(tells(errorOf([&] { store.flush(); }), ErrorCode::Io, file.string()));
    QVERIFY(tells(errorOf([&] { store.close(); }), ErrorCode::Io, file.string()));
    const RunStoreReader reader(file);
    const auto steps = stepsOf(reader);
    QVERIFY(!steps.empty());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        QVERIFY(sameStep(steps[i], exampleStep(static_cast<std::int64_t>(i), 4)));
    }
    QCOMPARE(ask(file, "PRAGMA integrity_check"), std::string("ok"));
}

} // namespace

class TestRunStore : public QObject
{
    Q_OBJECT
private slots:
    static void Store_everything_roundTrips();
    static void Store_notANumber_comesBack();
    static void Store_closed_isOneFileThatSqliteReads();
    static void Store_withoutFlush_isOnDiskInTime();
    static void Store_liveWriter_isReadMeanwhile();
    static void Store_closedWhileRead_isOneFileAfterTheReader();
    static void Store_withoutWal_fallsBack();
    static void Store_fullDisk_surfacesAtAppend();
    static void Store_fileSizeLimit_surfacesAtAppend();
    static void Store_stepOutOfOrder_isRefused();
    static void Store_manyThreads_loseNothing();
};

void TestRunStore::Store_everything_roundTrips()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(3));
    writeSteps(store, 0, 50, 3);
    store.append(RunValue{"seed", "1"});
    store.append(RunValue{"device", "cpu"});
    store.append(RunValue{"device", "cuda:0 ü"});
    store.append(EvaluationRecord{50, WeightsKind::Raw, 10'000, 7'360, 0.736, 0.81, 4.5});
    store.append(EvaluationRecord{50, WeightsKind::Average, 10'000, 7'560, 0.756, 0.71, 4.25});
    store.close();

    const RunStoreReader reader(folder / "run.db");
    const auto steps = stepsOf(reader);
    QCOMPARE(steps.size(), 50U);
    for (std::size_t i = 0; i < 50; ++i) {
        QVERIFY(sameStep(steps[i], exampleStep(static_cast<std::int64_t>(i), 3)));
    }
    QCOMPARE(reader.nextStep(), 50);
    QCOMPARE(reader.towers(), 3);
    QCOMPARE(
        reader.values(),
        (std::map<std::string, std::string>{{"device", "cuda:0 ü"}, {"seed", "1"}}));
    const auto evaluations = reader.evaluations();
    QCOMPARE(evaluations.size(), 2U);
    QVERIFY(evaluations[0].weights == WeightsKind::Average);
    QCOMPARE(evaluations[0].correct, 7'560);
    QCOMPARE(evaluations[0].accuracy, 0.756);
    QVERIFY(evaluations[1].weights == WeightsKind::Raw);
    QCOMPARE(evaluations[1].loss, 0.81);
    QCOMPARE(evaluations[1].seconds, 4.5);
}

void TestRunStore::Store_notANumber_comesBack()
{
    const TemporaryFolder folder;
    StepRecord record = exampleStep(0, 2);
    record.lossMean = std::numeric_limits<double>::quiet_NaN();
    record.towers[1].loss = std::numeric_limits<double>::infinity();
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(record);
    store.close();
    const auto steps = stepsOf(RunStoreReader(folder / "run.db"));
    QVERIFY(std::isnan(steps[0].lossMean));
    QVERIFY(std::isinf(steps[0].towers[1].loss));
    QCOMPARE(steps[0].towers[0].loss, record.towers[0].loss);
}

void TestRunStore::Store_closed_isOneFileThatSqliteReads()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, 20, 2);
    store.close();
    QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
    const auto file = folder / "run.db";
    QCOMPARE(ask(file, "SELECT count(*) FROM current_step"), std::string("20"));
    QCOMPARE(ask(file, "SELECT sum(tower) FROM current_tower_step"), std::string("20"));
    QCOMPARE(ask(file, "PRAGMA integrity_check"), std::string("ok"));
}

void TestRunStore::Store_withoutFlush_isOnDiskInTime()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db", {50ms, ""});
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    QTRY_COMPARE(RunStoreReader(folder / "run.db").nextStep(), 1);
}

void TestRunStore::Store_liveWriter_isReadMeanwhile()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    const RunStoreReader reader(folder / "run.db");
    QCOMPARE(reader.nextStep(), 0);
    QCOMPARE(reader.towers(), 0);
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    store.append(exampleStep(1, 2));
    store.flush();
    int seen = 0;
    reader.forEachStep([&](const StepRecord&) {
        // One state: what is written while we read belongs to the next look.
        if (seen++ == 0) {
            store.append(exampleStep(2, 2));
            store.flush();
        }
    });
    QCOMPARE(seen, 2);
    QCOMPARE(reader.nextStep(), 3);
    store.close();
    QCOMPARE(stepsOf(reader).size(), 3U);
}

void TestRunStore::Store_closedWhileRead_isOneFileAfterTheReader()
{
    const TemporaryFolder folder;
    const auto log = folder / "run.db-wal";
    {
        RunStore store(folder / "run.db", {1000ms, ""});
        store.startBranch(exampleBranch(2));
        store.append(exampleStep(0, 2));
        store.flush();
        const RunStoreReader reader(folder / "run.db");
        {
            const RunStoreReader another(folder / "run.db");
        }
        QVERIFY(std::filesystem::exists(log)); // the writer goes on with it
        store.close();
        QCOMPARE(stepsOf(reader).size(), 1U);
        QVERIFY(std::filesystem::exists(log));
    }
    QVERIFY(!std::filesystem::exists(log));
    QCOMPARE(stepsOf(RunStoreReader(folder / "run.db")).size(), 1U);
}

// SQLite's "unix-dotfile" can't share memory between processes, so WAL is not possible on it.
void TestRunStore::Store_withoutWal_fallsBack()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db", {1000ms, "unix-dotfile"});
    store.startBranch(exampleBranch(2));
    store.append(exampleStep(0, 2));
    store.flush();
    QCOMPARE(ask(folder / "run.db", "PRAGMA journal_mode"), std::string("delete"));
    QVERIFY(!std::filesystem::exists(folder / "run.db-wal"));
    QCOMPARE(stepsOf(RunStoreReader(folder / "run.db")).size(), 1U);
    store.append(exampleStep(1, 2));
    store.close();
    QCOMPARE(stepsOf(RunStoreReader(folder / "run.db")).size(), 2U);
}

void TestRunStore::Store_fullDisk_surfacesAtAppend()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "1m");
    if (!disk.isMounted()) {
        QSKIP("this process may not mount a tmpfs; the file size limit stands in for it");
    }
    checkRefusal(folder / "run.db");
}

void TestRunStore::Store_fileSizeLimit_surfacesAtAppend()
{
    const TemporaryFolder folder;
    const FileSizeLimit limit(1'000'000);
    checkRefusal(folder / "run.db");
}

void TestRunStore::Store_stepOutOfOrder_isRefused()
{
    for (const std::int64_t second : {0, 2}) {
        const TemporaryFolder folder;
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(2));
        store.append(exampleStep(0, 2));
        store.append(exampleStep(second, 2));
        QVERIFY(tells(errorOf([&] { store.flush(); }), ErrorCode::Internal, "does not follow"));
    }
}

void TestRunStore::Store_manyThreads_loseNothing()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db", {20ms, ""});
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&store, thread] {
            for (int i = 0; i < 500; ++i) {
                store.append(RunEvent{0, "info", std::to_string(thread * 500 + i)});
                if (i % 100 == 0) {
                    store.flush();
                }
            }
        });
    }
    for (auto& thread : threads) {
        thread.join();
    }
    store.close();
    std::set<std::string> texts;
    for (const RunEvent& event : RunStoreReader(folder / "run.db").events()) {
        texts.insert(event.text);
    }
    QCOMPARE(texts.size(), 2000U);
}

LOCKSTEP_TEST(TestRunStore)
#include "test_run_store.moc"
