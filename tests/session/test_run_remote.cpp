// SPDX-License-Identifier: Apache-2.0
#include "session/control/control_server.h"
#include "session/control/run_remote.h"
#include "session/run_witness.h"
#include "storage/store/run_lock.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <thread>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Trains on a thread of its own; a test that fails in between stops it.
class Training
{
public:
    explicit Training(TrainingRun& run) : m_run(run), m_thread([&run] { run.train(); }) {}
    ~Training() { stop(); }
    Training(const Training&) = delete;
    Training& operator=(const Training&) = delete;

    void stop()
    {
        m_run.send(command::Stop{});
        join();
    }
    void join()
    {
        if (m_thread.joinable()) {
            m_thread.join();
        }
    }

private:
    TrainingRun& m_run;
    std::thread m_thread;
};

/// Keeps what it is asked for.
ControlServer::Obey handlersFor(std::vector<std::string>& calls)
{
    return [&calls](const RunCommand& command) {
        if (std::holds_alternative<command::Evaluate>(command)) {
            fail(ErrorCode::Io, "no test set");
        }
        if (const auto* const change = std::get_if<command::SetSteps>(&command);
            change != nullptr && change->steps < 12) {
            fail(ErrorCode::BadInput, "12 are made already");
        }
        if (const auto* const change = std::get_if<command::SetLearningRate>(&command)) {
            calls.push_back(fmt::format("rate {}", change->rate));
        } else if (!std::holds_alternative<command::AskStatus>(command)) {
            calls.push_back(toLine(command));
        }
        return RunStatus{RunState::Paused, 12, 1000, 4711, 40};
    };
}

void makeFolder(const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
}

/// Whether a process of another user gets a connection to this socket.
bool canStrangerConnect(const std::filesystem::path& socket)
{
    const pid_t child = ::fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (::setresuid(kNobody, kNobody, kNobody) != 0) {
            ::_exit(2);
        }
        const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(
            static_cast<char*>(address.sun_path), socket.c_str(), sizeof(address.sun_path) - 1);
        const int result =
            ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
        ::_exit(result == 0 ? 1 : 0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

} // namespace

class TestRunRemote : public QObject
{
    Q_OBJECT

private slots:
    void Remote_commands_reachTheHandlers();
    void Remote_unknownCommandAndFailure_areTold();
    void Remote_values_reachTheHandlersAsTheyAre();
    void Remote_badValues_areRefusedByName_data();
    void Remote_badValues_areRefusedByName();
    void Remote_withoutAWriter_saysSo();
    void Socket_isOnlyForItsOwner();
    void Socket_ofAKilledProcess_isReplaced();
    void Socket_longPath_liesElsewhere();
    void Server_silentClient_doesNotBlockOthers();
    void Run_isPausedSavedAndStopped();
};

void TestRunRemote::Remote_commands_reachTheHandlers()
{
    const TemporaryFolder folder;
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    RunRemote remote(folder.path());
    const RunStatus status = remote.status();
    QVERIFY(status.state == RunState::Paused);
    QCOMPARE(status.step, 12);
    QCOMPARE(status.steps, 1000);
    QCOMPARE(status.process, 4711);
    QCOMPARE(status.stopStep, 40);
    remote.send(command::Pause{});
    remote.send(command::Resume{});
    remote.send(command::StepOnce{});
    remote.send(command::SaveCheckpoint{});
    remote.send(command::Stop{});
    QVERIFY(calls == (std::vector<std::string>{"pause", "resume", "step", "save", "stop"}));
}

void TestRunRemote::Remote_unknownCommandAndFailure_areTold()
{
    const TemporaryFolder folder;
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    RunRemote remote(folder.path());
    QVERIFY(failureOf([&] { static_cast<void>(remote.ask("dance")); }).contains("dance"));
    QVERIFY(failureOf([&] { remote.send(command::Evaluate{}); }).contains("no test set"));
    QVERIFY(calls.empty());
}

void TestRunRemote::Remote_values_reachTheHandlersAsTheyAre()
{
    const TemporaryFolder folder;
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    RunRemote remote(folder.path());
    remote.send(command::SetLearningRate{1.0 / 3.0});
    remote.send(command::SetLearningRate{1e-300});
    remote.send(command::SetSteps{9'000'000'000'000});
    remote.send(command::StopAfterEpoch{true});
    remote.send(command::StopAfterEpoch{false});
    QCOMPARE(
        calls, (std::vector<std::string>{
                   fmt::format("rate {}", 1.0 / 3.0), "rate 1e-300", "steps 9000000000000",
                   "stop-epoch", "stop-epoch off"}));
}

void TestRunRemote::Remote_badValues_areRefusedByName_data()
{
    addTextRows(
        {"line", "named"},
        {{"no rate", "learning-rate", "''"},
         {"a word", "learning-rate low", "'low'"},
         {"half a number", "learning-rate 0.1x", "'0.1x'"},
         {"part of a step", "steps 10.5", "'10.5'"},
         {"too many steps", "steps 99999999999999999999", "99999999999999999999"},
         {"too few steps", "steps 3", "12 are made already"},
         {"no switch", "stop-epoch maybe", "'maybe'"},
         {"a value too many", "pause 3", "'3'"}});
}

void TestRunRemote::Remote_badValues_areRefusedByName()
{
    QFETCH(QString, line);
    QFETCH(QString, named);
    const TemporaryFolder folder;
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(RunRemote(folder.path()).ask(line.toStdString())); }),
        ErrorCode::BadInput, named.toStdString(), folder.path()));
    QVERIFY(calls.empty());
}

