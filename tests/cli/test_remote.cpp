// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "cli/remote_scene.h"
#include "session/config/run_config.h"
#include "session/evaluation/image_predictor.h"
#include "session/mirror/frame_channel.h"
#include "storage/steps.h"
#include "support/cifar10_files.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/time_limit.h"

#include <sys/stat.h>

#include <csignal>
#include <memory>

using namespace lockstep;
using namespace lockstep::test;

namespace fs = std::filesystem;

/// Both ends of a connection, with a stand-in for ssh that starts the other end on this machine.
class TestRemote : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanup();
    void finishedRun_isListedAndMirroredRowForRow();
    void trainedRun_isFollowedOverCuts_andObeys();
    void newBranch_andNewStore_areMirrored();
    void fastRun_isFollowedAsItGrows();
    void slowLine_answersBeforeAllRowsAreThere();
    void checkpoint_isFetchedByteForByte();
    void training_isStartedThere();
    void images_areLookedAtThere();
    void printedWords_areSkipped();
    void whatCantBe_isOneSentence_data();
    void whatCantBe_isOneSentence();
    void damagedFrames_endTheServer();
    void serveByHand_saysWhatItIsFor();

private:
    [[nodiscard]] RemoteMachineSettings settings() const
    {
        RemoteMachineSettings settings;
        settings.address = {"", "there", 0, (m_folder / "runs").string()};
        settings.ssh = {(m_folder / "ssh").string()};
        settings.program = LOCKSTEP_TRAIN_PROGRAM;
        settings.cache = m_folder / "cache";
        return settings;
    }
    RemoteMachine& connect()
    {
        m_witness = std::make_unique<RemoteWitness>();
        m_machine = std::make_unique<RemoteMachine>(settings(), m_witness->listener());
        m_witness->waitFor(RemoteState::Kind::Connected);
        return *m_machine;
    }
    [[nodiscard]] fs::path run(const std::string& name) const { return m_folder / "runs" / name; }
    [[nodiscard]] QStringList training(const std::string& name, int steps) const
    {
        return smallTraining(m_folder / "data", run(name), steps);
    }
    /// Its program, and all it has started, are gone at once.
    void cutLine() const { ::kill(std::stoi(contentOf(m_folder / "ssh.pid")), SIGKILL); }

    TemporaryFolder m_folder;
    std::unique_ptr<RemoteWitness> m_witness;
    std::unique_ptr<RemoteMachine> m_machine;
};

void TestRemote::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 20);
    fs::create_directories(m_folder / "runs");
    // Like ssh: its last argument is the command for the other machine's shell.
    const std::string folder = m_folder.path().string();
    writeText(
        m_folder / "ssh", "#!/bin/sh\nfor last; do :; done\n[ ! -e " + folder
                              + "/down ] || { echo 'ssh: connect to host there port 22: "
                                "Connection refused' >&2; exit 255; }\necho $$ > "
                              + folder + "/ssh.pid\n[ ! -e " + folder + "/motd ] || cat " + folder
                              + "/motd\n[ ! -e " + folder
                              + "/slow ] || { sh -c \"$last\" | python3 " + folder
                              + "/slow; exit; }\neval \"$last\"\n");
    ::chmod((m_folder / "ssh").c_str(), 0700);
    QCOMPARE(
        runProgram(
            training("done", 40) << "--set"
                                 << "evaluate.every_steps=20")
            .exitCode,
        0);
}

void TestRemote::cleanup()
{
    m_machine.reset();
    endTrainings(m_folder / "runs");
    for (const char* name : {"down", "motd", "slow"}) {
        fs::remove(m_folder / name);
    }
}

