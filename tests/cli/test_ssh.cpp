// SPDX-License-Identifier: Apache-2.0
#include "cli/remote_scene.h"
#include "session/config/run_config.h"
#include "session/mask_model.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <QStandardPaths>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <memory>

using namespace lockstep;
using namespace lockstep::test;

namespace fs = std::filesystem;

namespace {

/// One that nobody listens at just now.
int freePort()
{
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    const bool isBound =
        ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0
        && ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    ::close(descriptor);
    return isBound ? ntohs(address.sin_port) : 0;
}

bool isListening(int port)
{
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool isThere =
        ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    ::close(descriptor);
    return isThere;
}

/// The processes whose command line holds this text.
std::vector<pid_t> processesWith(const std::string& text)
{
    std::vector<pid_t> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") == std::string::npos
            && contentOf(entry.path() / "cmdline").find(text) != std::string::npos) {
            found.push_back(std::stoi(name));
        }
    }
    return found;
}

} // namespace

/// A real sshd on this machine and the user's own ssh, with keys made for the test.
class TestSsh : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void cleanupTestCase();
    void cleanup();
    void run_isStartedFollowedSteeredAndSurvivesACut();
    void whatCantBe_isOneSentence_data();
    void whatCantBe_isOneSentence();

private:
    [[nodiscard]] bool makeKey(const char* name) const
    {
        return QProcess::execute(
                   "ssh-keygen",
                   {"-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", toText(m_folder / name)})
               == 0;
    }
    [[nodiscard]] std::string publicKey(const char* name) const
    {
        return contentOf(m_folder / (std::string(name) + ".pub"));
    }
    /// A user's configuration, under this name.
    void writeUserConfig(
        const std::string& name, const std::string& key, const std::string& knownHosts,
        int port) const
    {
        writeText(
            m_folder / name,
            fmt::format(
                "Host there\n HostName 127.0.0.1\n Port {}\nHost *\n IdentityFile {}\n "
                "IdentitiesOnly yes\n IdentityAgent none\n UserKnownHostsFile {}\n "
                "GlobalKnownHostsFile /dev/null\n StrictHostKeyChecking yes\n ControlPath none\n",
                port, (m_folder / key).string(), (m_folder / knownHosts).string()));
    }
    [[nodiscard]] RemoteMachineSettings settings(const std::string& config) const
    {
        RemoteMachineSettings settings;
        settings.address = {"", "there", 0, (m_folder / "runs").string()};
        settings.ssh = {"ssh", "-F", (m_folder / config).string()};
        settings.program = LOCKSTEP_TRAIN_PROGRAM;
        settings.cache = m_folder / "cache";
        return settings;
    }
    void connect(const RemoteMachineSettings& settings)
    {
        m_witness = std::make_unique<RemoteWitness>();
        m_machine = std::make_unique<RemoteMachine>(settings, m_witness->listener());
    }

    TemporaryFolder m_folder;
    QProcess m_server;
    int m_port = 0;
    std::unique_ptr<RemoteWitness> m_witness;
    std::unique_ptr<RemoteMachine> m_machine;
};

void TestSsh::initTestCase()
{
    const QString sshd = QStandardPaths::findExecutable("sshd", {"/usr/sbin", "/usr/local/sbin"});
    if (sshd.isEmpty() || QStandardPaths::findExecutable("ssh").isEmpty()) {
        QSKIP("there is no sshd, or no ssh: packaging/install-dependencies.sh installs them");
    }
    if (::geteuid() == 0) {
        fs::create_directories("/run/sshd"); // of which it makes nothing but its own jail
    }
    QVERIFY(makeKey("host") && makeKey("user") && makeKey("other"));
    m_port = freePort();
    writeText(m_folder / "authorized", publicKey("user"));
    writeText(
        m_folder / "sshd_config",
        fmt::format(
            "ListenAddress 127.0.0.1\nPort {}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n"
            "StrictModes no\nUsePAM no\nPasswordAuthentication no\n"
            "KbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n",
            m_port, (m_folder / "host").string(), (m_folder / "authorized").string()));
    m_server.start(sshd, {"-D", "-e", "-f", toText(m_folder / "sshd_config")});
    QTRY_VERIFY(isListening(m_port));
    const std::string where = fmt::format("[127.0.0.1]:{} ", m_port);
    writeText(m_folder / "known", where + publicKey("host"));
    writeText(m_folder / "known_other", where + publicKey("other"));
    writeText(m_folder / "known_none", "");
    writeUserConfig("config", "user", "known", m_port);
    writeUserConfig("wrong_key", "other", "known", m_port);
    writeUserConfig("changed_host", "user", "known_other", m_port);
    writeUserConfig("unknown_host", "user", "known_none", m_port);
    writeUserConfig("wrong_port", "user", "known", freePort());
    fs::create_directories(m_folder / "runs");
}