void TestRunRemote::Remote_withoutAWriter_saysSo()
{
    const TemporaryFolder folder;
    QVERIFY(
        failureOf([&] { RunRemote(folder.path()).send(command::Pause{}); }).contains("not a run"));
    std::ofstream(folder / "run.toml") << "";
    const QString text = failureOf([&] { RunRemote(folder.path()).send(command::Pause{}); });
    QVERIFY2(
        text.contains("no process is training")
            && text.contains(QString::fromStdString(folder.path())),
        qPrintable(text));
    std::vector<std::string> calls;
    {
        const ControlServer server(folder.path(), handlersFor(calls));
    }
    QVERIFY(!std::filesystem::exists(folder / "control.sock"));
    QVERIFY(!failureOf([&] { static_cast<void>(RunRemote(folder.path()).status()); }).isEmpty());
}

void TestRunRemote::Socket_isOnlyForItsOwner()
{
    if (::geteuid() != 0) {
        QSKIP("only root can act as another user");
    }
    const TemporaryFolder folder;
    std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    struct stat status = {};
    QCOMPARE(::lstat((folder / "control.sock").c_str(), &status), 0);
    QCOMPARE(status.st_mode & 0777U, 0600U);
    QVERIFY(!canStrangerConnect(folder / "control.sock"));
    // Even if somebody opened the file up, the server looks at who asks.
    QCOMPARE(::chmod((folder / "control.sock").c_str(), 0777), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const bool isOther = ::setresuid(65534, 65534, 65534) == 0;
        try {
            RunRemote(folder.path()).send(command::Stop{});
        } catch (const Error& error) {
            ::_exit(
                isOther && std::string(error.what()).find("another user") != std::string::npos ? 0
                                                                                               : 1);
        }
        ::_exit(1);
    }
    int result = 0;
    ::waitpid(child, &result, 0);
    QCOMPARE(WEXITSTATUS(result), 0);
    QVERIFY(calls.empty());
}

void TestRunRemote::Socket_ofAKilledProcess_isReplaced()
{
    const TemporaryFolder folder;
    std::ofstream(folder / "control.sock") << "left over";
    std::ofstream(folder / "control.path") << "/nowhere\n";
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    RunRemote(folder.path()).send(command::Pause{});
    QCOMPARE(calls.size(), std::size_t{1});
    QVERIFY(!std::filesystem::exists(folder / "control.path"));
}

void TestRunRemote::Socket_longPath_liesElsewhere()
{
    const TemporaryFolder folder;
    const auto runtime = folder / "runtime";
    makeFolder(runtime);
    qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(runtime.string()));
    const auto run = folder / std::string(120, 'r');
    makeFolder(run);
    std::vector<std::string> calls;
    {
        const ControlServer server(run, handlersFor(calls));
        RunRemote(run).send(command::Pause{});
        QCOMPARE(calls.size(), std::size_t{1});
        QVERIFY(std::filesystem::exists(run / "control.path"));
        QVERIFY(!std::filesystem::is_empty(runtime));
    }
    qunsetenv("XDG_RUNTIME_DIR");
    QVERIFY(std::filesystem::is_empty(runtime));
    QVERIFY(std::filesystem::is_empty(run));
}

void TestRunRemote::Server_silentClient_doesNotBlockOthers()
{
    const TemporaryFolder folder;
    std::vector<std::string> calls;
    const ControlServer server(folder.path(), handlersFor(calls));
    const Descriptor silent = connectForControl(folder.path());
    QVERIFY(silent.isOpen());
    RunRemote(folder.path()).send(command::Pause{});
    QCOMPARE(calls.size(), std::size_t{1});
}

void TestRunRemote::Run_isPausedSavedAndStopped()
{
    const TemporaryFolder folder;
    RunConfig config = smallConfig(1'000'000);
    config.checkpointEverySteps = 0;
    Witness witness;
    TrainingRun run({config, folder / "run"}, witness);
    Training trainer(run);
    RunRemote remote(folder / "run");
    QCOMPARE(RunLock::writerOf(folder / "run").value_or(0), static_cast<int>(::getpid()));
    remote.send(command::Pause{});
    QTRY_VERIFY(remote.status().state == RunState::Paused);
    const RunStatus paused = remote.status();
    remote.send(command::StepOnce{});
    QTRY_COMPARE(remote.status().step, paused.step + 1);
    remote.send(command::SaveCheckpoint{});
    const auto saved = [&] { return run.lastCheckpoint(); };
    remote.send(command::Resume{});
    QTRY_VERIFY(remote.status().step > paused.step + 1);
    remote.send(command::Stop{});
    trainer.join();
    QVERIFY(run.state() == RunState::Stopped);
    QVERIFY(witness.checkpoints.contains(paused.step + 1));
    QCOMPARE(readCheckpoint(saved()).step, run.session().progress().step);
}

LOCKSTEP_TEST(TestRunRemote)
#include "test_run_remote.moc"
