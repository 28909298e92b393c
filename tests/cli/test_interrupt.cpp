// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/temporary_folder.h"

#include <QTest>

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

    TemporaryFolder m_folder;
};

void TestInterrupt::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 60);
}

bool TestInterrupt::waitForStep(QProcess& process, QByteArray& out)
{
    while (!out.contains("\"event\":\"step\"")) {
        if (!process.waitForReadyRead(60'000)) {
            return false;
        }
        out += process.readAllStandardOutput();
    }
    return true;
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
    // Steps of the large network take long enough for the second signal to fall into the same one.
    QStringList arguments = smallTraining(m_folder / "data", m_folder / "twice", 1000);
    arguments[arguments.indexOf("--model") + 1] = "cifar10";
    arguments[arguments.indexOf("--batch-per-tower") + 1] = "256";
    QByteArray out;
    QProcess process;
    process.start(LOCKSTEP_TRAIN_PROGRAM, arguments << "--json");
    QVERIFY(waitForStep(process, out));
    const auto id = static_cast<pid_t>(process.processId());
    QCOMPARE(kill(id, SIGINT), 0);
    QTest::qSleep(50);
    QCOMPARE(kill(id, SIGTERM), 0);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QVERIFY(!process.readAllStandardOutput().contains("\"event\":\"stopped\""));
}

QTEST_GUILESS_MAIN(TestInterrupt)
#include "test_interrupt.moc"
