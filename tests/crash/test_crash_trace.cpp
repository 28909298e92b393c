// SPDX-License-Identifier: Apache-2.0
#include "base/thread_team.h"
#include "session/control/crash_trace.h"
#include "support/lockstep_test.h"

#include "support/temporary_folder.h"

#include <csignal>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lockstep {
namespace {

volatile int mostDepth = std::numeric_limits<int>::max(); // so that no compiler knows

/// Uses up the stack.
int fillStack(int depth)
{
    volatile char room[1024] = {};
    room[0] = static_cast<char>(depth);
    return depth < mostDepth ? fillStack(depth + 1) + room[0] : 0;
}

void throwError()
{
    throw std::runtime_error("nobody catches this");
}

void throwUncaught() noexcept
{
    throwError();
}

struct Death
{
    int signal = 0;
    std::string text; ///< that it left
};

/// A child process that does this.
Death dieOf(const std::filesystem::path& folder, const std::function<void()>& deed)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        ::close(STDERR_FILENO); // what the library says of an exception
        ::setenv("XDG_DATA_HOME", folder.c_str(), 1);
        traceCrashes("1.2.3");
        deed();
        ::_exit(0);
    }
    Death death;
    int status = 0;
    ::waitpid(child, &status, 0);
    death.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (const auto file = newestCrashTrace({folder / "lockstep", folder})) {
        std::ostringstream text;
        text << std::ifstream(*file).rdbuf();
        death.text = text.str();
    }
    return death;
}

} // namespace

class TestCrashTrace : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("a sanitizer tells of crashes itself");
#endif
    }

    void Signal_leavesAText_andGoesOn_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("segmentation fault") << SIGSEGV << QByteArray("SIGSEGV");
        QTest::newRow("abort") << SIGABRT << QByteArray("SIGABRT");
        QTest::newRow("bus error") << SIGBUS << QByteArray("SIGBUS");
        QTest::newRow("division") << SIGFPE << QByteArray("SIGFPE");
        QTest::newRow("instruction") << SIGILL << QByteArray("SIGILL");
    }

    void Signal_leavesAText_andGoesOn()
    {
        QFETCH(const int, signal);
        QFETCH(const QByteArray, name);
        const test::TemporaryFolder folder;
        const Death death = dieOf(folder.path(), [&] { ::kill(::getpid(), signal); });
        QCOMPARE(death.signal, signal);
        const QByteArray text = QByteArray::fromStdString(death.text);
        QVERIFY2(text.startsWith("Lockstep 1.2.3 crashed: " + name + "\nTime: 20"), text);
        QVERIFY2(text.contains("\nRun: none\n"), text);
        QVERIFY2(text.count("+0x") > 2 && text.contains("tests_crash("), text);
    }

    void Full_stack_isToldToo()
    {
        const test::TemporaryFolder folder;
        const Death death = dieOf(folder.path(), [] { fillStack(0); });
        QCOMPARE(death.signal, SIGSEGV);
        QVERIFY2(death.text.find("crashed: SIGSEGV") != std::string::npos, death.text.c_str());
    }

    void Full_stack_ofAnotherThread_isToldToo()
    {
        const test::TemporaryFolder folder;
        const Death death = dieOf(folder.path(), [] {
            ThreadTeam("full", 1, false).run([](int /*index*/) { fillStack(0); });
        });
        QCOMPARE(death.signal, SIGSEGV);
        QVERIFY2(death.text.find("crashed: SIGSEGV") != std::string::npos, death.text.c_str());
    }

    void Exception_thatNobodyCatches_isNamed()
    {
        const test::TemporaryFolder folder;
        const Death death = dieOf(folder.path(), throwUncaught);
        QCOMPARE(death.signal, SIGABRT);
        QVERIFY2(
            death.text.find("\nException: nobody catches this\n") != std::string::npos,
            death.text.c_str());
    }

    void Run_getsTheText_besideIt()
    {
        const test::TemporaryFolder folder;
        const auto run = folder / "run";
        const Death death = dieOf(run, [&] {
            CrashPlace before(folder.path());
            CrashPlace place(run); // is made where it is missing
            place.setStep(41);
            ::raise(SIGSEGV);
        });
        QCOMPARE(death.signal, SIGSEGV);
        const std::string expected = "\nRun: " + run.string() + "\nLast step: 41\n";
        QVERIFY2(death.text.find(expected) != std::string::npos, death.text.c_str());
        QVERIFY(!std::filesystem::exists(run / "lockstep"));
    }

    void Run_thatCantBeWritten_isToldElsewhere()
    {
        const test::TemporaryFolder folder;
        const Death death = dieOf(folder.path(), [] {
            const CrashPlace place("/proc/none");
            ::raise(SIGSEGV);
        });
        QVERIFY2(
            death.text.find("\nRun: /proc/none\nLast step: none yet\n") != std::string::npos,
            death.text.c_str());
    }

    void Newest_isByTheTimeInItsName()
    {
        const test::TemporaryFolder folder;
        std::filesystem::create_directory(folder / "run");
        for (const char* const name :
             {"crash-20260101-000000-9.txt", "run/crash-20260102-000000-1.txt", "crash-notes.md",
              "run.txt"}) {
            std::ofstream(folder / name) << "text";
        }
        QVERIFY(
            newestCrashTrace({folder.path(), folder / "gone", folder / "run"})
            == folder / "run/crash-20260102-000000-1.txt");
        QVERIFY(!newestCrashTrace({folder / "gone"}));
    }
};

} // namespace lockstep

LOCKSTEP_TEST(lockstep::TestCrashTrace)
#include "test_crash_trace.moc"
