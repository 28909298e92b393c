// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "engine/base.h"
#include "engine/remote.h"
#include "engine/run.h"
#include "engine/storage.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/stored_run.h"
#include "support/temporary_folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

namespace fs = std::filesystem;

/// A training as a process of its own, from its start to its end.
class TestLaunch : public QObject
{
    Q_OBJECT

private slots:
    /// No run outlives a test that failed.
    void cleanup()
    {
        for (const auto& entry : fs::directory_iterator(m_folder.path())) {
            if (const auto writer = RunLock::writerOf(entry.path()); writer && *writer > 0) {
                ::kill(*writer, SIGKILL);
            }
        }
    }
    void request_comesBackWhole();
    void run_isUp_andObeys();
    void run_goesOn_whenItsStarterIsKilled();
    void configuration_isTheRequestAlone();
    void branch_goesOnFromItsCheckpoint();
    void failedStart_tellsTheErrorOfTheTraining();
    void missingProgram_isNamed();
    void processThatDies_leavesItsLastWords();
    void cancelled_leavesNoRun();

private:
    [[nodiscard]] fs::path run(const char* name) const { return m_folder / name; }
    [[nodiscard]] static bool isOver(const fs::path& run) { return !RunLock::writerOf(run); }

    TemporaryFolder m_folder;
};

void TestLaunch::request_comesBackWhole()
{
    RunRequest request{smallRunConfig(7), run("a b")};
    request.config.learningRate.initial = 1.0 / 3.0;
    request.isResume = true;
    request.checkpoint = "/some/\"quoted\" file";
    const RunRequest back = runRequestFrom(toText(request));
    QCOMPARE(toToml(back.config), toToml(request.config));
    QCOMPARE(back.folder, request.folder);
    QCOMPARE(back.isResume, true);
    QCOMPARE(back.checkpoint->string(), request.checkpoint->string());
    QVERIFY(failureOf([] { runRequestFrom("{}"); }).contains("not the request of a run"));
}

void TestLaunch::run_isUp_andObeys()
{
    const fs::path folder = launchTraining({smallRunConfig(1'000'000), run("up")});
    QCOMPARE(folder, run("up"));
    RunRemote remote(folder);
    const pid_t process = remote.status().process;
    QVERIFY(process != ::getpid());
    QCOMPARE(RunLock::writerOf(folder).value_or(0), process);
    QVERIFY(::getsid(process) != ::getsid(0)); // no terminal of ours can end it
    QVERIFY(::getsid(process) != process);     // and it can't get one
    QTRY_VERIFY(remote.status().step > 3);
    remote.send(command::Stop{});
    QTRY_VERIFY(isOver(folder));
    QVERIFY(fs::exists(folder / "messages.log"));
    std::ifstream messages(folder / "messages.log");
    const std::string said{std::istreambuf_iterator<char>(messages), {}};
    QVERIFY2(said.find("stopped at step") != std::string::npos, said.c_str());
}

void TestLaunch::run_goesOn_whenItsStarterIsKilled()
{
    constexpr std::int64_t kSteps = 400;
    const fs::path folder = run("orphan");
    const pid_t starter = ::fork();
    if (starter == 0) {
        launchTraining({smallRunConfig(kSteps), folder});
        ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ::waitpid(starter, &status, 0);
    QVERIFY(WIFSIGNALED(status));
    QVERIFY(RunFolder::isRun(folder));
    QTRY_VERIFY(isOver(folder));
    QCOMPARE(storedLosses(folder).size(), std::size_t{kSteps});
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    QCOMPARE(reader.values().at(kRunStateFact), std::string("finished"));
}

/// A key that is back at its default says so, though run.toml says something else.
void TestLaunch::configuration_isTheRequestAlone()
{
    RunRequest request{smallRunConfig(3), run("again")};
    request.config.checkpointEverySteps = 2;
    const fs::path folder = launchTraining(request);
    QTRY_VERIFY(isOver(folder));
    QCOMPARE(configOfRun(folder).checkpointEverySteps, 2);
    request.config.checkpointEverySteps = RunConfig().checkpointEverySteps;
    request.config.steps = 5;
    request.isResume = true;
    QCOMPARE(launchTraining(request), folder);
    QTRY_VERIFY(isOver(folder));
    QCOMPARE(storedLosses(folder).size(), std::size_t{5});
    QCOMPARE(configOfRun(folder).checkpointEverySteps, RunConfig().checkpointEverySteps);
}

void TestLaunch::branch_goesOnFromItsCheckpoint()
{
    RunRequest request{smallRunConfig(4), run("branches")};
    request.config.checkpointEverySteps = 2;
    const fs::path folder = launchTraining(request);
    QTRY_VERIFY(isOver(folder));
    request.isResume = true;
    request.checkpoint = listCheckpoints(RunFolder::checkpointsOf(folder)).at(1).path;
    request.config.steps = 6;
    launchTraining(request);
    QTRY_VERIFY(isOver(folder));
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    QCOMPARE(reader.branches().size(), std::size_t{2});
    QCOMPARE(reader.branches().back().fromStep, 2);
    QCOMPARE(storedLosses(folder).size(), std::size_t{6});
}

void TestLaunch::failedStart_tellsTheErrorOfTheTraining()
{
    RunConfig config = smallRunConfig(5);
    config.datasetPath = run("nowhere").string();
    const auto launched = errorOf([&] { launchTraining({config, run("bad")}); });
    QVERIFY(tells(launched, ErrorCode::BadInput, "nowhere", ""));
    QVERIFY(!fs::exists(run("bad")));
    // What is said before anything is opened, too.
    config = smallRunConfig(5);
    config.towers = 0;
    QVERIFY(failureOf([&] { launchTraining({config, run("bad")}); }).contains("towers"));
}

void TestLaunch::missingProgram_isNamed()
{
    const auto error = errorOf([&] {
        const TrainingLaunch launch({smallRunConfig(5), run("never")}, m_folder / "no program");
    });
    QVERIFY(tells(error, ErrorCode::Io, "can't be started", m_folder / "no program"));
}

void TestLaunch::processThatDies_leavesItsLastWords()
{
    const fs::path program = m_folder / "dies";
    std::ofstream(program) << "#!/bin/sh\necho first >&2\necho 'out of luck' >&2\nkill -9 $$\n";
    fs::permissions(program, fs::perms::owner_all);
    TrainingLaunch launch({smallRunConfig(5), run("dead")}, program);
    const QString text = failureOf([&] { launch.poll(std::chrono::seconds(30)); });
    QVERIFY2(text.endsWith("before its run was up: out of luck"), qPrintable(text));
}

void TestLaunch::cancelled_leavesNoRun()
{
    RunConfig config = smallRunConfig(1'000'000);
    config.dataset = "synthetic"; // which takes a moment to make
    config.model.name = "cifar10";
    TrainingLaunch launch({config, run("cancelled")});
    launch.cancel();
    const auto error = errorOf([&] { launch.poll(std::chrono::seconds(30)); });
    QVERIFY(tells(error, ErrorCode::Cancelled, "cancelled", ""));
    QVERIFY(!fs::exists(run("cancelled")));
}

LOCKSTEP_TEST(TestLaunch)
#include "test_launch.moc"