void TestRemote::finishedRun_isListedAndMirroredRowForRow()
{
    RemoteMachine& machine = connect();
    QVERIFY(m_witness->waitUntil([&] { return m_witness->run("done").name == "done"; }));
    const RemoteRun listed = m_witness->run("done");
    QVERIFY(!listed.isTrained);
    QCOMPARE(listed.state, std::string("finished"));
    QCOMPARE(listed.step, std::int64_t{40});
    QVERIFY(listed.lastLoss && listed.lastAccuracy && listed.bestAccuracy);
    const fs::path mirror = machine.mirrorOf("done");
    QCOMPARE(machine.runOf(mirror), std::string("done"));
    QCOMPARE(contentOf(mirror / "run.toml"), contentOf(run("done") / "run.toml"));
    machine.follow("done");
    QVERIFY(m_witness->waitUntil([&] { return m_witness->caughtUp("done") > 0; }));
    QCOMPARE(difference(run("done"), mirror), QString());
    QVERIFY(!RunLock::writerOf(mirror));
    // Readers of runs read it, checksums and all.
    const RunStoreReader reader(RunFolder::storeFileOf(mirror));
    QCOMPARE(reader.nextStep(), std::int64_t{40});
    QCOMPARE(reader.evaluations().size(), std::size_t{4});
}

void TestRemote::trainedRun_isFollowedOverCuts_andObeys()
{
    Background training(this->training("live", 1'000'000));
    RemoteMachine& machine = connect();
    machine.follow("live");
    const fs::path mirror = machine.mirrorOf("live");
    QVERIFY(m_witness->waitUntil([&] { return stepsIn(mirror) >= 10; }));
    QVERIFY(m_witness->waitUntil([&] { return isReachable(mirror); }));

    // The mirror is a run like any that another process trains.
    RunRemote remote(mirror);
    QVERIFY(remote.status().step >= 10);
    remote.send(command::SetLearningRate{0.0125});
    remote.send(command::SaveCheckpoint{});
    remote.send(command::Evaluate{});
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(remote.ask("steps 1")); }), ErrorCode::BadInput,
        "are made already"));

    QVERIFY(m_witness->waitUntil([&] {
        return RunStoreReader(RunFolder::storeFileOf(mirror)).evaluations().size() == 2
               && lastRate(mirror) < 0.1;
    }));

    writeText(m_folder / "down", "");
    cutLine();
    QVERIFY(m_witness->waitFor(RemoteState::Kind::Lost));
    QVERIFY(RunLock::writerOf(mirror)); // as far as is known
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(remote.status()); }), ErrorCode::Io,
        "not connected just now", "there"));
    const std::int64_t before = stepsIn(mirror);
    QVERIFY(m_witness->waitUntil([&] { return stepsIn(run("live")) >= before + 10; }));
    QCOMPARE(stepsIn(mirror), before);
    fs::remove(m_folder / "down");
    machine.reconnect();
    QVERIFY(m_witness->waitFor(RemoteState::Kind::Connected));
    QVERIFY(m_witness->waitUntil([&] { return stepsIn(mirror) >= before + 10; }));

    remote.send(command::Stop{});
    QCOMPARE(training.finish(), 1);
    QVERIFY(m_witness->waitUntil([&] { return !RunLock::writerOf(mirror); }));
    // What the process wrote before it went is there as soon as the mirror's lock is free.
    QCOMPARE(difference(run("live"), mirror), QString());
    const RunStoreReader reader(RunFolder::storeFileOf(mirror));
    std::int64_t next = 0;
    reader.forEachStep([&](const StepRecord& step) { QCOMPARE(step.step, next++); });
    QVERIFY(!reader.deviceReadings().empty());
}

void TestRemote::newBranch_andNewStore_areMirrored()
{
    QCOMPARE(runProgram(training("branched", 20)).exitCode, 0);
    RemoteMachine& machine = connect();
    const fs::path mirror = machine.mirrorOf("branched");
    const auto isEqual = [&] { return difference(run("branched"), mirror).isEmpty(); };
    machine.follow("branched");
    QVERIFY(m_witness->waitUntil(isEqual));
    QCOMPARE(runProgram(training("branched", 30) << "--resume").exitCode, 0);
    QVERIFY(m_witness->waitUntil(isEqual));
    QCOMPARE(stepsIn(mirror), std::int64_t{30});
    // Another run of the same name, while the line is up and while it is not.
    fs::remove_all(run("branched"));
    QCOMPARE(runProgram(training("branched", 10)).exitCode, 0);
    QVERIFY(m_witness->waitUntil(isEqual));
    m_machine.reset();
    fs::remove_all(run("branched"));
    QCOMPARE(runProgram(training("branched", 12)).exitCode, 0);
    connect().follow("branched");
    QVERIFY(m_witness->waitUntil(isEqual));
}

