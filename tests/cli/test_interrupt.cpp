// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QFile>

#include <csignal>

using namespace lockstep::test;

/// Signals: the first one ends a run in good order, the second one at once.
class TestInterrupt : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void train_firstSignal_leavesACheckpointToResumeFrom_data();
    void train_firstSignal_leavesACheckpointToResumeFrom();
    void train_secondSignal_endsAtOnce();

private:
    static bool waitForStep(QProcess& process, QByteArray& out);
    static bool isStopped(pid_t process);

    TemporaryFolder m_folder;
};

void TestInterrupt::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 60);
}

bool TestInterrupt::waitForStep(QProcess& process, QByteArray& out)
{
    while (!out.contains(R"("event":"step")")) {
        if (!process.waitForReadyRead(60'000)) {
            return false;
        }
        out += process.readAllStandardOutput();
    }
    return true;
}

bool TestInterrupt::isStopped(pid_t process)
{
    QFile status(QString("/proc/%1/stat").arg(process));
    // The state is the letter after the program's name in parentheses (man 5 proc).
    return status.open(QIODevice::ReadOnly) && status.readAll().contains(") T ");
}

void TestInterrupt::train_firstSignal_leavesACheckpointToResumeFrom_data()
{
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
}

void TestInterrupt::train_firstSignal_leavesACheckpointToResumeFrom()
{
    QFETCH(int, signal);
    const auto run = m_folder / ("run" + std::to_string(signal));
    Outcome outcome;
    QProcess process;
    process.start(
        LOCKSTEP_TRAIN_PROGRAM, smallTraining(m_folder / "data", run, 10'000'000) << "--json");
    QVERIFY(waitForStep(process, outcome.out));
    QCOMPARE(kill(static_cast<pid_t>(process.processId()), signal), 0);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), 1);
    outcome.out += process.readAllStandardOutput();

    const int step = outcome.events("step").last()["step"].toInt() + 1;
    const QJsonObject stopped = outcome.events().last();
    QCOMPARE(stopped["event"].toString(), QString("stopped"));
    QCOMPARE(stopped["step"].toInt(), step);
    const QByteArray error = process.readAllStandardError();
    QVERIFY2(error.count('\n') == 1 && error.contains("--resume"), error.constData());
    QCOMPARE(outcome.events("checkpoint").last()["step"].toInt(), step);

    const Outcome resumed = runProgram(
        {"train", "--run", toText(run), "--resume", "--steps", QString::number(step + 2),
         "--json"});
    QVERIFY2(resumed.exitCode == 0, resumed.text().constData());
    QCOMPARE(resumed.events("step").size(), 2);
    QCOMPARE(resumed.events("step").first()["step"].toInt(), step);
}

void TestInterrupt::train_secondSignal_endsAtOnce()
{
    QByteArray out;
    QProcess process;
    process.start(
        LOCKSTEP_TRAIN_PROGRAM, smallTraining(m_folder / "data", m_folder / "twice", 10'000'000)
                                    << "--json");
    QVERIFY(waitForStep(process, out));
    const auto id = static_cast<pid_t>(process.processId());
    // Both come while the program stands still, or the first one's good end could be the quicker.
    QCOMPARE(kill(id, SIGSTOP), 0);
    QTRY_VERIFY(isStopped(id));
    QCOMPARE(kill(id, SIGINT), 0);
    QCOMPARE(kill(id, SIGTERM), 0);
    QCOMPARE(kill(id, SIGCONT), 0);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QVERIFY(!process.readAllStandardOutput().contains(R"("event":"stopped")"));
}

LOCKSTEP_TEST(TestInterrupt)
#include "test_interrupt.moc"
