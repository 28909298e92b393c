// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "storage/store/run_store_writer.h"
#include "support/temporary_folder.h"

#include <unistd.h>

#include <QtTest>

using namespace lockstep;
using namespace lockstep::test;
using namespace std::chrono_literals;

namespace {

constexpr int kFlushed = 100;

// What the other process does: it leaves one step in its queue and is killed.
int writeAndDie(const char* file)
{
    RunStore store(file, {1h, ""});
    store.startBranch(exampleBranch(2));
    for (std::int64_t step = 0; step < kFlushed; ++step) {
        store.append(exampleStep(step, 2));
    }
    store.flush();
    store.append(exampleStep(kFlushed, 2));
    ::kill(::getpid(), SIGKILL);
    return 1;
}

// And what the next one does: it goes on where the flushed steps end.
int resume(const char* file)
{
    RunStore store(file);
    store.startBranch(exampleBranch(2, kFlushed));
    store.append(exampleStep(kFlushed, 2));
    store.close();
    return 0;
}

// Makes one store after the other until it is killed.
int makeManyStores(const std::filesystem::path& folder)
{
    for (int number = 0;; ++number) {
        const RunStoreWriter writer(folder / (std::to_string(number) + ".db"), "");
    }
}

// Both write in processes of their own: the thread sanitizer lets no thread begin, as that of a
// store, in a process that has started another.
QProcess::ExitStatus runSelf(const char* what, const std::filesystem::path& file)
{
    QProcess process;
    process.start(
        QCoreApplication::applicationFilePath(), {what, QString::fromStdString(file.string())});
    process.waitForFinished(60'000);
    return process.exitStatus();
}

std::int64_t stepsIn(const std::filesystem::path& file)
{
    std::int64_t steps = 0;
    RunStoreReader(file).forEachStep(
        [&](const StepRecord& step) { QVERIFY(sameStep(step, exampleStep(steps++, 2))); });
    return steps;
}

} // namespace

class TestRunStoreCrash : public QObject
{
    Q_OBJECT
private slots:
    static void Store_killedMaker_leavesAWholeOneOrNone();
    static void Store_killedWriter_losesNothingFlushed();
    static void Store_killedWriter_isReadFromAReadOnlyDisk();
};

void TestRunStoreCrash::Store_killedMaker_leavesAWholeOneOrNone()
{
    constexpr int kKills = 25;
    for (int kill = 0; kill < kKills; ++kill) {
        const TemporaryFolder folder;
        QProcess process;
        process.start(
            QCoreApplication::applicationFilePath(),
            {"--make", QString::fromStdString(folder.path().string())});
        QTRY_VERIFY(std::filesystem::exists(folder / "1.db"));
        QTest::qWait(kill % 7); // anywhere in the making of one
        process.kill();
        process.waitForFinished();
        int number = 0;
        for (; std::filesystem::exists(folder / (std::to_string(number) + ".db")); ++number) {
            QVERIFY(RunStoreReader(folder / (std::to_string(number) + ".db")).branches().empty());
        }
        RunStoreWriter(folder / (std::to_string(number) + ".db"), ""); // from what is left of it
        for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
            QVERIFY2(entry.path().string().find(".tmp") == std::string::npos, entry.path().c_str());
        }
    }
}

void TestRunStoreCrash::Store_killedWriter_losesNothingFlushed()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    QCOMPARE(runSelf("--write", file), QProcess::CrashExit);
    QCOMPARE(stepsIn(file), kFlushed); // as it was left, by one who may not write
    QCOMPARE(ask(file, "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(runSelf("--resume", file), QProcess::NormalExit);
    QCOMPARE(stepsIn(file), kFlushed + 1);
    QCOMPARE(ask(file, "PRAGMA integrity_check"), std::string("ok"));
    QVERIFY(RunStoreReader(file).events().empty());
}

void TestRunStoreCrash::Store_killedWriter_isReadFromAReadOnlyDisk()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "4m");
    if (!disk.isMounted()) {
        QSKIP("this process may not mount a tmpfs");
    }
    QCOMPARE(runSelf("--write", folder / "run.db"), QProcess::CrashExit);
    QVERIFY(std::filesystem::exists(folder / "run.db-wal"));
    QVERIFY(disk.makeReadOnly());
    QCOMPARE(stepsIn(folder / "run.db"), kFlushed);
    QVERIFY(tells(
        errorOf([&] { RunStore store(folder / "run.db"); }), ErrorCode::Io,
        (folder / "run.db").string()));
}

int main(int argc, char** argv)
{
    const std::string what = argc == 3 ? argv[1] : "";
    if (what == "--write") {
        return writeAndDie(argv[2]);
    }
    if (what == "--make") {
        return makeManyStores(argv[2]);
    }
    if (what == "--resume") {
        return resume(argv[2]);
    }
    QCoreApplication application(argc, argv);
    TestRunStoreCrash test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_run_store_crash.moc"