void TestSsh::cleanup()
{
    m_machine.reset();
    endTrainings(m_folder / "runs");
}

void TestSsh::cleanupTestCase()
{
    m_server.terminate();
    m_server.waitForFinished();
}

void TestSsh::run_isStartedFollowedSteeredAndSurvivesACut()
{
    connect(settings("config"));
    QVERIFY2(
        m_witness->waitFor(RemoteState::Kind::Connected),
        m_witness->states().empty() ? "" : m_witness->states().back().reason.c_str());
    RunConfig config;
    config.model.name = writeMaskModel(m_folder.path()).string();
    config.dataset = "synthetic_defects";
    config.phases = {{"segmentation+decision", 1'000'000, {}, {}}};
    config.batchPerTower = 8;
    config.device = "cpu";
    config.steps = 1'000'000;
    const std::string name = m_machine->start({toToml(config), "", false});
    QVERIFY(name.ends_with("-detector"));
    const fs::path run = m_folder / "runs" / name;
    const fs::path mirror = m_machine->mirrorOf(name);
    m_machine->follow(name);
    QVERIFY(m_witness->waitUntil([&] { return isReachable(mirror) && stepsIn(mirror) > 5; }));

    RunRemote remote(mirror);
    remote.send(command::SetLearningRate{0.0125});
    remote.send(command::SaveCheckpoint{});
    remote.send(command::Evaluate{});
    const auto evaluations = [&] {
        return RunStoreReader(RunFolder::storeFileOf(mirror)).evaluations();
    };
    QVERIFY(m_witness->waitUntil([&] { return !evaluations().empty() && lastRate(mirror) < 0.1; }));
    const auto checkpoints = m_machine->checkpoints(name);
    QVERIFY(!checkpoints.empty());
    QVERIFY(
        contentOf(m_machine->fetch(name, checkpoints[0].file))
        == contentOf(run / checkpoints[0].file));
    const RemotePredicted predicted =
        m_machine->predict({name, evaluations()[0].step, WeightsKind::Raw, std::int64_t{2}});
    QVERIFY(!predicted.image.input.empty() && !predicted.image.probabilities.empty());
    QVERIFY(!RunStoreReader(RunFolder::storeFileOf(mirror))
                 .imageScores(evaluations()[0].step, WeightsKind::Raw)
                 .empty());
    std::shared_ptr<const MaskRecord> masks;
    QVERIFY(m_witness->waitUntil([&] {
        masks = RunRemote(mirror).masks(0);
        return masks != nullptr;
    }));
    QVERIFY(masks->step > 0);

    // Nothing but ssh carries it: without it the line is cut, and comes back by itself.
    const std::int64_t before = stepsIn(mirror);
    const auto clients = processesWith((m_folder / "config").string());
    QCOMPARE(clients.size(), std::size_t{1});
    ::kill(clients.front(), SIGKILL);
    QVERIFY(m_witness->waitUntil([&] {
        const auto states = m_witness->states();
        return states.size() >= 3 && states[states.size() - 2].kind == RemoteState::Kind::Lost
               && states.back().kind == RemoteState::Kind::Connected;
    }));
    QVERIFY(m_witness->waitUntil([&] { return stepsIn(mirror) > before + 5; }));
    RunRemote(mirror).send(command::Stop{});
    QVERIFY(m_witness->waitUntil([&] { return !RunLock::writerOf(mirror); }));
    QCOMPARE(difference(run, mirror), QString());
}

void TestSsh::whatCantBe_isOneSentence_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("host");
    QTest::addColumn<QString>("says");
    QTest::newRow("key") << "wrong_key"
                         << "there"
                         << "accepts none of your keys";
    QTest::newRow("changed host") << "changed_host"
                                  << "there"
                                  << "host key has changed";
    QTest::newRow("unknown host") << "unknown_host"
                                  << "there"
                                  << "host key is not known yet";
    QTest::newRow("port") << "wrong_port"
                          << "there"
                          << "refuses the connection";
    QTest::newRow("host") << "config"
                          << "no-such-machine.invalid"
                          << "no machine of this name";
    QTest::newRow("path") << "config"
                          << "there"
                          << "no such folder";
}

void TestSsh::whatCantBe_isOneSentence()
{
    QFETCH(QString, config);
    QFETCH(QString, host);
    QFETCH(QString, says);
    RemoteMachineSettings wrong = settings(config.toStdString());
    wrong.address.host = host.toStdString();
    wrong.address.path = "/no/such/folder";
    connect(wrong);
    const QString reason = QString::fromStdString(m_witness->refusal());
    QVERIFY2(reason.contains(says), qPrintable(reason));
    QVERIFY2(reason.startsWith(host + ": ") && !reason.contains('\n'), qPrintable(reason));
}

LOCKSTEP_TEST(TestSsh)
#include "test_ssh.moc"