void TestRemote::fastRun_isFollowedAsItGrows()
{
    constexpr int kTowers = 8;
    constexpr std::int64_t kSteps = 20'000;
    const RunFolder folder = RunFolder::create(run("fast"), contentOf(run("done") / "run.toml"));
    RunStore store(folder.storeFile());
    store.startBranch(exampleBranch(kTowers));
    RemoteMachine& machine = connect();
    const fs::path mirror = machine.mirrorOf("fast");
    machine.follow("fast");
    const Stopwatch watch;
    for (std::int64_t step = 0; step < kSteps; step += 1'000) {
        writeSteps(store, step, step + 1'000, kTowers);
        store.flush();
    }
    QVERIFY(m_witness->waitUntil([&] { return stepsIn(mirror) == kSteps; }));
    qInfo(
        "%lld steps of %d towers in %.2f s", static_cast<long long>(kSteps), kTowers,
        watch.seconds());
    QVERIFY(!isFarTooSlow(watch.seconds(), 4.0)); // 5,000 steps a second
    QVERIFY(m_witness->waitUntil([&] { return difference(run("fast"), mirror).isEmpty(); }));
}

void TestRemote::slowLine_answersBeforeAllRowsAreThere()
{
    writeText(
        m_folder / "slow", "import os, time\nwhile data := os.read(0, 4096):\n"
                           "    os.write(1, data)\n    time.sleep(0.02)\n"); // 200 kB/s
    RemoteMachine& machine = connect();
    fs::remove_all(machine.mirrorOf("fast"));
    machine.follow("fast");
    const fs::path mirror = machine.mirrorOf("fast");
    const std::int64_t steps = stepsIn(run("fast"));
    QVERIFY(steps > 0);
    for (int i = 0; i < 3; ++i) {
        const std::int64_t before = stepsIn(mirror);
        QVERIFY(m_witness->waitUntil([&] { return stepsIn(mirror) > before; }));
        QVERIFY(!machine.checkpoints("done").empty());
        QVERIFY(stepsIn(mirror) < steps / 2);
    }
}

void TestRemote::checkpoint_isFetchedByteForByte()
{
    RemoteMachine& machine = connect();
    const auto checkpoints = machine.checkpoints("done");
    QVERIFY(!checkpoints.empty());
    const RemoteCheckpoint& last = checkpoints.back();
    QCOMPARE(last.step, std::int64_t{40});
    const std::string content = contentOf(run("done") / last.file);
    QCOMPARE(static_cast<std::size_t>(last.bytes), content.size());
    // An earlier call was cut off in its middle.
    const fs::path place = machine.mirrorOf("done") / last.file;
    fs::create_directories(place.parent_path());
    writeText(place.string() + ".part", content.substr(0, content.size() / 2));
    std::int64_t least = last.bytes;
    QCOMPARE(
        machine.fetch(
            "done", last.file,
            [&](std::int64_t bytes, std::int64_t total) {
                least = std::min(least, bytes);
                return total == last.bytes;
            }),
        place);
    QVERIFY(least > last.bytes / 2);
    QVERIFY(contentOf(place) == content);
    // One that is another there by now, although as long.
    std::string other = content;
    other[10] ^= 1;
    writeText(place, other);
    QVERIFY(contentOf(machine.fetch("done", last.file)) == content);
    // A file that grows is read on.
    const auto events = machine.eventFiles("done");
    QCOMPARE(events.size(), std::size_t{1});
    QVERIFY(contentOf(machine.fetch("done", events[0])) == contentOf(run("done") / events[0]));
    std::ofstream(run("done") / events[0], std::ios::app) << "more";
    QVERIFY(contentOf(machine.fetch("done", events[0])) == contentOf(run("done") / events[0]));

    QVERIFY(tells(
        errorOf([&] { machine.fetch("done", last.file, [](auto, auto) { return false; }); }),
        ErrorCode::Cancelled, "not fetched"));
    QVERIFY(tells(
        errorOf([&] { machine.fetch("done", "../done/run.toml"); }), ErrorCode::BadInput,
        "not a file of a run"));
    QVERIFY(tells(
        errorOf([&] { machine.fetch("done", "checkpoints/none"); }), ErrorCode::BadInput,
        "no such file"));
}

void TestRemote::training_isStartedThere()
{
    RemoteMachine& machine = connect();
    const RemoteFacts facts = machine.facts();
    QCOMPARE(facts.runs, (m_folder / "runs").string());
    QVERIFY(!facts.devices.empty() && facts.devices.front().name == "cpu");
    QVERIFY(!facts.version.empty() && !facts.dataSets.empty());

    RunConfig config;
    readConfigFile(config, run("done") / "run.toml");
    config.steps = 1'000'000;
    const std::string name = machine.start({toToml(config), "started", false});
    QCOMPARE(name, std::string("started"));
    machine.follow(name);
    const fs::path mirror = machine.mirrorOf(name);
    QVERIFY(m_witness->waitUntil([&] { return isReachable(mirror) && stepsIn(mirror) > 3; }));
    QVERIFY(m_witness->waitUntil([&] { return m_witness->run(name).isTrained; }));
    // It outlives the connection.
    m_machine.reset();
    QVERIFY(RunLock::writerOf(run(name)));
    connect().follow(name);
    QVERIFY(m_witness->waitUntil([&] { return isReachable(mirror); }));
    RunRemote(mirror).send(command::Stop{});
    QVERIFY(m_witness->waitUntil([&] { return !RunLock::writerOf(mirror); }));
    QVERIFY(!RunLock::writerOf(run(name)));
    QCOMPARE(difference(run(name), mirror), QString());

    config.datasetPath = (m_folder / "nowhere").string();
    QVERIFY(tells(
        errorOf([&] {
            m_machine->start({toToml(config), "failing", false});
        }),
        ErrorCode::BadInput, "nowhere"));
    QVERIFY(!fs::exists(run("failing")));
    QVERIFY(tells(
        errorOf([&] {
            m_machine->start({"towers = -3", "", false});
        }),
        ErrorCode::BadInput, "towers"));
}

void TestRemote::images_areLookedAtThere()
{
    RemoteMachine& machine = connect();
    const RemotePredicted there =
        machine.predict({"done", 40, WeightsKind::Average, std::int64_t{3}});
    ImagePredictor predictor({run("done"), {}, WeightsKind::Average});
    const PredictedImage here = predictor.testImage(3);
    QCOMPARE(there.step, std::int64_t{40});
    QVERIFY(there.image.classProbabilities == here.classProbabilities);
    QVERIFY(!here.input.empty() && there.image.input == here.input);
    QVERIFY(there.image.inputShape == here.inputShape && there.image.classNames == here.classNames);
    const std::string config = contentOf(run("done") / "run.toml");
    const RemoteExample example = machine.example(config, Split::Test, 3);
    QCOMPARE(example.image.width, std::int64_t{32});
    QCOMPARE(example.image.pixels.size(), std::size_t{32 * 32 * 3});
    QVERIFY(!example.className.empty());
    QVERIFY(tells(
        errorOf([&] { static_cast<void>(machine.example(config, Split::Test, 1'000'000)); }),
        ErrorCode::BadInput, "no example 1000000"));
}

void TestRemote::printedWords_areSkipped()
{
    writeText(m_folder / "motd", "Welcome!\nYou have mail.\n");
    QVERIFY(!connect().runs().empty() || m_witness->waitUntil([&] {
        return !m_machine->runs().empty();
    }));
}

void TestRemote::whatCantBe_isOneSentence_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("says");
    const QString here = LOCKSTEP_TRAIN_PROGRAM;
    QTest::newRow("no such folder") << "/no/such/folder" << here << "no such folder";
    QTest::newRow("no such program") << "/tmp"
                                     << "/no/lockstep-train"
                                     << "does not find /no/lockstep-train";
    QTest::newRow("another program") << "/tmp"
                                     << "echo"
                                     << "the line was cut: serve --stdio /tmp";
    QTest::newRow("an older program")
        << "/tmp"
        << R"(sh -c "echo lockstep-train: unknown command \'serve\' >&2; exit 2")"
        << "older version";
    QTest::newRow("another version") << "/tmp"
                                     << "cat " + toText(m_folder / "other") + " -; true"
                                     << "protocol 99";
    QTest::newRow("damaged") << "/tmp"
                             << "cat " + toText(m_folder / "damaged") + " -; true"
                             << "damaged";
}

