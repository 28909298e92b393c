// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/store/run_folder.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::test;

class TestRunFolder : public QObject
{
    Q_OBJECT
private slots:
    static void Create_makesFolderAndConfiguration();
    static void Create_whereARunIs_isRefused();
    static void Create_whereOtherFilesAre_isRefused();
    static void Create_whereNothingCanBeWritten_isNamed();
    static void Create_onReadOnlyDisk_isNamed();
    static void CreateDefault_makesUniqueNames();
    static void DefaultRunsFolder_followsXdg_data();
    static void DefaultRunsFolder_followsXdg();
    static void Resume_withoutRun_isRefused();
    static void Resume_removesOwnLeftovers();
    static void SecondWriter_isRefusedAndNamed();
    static void SecondWriter_inAnotherProcess_isNamedUntilItEnds();
};

void TestRunFolder::Create_makesFolderAndConfiguration()
{
    const TemporaryFolder folder;
    const std::string configuration = "seed = 1\n# ü\n";
    const auto run = RunFolder::create(folder / "a" / "b", configuration);
    QCOMPARE(run.path(), folder / "a" / "b");
    QCOMPARE(readBytes(folder / "a" / "b" / "run.toml"), configuration);
    QCOMPARE(run.configuration(), configuration);
    QVERIFY(std::filesystem::is_directory(run.checkpoints()));
    QCOMPARE(run.storeFile(), folder / "a" / "b" / "run.db");
}

void TestRunFolder::Create_whereARunIs_isRefused()
{
    const TemporaryFolder folder;
    RunFolder::create(folder / "run", "seed = 1\n");
    const auto error = errorOf([&] { RunFolder::create(folder / "run", "seed = 2\n"); });
    QVERIFY(tells(error, ErrorCode::BadInput, (folder / "run").string(), "--resume"));
    QCOMPARE(RunFolder::configurationOf(folder / "run"), std::string("seed = 1\n"));
}

void TestRunFolder::Create_whereOtherFilesAre_isRefused()
{
    const TemporaryFolder folder;
    RunFolder::create(folder.path(), "");
    const TemporaryFolder other;
    writeBytes(other / "thesis.tex", "years of work");
    QVERIFY(tells(
        errorOf([&] { RunFolder::create(other.path(), ""); }), ErrorCode::BadInput,
        other.path().string(), "not an empty folder"));
    QCOMPARE(readBytes(other / "thesis.tex"), std::string("years of work"));
}

// Root passes every mode of a folder, so the obstacle here is one that holds for root too.
void TestRunFolder::Create_whereNothingCanBeWritten_isNamed()
{
    const TemporaryFolder folder;
    writeBytes(folder / "file", "a file");
    const auto run = folder / "file" / "run";
    QVERIFY(tells(errorOf([&] { RunFolder::create(run, ""); }), ErrorCode::Io, run.string()));
    QVERIFY(tells(
        errorOf([&] { RunFolder::create(folder / "file", ""); }), ErrorCode::BadInput,
        (folder / "file").string()));
    QVERIFY(tells(
        errorOf([] { RunFolder::create("/proc/lockstep-run", ""); }), ErrorCode::Io,
        "/proc/lockstep-run"));
}

void TestRunFolder::Create_onReadOnlyDisk_isNamed()
{
    const TemporaryFolder folder;
    const SmallDisk disk(folder.path(), "1m");
    if (!disk.isMounted()) {
        QSKIP("this process may not mount a tmpfs");
    }
    RunFolder::create(folder / "old", "");
    QVERIFY(disk.makeReadOnly());
    QVERIFY(tells(
        errorOf([&] { RunFolder::create(folder / "run", ""); }), ErrorCode::Io,
        (folder / "run").string()));
    QVERIFY(tells(
        errorOf([&] { RunFolder::resume(folder / "old"); }), ErrorCode::Io,
        (folder / "old").string()));
}

