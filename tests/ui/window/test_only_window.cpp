// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/background.h"
#include "engine/base.h"
#include "engine/crash.h"
#include "ui/several_runs.h"
#include "ui/window_witness.h"

#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace lockstep;
using namespace lockstep::ui;
namespace fs = std::filesystem;

namespace {

/// The end of a local socket that belongs to no program of ours.
class Stranger
{
public:
    explicit Stranger(const QString& file) : m_socket(::socket(AF_UNIX, SOCK_STREAM, 0))
    {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const QByteArray name = QFile::encodeName(file);
        std::strncpy(address.sun_path, name.constData(), sizeof address.sun_path - 1);
        m_isConnected =
            ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        const timeval patience{10, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }
    ~Stranger() { ::close(m_socket); }
    Stranger(const Stranger&) = delete;
    Stranger& operator=(const Stranger&) = delete;

    [[nodiscard]] bool isConnected() const { return m_isConnected; }
    /// As much as the other side takes.
    void send(const QByteArray& bytes) const
    {
        for (qsizetype sent = 0, now = 1; sent < bytes.size() && now > 0; sent += now) {
            const auto left = static_cast<std::size_t>(bytes.size() - sent);
            now = ::send(m_socket, bytes.constData() + sent, left, MSG_NOSIGNAL);
        }
    }
    /// Whether the other side has hung up without a word.
    [[nodiscard]] bool isLeft() const
    {
        char answer = 0;
        const auto length = ::recv(m_socket, &answer, 1, 0);
        return length == 0 || (length < 0 && errno == ECONNRESET);
    }

private:
    const int m_socket;
    bool m_isConnected = false;
};

} // namespace

/// The real program in several processes, in a home and a session of the test's own.
class TestOnlyWindow : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder.emplace();
        fs::create_directory(session());
        fs::permissions(session(), fs::perms::owner_all);
        qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(session().string()));
        qputenv("XDG_CONFIG_HOME", QByteArray::fromStdString((*m_folder / "config").string()));
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString((*m_folder / "data").string()));
        m_run = trainRun("one", 20);
    }
    void cleanup()
    {
        for (const auto& process : m_started) {
            process->kill();
            process->waitForFinished();
        }
        m_started.clear();
    }

    void Second_withARun_handsItOver_data()
    {
        QTest::addColumn<QString>("named");
        QTest::newRow("folder") << "RUN";
        QTest::newRow("from its parent") << "one";
        QTest::newRow("a URL") << "file://RUN/run.toml";
    }

    void Second_withARun_handsItOver()
    {
        QFETCH(QString, named);
        QProcess& first = open();
        const test::Outcome second = start({named.replace("RUN", test::toText(m_run))});
        QVERIFY2(second.exitCode == 0, second.text());
        QCOMPARE(second.out + second.err, QByteArray());
        QCOMPARE(shownAtTheEnd(first), test::toText(m_run));
    }

    void Second_withoutAPath_endsAtOnce()
    {
        QProcess& first = open({test::toText(m_run)});
        QCOMPARE(start({}).exitCode, 0);
        QCOMPARE(shownAtTheEnd(first), test::toText(m_run));
    }

    void Second_withManyLongPaths_isUnderstood()
    {
        QProcess& first = open();
        QStringList paths;
        for (int i = 0; i < 300; ++i) {
            paths.append(QString("/%1/%2.safetensors").arg(QString(3000, 'x')).arg(i));
        }
        QCOMPARE(start(paths + QStringList(test::toText(m_run))).exitCode, 0);
        QCOMPARE(shownAtTheEnd(first), test::toText(m_run));
    }

    void NewWindow_isAnother_andTakesOver()
    {
        QProcess& first = open();
        QProcess& other = launch({"--new-window", test::toText(m_run)});
        QVERIFY(!other.waitForFinished(2000));
        QCOMPARE(first.state(), QProcess::Running);
        QCOMPARE(start({}).exitCode, 0); // the first one answers
        first.kill();
        QVERIFY(first.waitForFinished());
        QVERIFY(awaitListening());
        QCOMPARE(start({}).exitCode, 0);
        QCOMPARE(shownAtTheEnd(other), test::toText(m_run));
    }

    void First_killed_leavesNothingInTheWay()
    {
        QProcess& first = open();
        ::kill(static_cast<pid_t>(first.processId()), SIGKILL);
        QVERIFY(first.waitForFinished());
        QVERIFY(QFile::exists(socketFile())); // but nobody listens
        QProcess& next = launch({});
        QVERIFY(awaitListening());
        QCOMPARE(start({test::toText(m_run)}).exitCode, 0);
        QCOMPARE(shownAtTheEnd(next), test::toText(m_run));
    }

    void Files_thatNobodyLocks_leaveNothingInTheWay()
    {
        open();
        const QString socket = socketFile(); // what they are called
        cleanup();
        for (const char* const end : {"", ".lock"}) {
            QFile::remove(socket + end);
            std::ofstream((socket + end).toStdString()) << "of whatever";
        }
        QProcess& next = launch({});
        QVERIFY(awaitListening());
        QCOMPARE(start({test::toText(m_run)}).exitCode, 0);
        QCOMPARE(shownAtTheEnd(next), test::toText(m_run));
    }

    void Garbage_isNotAnswered_andHarmsNothing_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("a word") << QByteArray("garbage\n");
        QTest::newRow("zeros") << QByteArray(1000, '\0') + '\n';
        QTest::newRow("other JSON") << QByteArray("{\"open\": 7}\n");
        QTest::newRow("deep") << QByteArray(100'000, '[') + '\n';
        QTest::newRow("no end") << QByteArray(5 << 20, 'x');
    }

    void Garbage_isNotAnswered_andHarmsNothing()
    {
        QFETCH(const QByteArray, sent);
        QProcess& first = open();
        const Stranger stranger(socketFile());
        QVERIFY(stranger.isConnected());
        stranger.send(sent);
        QVERIFY(stranger.isLeft());
        QCOMPARE(start({test::toText(m_run)}).exitCode, 0);
        QCOMPARE(shownAtTheEnd(first), test::toText(m_run));
    }

    /// A real signal; the next window tells of it, once.
    void Crash_ofAWindow_isToldByTheNext()
    {
        QProcess& first = open();
        ::kill(static_cast<pid_t>(first.processId()), SIGSEGV);
        QVERIFY(first.waitForFinished());
        QCOMPARE(first.exitStatus(), QProcess::CrashExit);
        QCOMPARE(first.exitCode(), SIGSEGV); // with a core dump, where they are wanted
        const auto text = newestCrashTrace({*m_folder / "data" / "lockstep"});
        QVERIFY(text);
        expectText(*text, {"SIGSEGV", versionText().c_str(), "Run: none", "/lockstep(+0x"});

        QSettings settings(test::toText(*m_folder / "settings.ini"), QSettings::IniFormat);
        {
            MainWindow next(settings);
            next.show();
            QTRY_VERIFY2(
                messageOf(next.messages()).contains(test::toText(*text)),
                qPrintable(messageOf(next.messages())));
            QCOMPARE(next.messages().kind(), MessageBar::Kind::Error);
            QDesktopServices::setUrlHandler("file", this, "openUrl");
            QCOMPARE(offerTextsOf(next.messages()), QStringList{"Show Report"});
            offersOf(next.messages()).front()->click();
            QDesktopServices::unsetUrlHandler("file");
            QCOMPARE(m_opened, QUrl::fromLocalFile(test::toText(*text)));
        }
        MainWindow another(settings);
        another.show();
        QTest::qWait(500);
        QCOMPARE(messageOf(another.messages()), QString());
    }

    /// Beside its run, which can be gone on with.
    void Crash_ofATraining_isToldBesideItsRun()
    {
        const fs::path run = m_run.parent_path() / "crashed";
        test::Background training(
            {"train", "--model", LOCKSTEP_SMALL_MODEL, "--steps", "100000000", "--run",
             test::toText(run)});
        QVERIFY(training.says("step 0,"));
        training.signal(SIGABRT);
        QCOMPARE(training.finish(), SIGABRT);
        const auto text = newestCrashTrace({run});
        QVERIFY(text);
        const std::string place = "Run: " + run.string();
        expectText(*text, {"SIGABRT", place.c_str(), "Last step: ", "/lockstep-train(+0x"});

        QSettings settings(test::toText(*m_folder / "settings.ini"), QSettings::IniFormat);
        MainWindow next(settings);
        next.show();
        QTRY_VERIFY(messageOf(next.messages()).contains(test::toText(*text)));
        next.messages().dismiss();
        QVERIFY(offerTextsOf(next.messages()).contains("Resume"));
    }

    void OtherDisplay_hasItsOwn()
    {
        open();
        qputenv("DISPLAY", ":77"); // of which only the name counts without a screen
        QProcess& other = launch({});
        qunsetenv("DISPLAY");
        QVERIFY(!other.waitForFinished(2000));
    }

    void Session_withoutAFolder_opensAWindow()
    {
        qputenv("XDG_RUNTIME_DIR", "/proc/nowhere");
        QProcess& window = launch({});
        QVERIFY(!window.waitForFinished(2000));
    }

    void WhatNeedsNoWindow_neverHandsOver()
    {
        open();
        const test::Outcome version = start({"--version"});
        QCOMPARE(version.out.trimmed(), QByteArray::fromStdString("lockstep " + versionText()));
        QVERIFY(start({"--help"}).out.contains("--new-window"));
        const QString picture = test::toText(*m_folder / "a.png");
        QCOMPARE(start({"--export", test::toText(m_run), "--png", picture}).exitCode, 0);
        QVERIFY(QFile::exists(picture));
    }

public slots:
    void openUrl(const QUrl& url) { m_opened = url; }

private:
    static void expectText(const fs::path& file, std::initializer_list<const char*> parts)
    {
        QFile text(test::toText(file));
        QVERIFY(text.open(QIODevice::ReadOnly));
        const QByteArray all = text.readAll();
        for (const char* const part : parts) {
            QVERIFY2(all.contains(part), all);
        }
    }
    [[nodiscard]] fs::path session() const { return *m_folder / "session"; }
    [[nodiscard]] QString socketFile() const
    {
        const QDir folder(test::toText(session()));
        const QStringList files = folder.entryList({"*.socket"}, QDir::AllEntries | QDir::System);
        return files.isEmpty() ? QString() : folder.filePath(files.front());
    }
    [[nodiscard]] bool awaitListening() const
    {
        return test::waitFor([&] { return Stranger(socketFile()).isConnected(); });
    }

    QProcess& launch(const QStringList& arguments)
    {
        m_started.push_back(std::make_unique<QProcess>());
        QProcess& process = *m_started.back();
        process.setWorkingDirectory(test::toText(m_run.parent_path()));
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(LOCKSTEP_PROGRAM, arguments);
        return process;
    }
    /// A window that others can hand over to.
    QProcess& open(const QStringList& arguments = {})
    {
        QProcess& process = launch(arguments);
        if (!awaitListening()) {
            throw std::runtime_error("the window does not listen");
        }
        return process;
    }
    /// To its end.
    [[nodiscard]] test::Outcome start(const QStringList& arguments) const
    {
        QProcess process;
        process.setWorkingDirectory(test::toText(m_run.parent_path()));
        process.start(LOCKSTEP_PROGRAM, arguments);
        const bool isDone = process.waitForFinished(60'000);
        return {
            isDone && process.exitStatus() == QProcess::NormalExit, process.exitCode(),
            process.readAllStandardOutput(), process.readAllStandardError()};
    }
    /// The run that a window keeps for the next start, when it is closed as by a desktop that shuts
    /// down.
    [[nodiscard]] QString shownAtTheEnd(QProcess& window) const
    {
        QTest::qWait(1000); // a run is read beside the window
        window.terminate();
        if (!window.waitForFinished(60'000) || window.exitCode() != 0) {
            throw std::runtime_error("the window does not end");
        }
        const QSettings settings(
            test::toText(*m_folder / "config/lockstep/lockstep.conf"), QSettings::IniFormat);
        return settings.value("run/shown").toString();
    }

    std::optional<test::TemporaryFolder> m_folder;
    fs::path m_run;
    std::vector<std::unique_ptr<QProcess>> m_started;
    QUrl m_opened;
};
LOCKSTEP_TEST(TestOnlyWindow)
#include "test_only_window.moc"
