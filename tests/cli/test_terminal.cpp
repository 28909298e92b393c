// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <fcntl.h>
#include <unistd.h>

using namespace lockstep::test;

namespace {

/// A terminal that a program can be given as its standard output.
class Terminal
{
public:
    Terminal() : m_master(posix_openpt(O_RDWR | O_NOCTTY))
    {
        grantpt(m_master);
        unlockpt(m_master);
        m_slave = open(ptsname(m_master), O_RDWR | O_NOCTTY);
    }
    ~Terminal()
    {
        close(m_master);
        if (m_slave >= 0) {
            close(m_slave);
        }
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    [[nodiscard]] int slave() const { return m_slave; }
    /// All that is shown until every program has closed the terminal.
    QByteArray readAll()
    {
        close(m_slave);
        m_slave = -1;
        QByteArray text;
        char buffer[4096];
        for (ssize_t count = 0; (count = read(m_master, buffer, sizeof buffer)) > 0;) {
            text.append(buffer, count);
        }
        return text;
    }

private:
    int m_master;
    int m_slave = -1;
};

} // namespace

/// What a person at a terminal sees.
class TestTerminal : public QObject
{
    Q_OBJECT

private slots:
    void train_onATerminal_showsProgressAndClassicLines();
};

void TestTerminal::train_onATerminal_showsProgressAndClassicLines()
{
    const TemporaryFolder folder;
    writeCifar10Folder(folder / "data", 20);
    Terminal terminal;
    QVERIFY(terminal.slave() >= 0);
    QProcess process;
    process.setChildProcessModifier([&] { dup2(terminal.slave(), STDOUT_FILENO); });
    process.start(LOCKSTEP_TRAIN_PROGRAM, smallTraining(folder / "data", folder / "run", 21));
    QVERIFY(process.waitForStarted());
    const QByteArray text = terminal.readAll();
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);

    QVERIFY2(text.contains("\rstep 1 of 21 (4 %), loss "), text.constData());
    // Three classic lines, each at the beginning of its line: the progress line made way.
    QCOMPARE(text.count(" examples/sec; "), 3);
    for (const QByteArray& line : text.split('\n')) {
        const qsizetype place = line.lastIndexOf("\033[K") + 3;
        if (line.contains(" examples/sec; ")) {
            const QByteArray visible = line.mid(line.contains("\033[K") ? place : 0);
            QVERIFY2(visible.startsWith("20"), line.constData());
        }
    }
}

LOCKSTEP_TEST(TestTerminal)
#include "test_terminal.moc"