void TestRunFolder::CreateDefault_makesUniqueNames()
{
    const TemporaryFolder folder;
    qputenv("XDG_DATA_HOME", QByteArray::fromStdString(folder.path().string()));
    const auto first = RunFolder::createDefault("cifar10", "a = 1\n");
    const auto second = RunFolder::createDefault("cifar10", "a = 2\n");
    const auto odd = RunFolder::createDefault("../my net.toml", "");
    qunsetenv("XDG_DATA_HOME");
    const QRegularExpression name(R"(^\d{4}-\d{2}-\d{2}-cifar10(-2)?$)");
    for (const auto* run : {&first, &second, &odd}) {
        QCOMPARE(run->path().parent_path(), folder / "lockstep" / "runs");
    }
    QVERIFY(name.match(QString::fromStdString(first.path().filename().string())).hasMatch());
    QCOMPARE(second.path().string(), first.path().string() + "-2");
    QCOMPARE(first.configuration(), std::string("a = 1\n"));
    QVERIFY(odd.path().filename().string().ends_with("-___my_net_toml"));
}

void TestRunFolder::DefaultRunsFolder_followsXdg_data()
{
    addRows<QByteArray, QByteArray>(
        {"data", "expected"}, {{"set", "/data", "/data/lockstep/runs"},
                               {"relative", "data", "/home/me/.local/share/lockstep/runs"},
                               {"empty", "", "/home/me/.local/share/lockstep/runs"}});
}

void TestRunFolder::DefaultRunsFolder_followsXdg()
{
    QFETCH(QByteArray, data);
    QFETCH(QByteArray, expected);
    const QByteArray home = qgetenv("HOME");
    qputenv("HOME", "/home/me");
    qputenv("XDG_DATA_HOME", data);
    const auto folder = RunFolder::defaultRunsFolder();
    qunsetenv("HOME");
    qputenv("XDG_DATA_HOME", "");
    const auto error = errorOf([] { RunFolder::defaultRunsFolder(); });
    qputenv("HOME", home);
    qunsetenv("XDG_DATA_HOME");
    QCOMPARE(folder.string(), expected.toStdString());
    QVERIFY(tells(error, ErrorCode::BadInput, "HOME"));
}

void TestRunFolder::Resume_withoutRun_isRefused()
{
    const TemporaryFolder folder;
    for (const auto& path : {folder.path(), folder / "nothing"}) {
        QVERIFY(
            tells(errorOf([&] { RunFolder::resume(path); }), ErrorCode::BadInput, path.string()));
    }
    QVERIFY(std::filesystem::is_empty(folder.path()));
}

void TestRunFolder::Resume_removesOwnLeftovers()
{
    const TemporaryFolder folder;
    RunFolder::create(folder / "run", "seed = 1\n");
    writeBytes(folder / "run" / "run.toml.tmp", "half");
    const auto run = RunFolder::resume(folder / "run");
    QVERIFY(!std::filesystem::exists(folder / "run" / "run.toml.tmp"));
    QCOMPARE(run.configuration(), std::string("seed = 1\n"));
}

void TestRunFolder::SecondWriter_isRefusedAndNamed()
{
    const TemporaryFolder folder;
    {
        const auto writer = RunFolder::create(folder / "run", "");
        const auto error = errorOf([&] { RunFolder::resume(folder / "run"); });
        QVERIFY(tells(
            error, ErrorCode::BadInput, (folder / "run").string(),
            "process " + std::to_string(getpid()) + " "));
    }
    const auto next = RunFolder::resume(folder / "run");
    const auto moved = std::make_unique<RunFolder>(RunFolder::create(folder / "other", ""));
    QVERIFY(errorOf([&] { RunFolder::resume(folder / "other"); }).has_value());
}

void TestRunFolder::SecondWriter_inAnotherProcess_isNamedUntilItEnds()
{
    const TemporaryFolder folder;
    RunFolder::create(folder / "run", "");
    int ready[2];
    QCOMPARE(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        const auto run = RunFolder::resume(folder / "run");
        const bool told = RunFolder::isRun(run.path()) && write(ready[1], "x", 1) == 1;
        _exit(told && pause() == 0 ? 0 : 1);
    }
    char byte = 0;
    QCOMPARE(read(ready[0], &byte, 1), 1);
    const auto error = errorOf([&] { RunFolder::resume(folder / "run"); });
    QCOMPARE(kill(child, SIGKILL), 0);
    QCOMPARE(waitpid(child, nullptr, 0), child);
    close(ready[0]);
    close(ready[1]);
    QVERIFY(tells(error, ErrorCode::BadInput, "process " + std::to_string(child) + " "));
    QVERIFY(!errorOf([&] { RunFolder::resume(folder / "run"); }).has_value());
}

LOCKSTEP_TEST(TestRunFolder)
#include "test_run_folder.moc"
