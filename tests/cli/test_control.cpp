// SPDX-License-Identifier: Apache-2.0
#include "cli/background.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QJsonArray>

using namespace lockstep::test;

/// What another process changes in a run that is being trained.
class TestControl : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void learningRate_isChangedAndTold();
    void steps_areExtendedAndShortened();
    void stopEpoch_isTakenInAndBack_andStops();
    void badValues_areRefusedByName_data();
    void badValues_areRefusedByName();
    void alert_isALineAndAnEvent();

private:
    [[nodiscard]] QStringList training(const char* run, int steps) const
    {
        return smallTraining(m_folder / "data", m_folder / run, steps) << "--json";
    }
    [[nodiscard]] Outcome control(const char* run, const QStringList& command) const
    {
        return runProgram(
            QStringList{"control", toText(m_folder / run)} + command + QStringList{"--json"});
    }

    TemporaryFolder m_folder;
};

void TestControl::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 20);
}

void TestControl::learningRate_isChangedAndTold()
{
    Background training(this->training("rate", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    QCOMPARE(control("rate", {"learning-rate", "0.0125"}).exitCode, 0);
    QVERIFY(training.says("\"learning_rate.initial\":0.0125"));
    QVERIFY(training.says("\"learning_rate\":0.0125"));
    QVERIFY(training.says("the learning rate is 0.0125 instead of 0.1"));
    QCOMPARE(control("rate", {"stop"}).exitCode, 0);
    QCOMPARE(training.finish(), 1);
    // What is on disk says the same: of the run and of the state before.
    const Outcome run = runProgram({"inspect", toText(m_folder / "rate"), "--json"});
    const QJsonObject content = run.events().first();
    QCOMPARE(content["configuration"].toObject()["learning_rate.initial"].toDouble(), 0.0125);
    int pinned = 0;
    for (const QJsonValue& checkpoint : content["checkpoints"].toArray()) {
        pinned += checkpoint.toObject()["pinned"].toBool() ? 1 : 0;
    }
    QCOMPARE(pinned, 1);
}

void TestControl::steps_areExtendedAndShortened()
{
    Background training(this->training("steps", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    QCOMPARE(control("steps", {"pause"}).exitCode, 0);
    QVERIFY(training.says("\"paused\""));
    const int step = control("steps", {"status"}).events().first()["step"].toInt();
    const Outcome below = control("steps", {"steps", "3"});
    QCOMPARE(below.exitCode, 2);
    QVERIFY2(below.err.contains("are made already"), below.err.constData());
    QCOMPARE(control("steps", {"steps", "2000000"}).exitCode, 0);
    QVERIFY(training.says("until step 2000000 instead of 1000000"));
    QCOMPARE(control("steps", {"status"}).events().first()["steps"].toInt(), 2'000'000);
    QCOMPARE(control("steps", {"steps", QString::number(step + 4)}).exitCode, 0);
    QCOMPARE(control("steps", {"resume"}).exitCode, 0);
    QCOMPARE(training.finish(), 0);
    QVERIFY(training.says(QStringLiteral("\"finished\",\"step\":%1").arg(step + 4).toUtf8()));
}

void TestControl::stopEpoch_isTakenInAndBack_andStops()
{
    Background training(this->training("epoch", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    QCOMPARE(control("epoch", {"pause"}).exitCode, 0);
    QVERIFY(training.says("\"paused\""));
    QVERIFY(control("epoch", {"status"}).events().first()["stop_step"].isNull());
    QCOMPARE(control("epoch", {"stop-epoch"}).exitCode, 0);
    QVERIFY(training.says("the run stops after step"));
    const QJsonObject status = control("epoch", {"status"}).events().first();
    // 100 pictures in 16s: seven steps an epoch at most.
    const int stop = status["stop_step"].toInt(-1);
    QVERIFY(stop >= status["step"].toInt() && stop <= status["step"].toInt() + 7);
    QCOMPARE(control("epoch", {"stop-epoch", "off"}).exitCode, 0);
    QVERIFY(training.says("does not stop"));
    QCOMPARE(control("epoch", {"stop-epoch"}).exitCode, 0);
    QCOMPARE(control("epoch", {"resume"}).exitCode, 0);
    QCOMPARE(training.finish(), 1);
    QVERIFY(training.says(QStringLiteral("\"stopped\",\"step\":%1").arg(stop).toUtf8()));
}

void TestControl::badValues_areRefusedByName_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const QStringList& command, const char* named) {
        QTest::newRow(qPrintable(command.join(' '))) << command << QByteArray(named);
    };
    row({"learning-rate"}, "learning-rate");
    row({"learning-rate", "low"}, "'low'");
    row({"learning-rate", "nan"}, "nan");
    row({"steps", "1e3"}, "'1e3'");
    row({"stop-epoch", "on"}, "'on'");
    row({"save", "now"}, "'now'");
}

void TestControl::badValues_areRefusedByName()
{
    QFETCH(QStringList, command);
    QFETCH(QByteArray, named);
    Background training(this->training(QTest::currentDataTag(), 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    const Outcome outcome = control(QTest::currentDataTag(), command);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains(named), outcome.err.constData());
    QVERIFY(training.isRunning());
}

// A disk that has no room for so many checkpoints is found before a person can press a key.
void TestControl::alert_isALineAndAnEvent()
{
    const QStringList low{"--set", "alerts.disk_checkpoints=2000000000"};
    Background json(training("alert", 1'000'000) + low);
    QVERIFY(json.says("\"event\":\"alert\",\"kind\":\"disk_low\",\"is_over\":false"));
    QCOMPARE(control("alert", {"stop"}).exitCode, 0);
    QCOMPARE(json.finish(), 1);
    QStringList text = training("text", 3000) + low;
    text.removeAll("--json");
    const Outcome outcome = runProgram(text);
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.err.contains("alert: the disk is nearly full"), outcome.err.constData());
}

LOCKSTEP_TEST(TestControl)
#include "test_control.moc"