void TestRemote::whatCantBe_isOneSentence()
{
    QFETCH(QString, path);
    QFETCH(QString, program);
    QFETCH(QString, says);
    const std::string greeting = "\r\n\x01lockstep\x02\r\n";
    std::vector<std::uint8_t> hello(4);
    Frame::to_cbor(
        Frame{{"t", "hello"}, {"protocol", 99}, {"version", "9.9"}, {"folder", "/"}, {"run", ""}},
        hello);
    hello[3] = static_cast<std::uint8_t>(hello.size() - 4);
    writeText(m_folder / "other", greeting + std::string(hello.begin(), hello.end()));
    writeText(m_folder / "damaged", greeting + std::string("\0\0\0\4abcd", 8));
    RemoteMachineSettings wrong = settings();
    wrong.address.path = path.toStdString();
    wrong.program = program.toStdString();
    m_witness = std::make_unique<RemoteWitness>();
    m_machine = std::make_unique<RemoteMachine>(wrong, m_witness->listener());
    const QString reason = QString::fromStdString(m_witness->refusal());
    QVERIFY2(reason.contains(says), qPrintable(reason));
    QVERIFY2(reason.startsWith("there: ") && !reason.contains('\n'), qPrintable(reason));
}

/// Whatever comes, the server ends by itself.
void TestRemote::damagedFrames_endTheServer()
{
    std::vector<std::uint8_t> hello(4);
    Frame::to_cbor(Frame{{"t", "hello"}, {"protocol", kRemoteProtocol}, {"version", "1"}}, hello);
    hello[3] = static_cast<std::uint8_t>(hello.size() - 4);
    std::vector<std::uint8_t> ask(4);
    Frame::to_cbor(Frame{{"t", "ask"}, {"id", 1}, {"ask", "checkpoints"}, {"run", "done"}}, ask);
    ask[3] = static_cast<std::uint8_t>(ask.size() - 4);
    QByteArray whole("\r\n\x01lockstep\x02\r\n");
    whole.append(reinterpret_cast<const char*>(hello.data()), static_cast<int>(hello.size()));
    whole.append(reinterpret_cast<const char*>(ask.data()), static_cast<int>(ask.size()));
    constexpr int kPlaces = 24;
    for (int i = 0; i < kPlaces; ++i) {
        QByteArray damaged = whole;
        const auto at = whole.size() * i / kPlaces;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << (i % 8)));
        QProcess server;
        server.start(LOCKSTEP_TRAIN_PROGRAM, {"serve", "--stdio", toText(m_folder / "runs")});
        server.write(damaged);
        server.closeWriteChannel();
        QVERIFY(server.waitForFinished(30'000));
        QVERIFY2(server.exitStatus() == QProcess::NormalExit, qPrintable(QString::number(i)));
    }
}

void TestRemote::serveByHand_saysWhatItIsFor()
{
    const Outcome outcome = runProgram({"serve"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains("lockstep ssh://host/folder"), outcome.err.constData());
}

LOCKSTEP_TEST(TestRemote)
#include "test_remote.moc"
