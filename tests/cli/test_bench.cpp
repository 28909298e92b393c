// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace lockstep::test;

class TestBench : public QObject
{
    Q_OBJECT

private slots:
    void bench_json_hasConsistentFigures();
};

void TestBench::bench_json_hasConsistentFigures()
{
    QElapsedTimer timer;
    timer.start();
    const Outcome outcome = runProgram(
        {"bench", "--model", LOCKSTEP_SMALL_MODEL, "--towers", "2", "--batch-per-tower", "32",
         "--device", "cpu", "--precision", "float32", "--json"});
    const double seconds = 1e-3 * static_cast<double>(timer.elapsed());
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject result = outcome.events().first();
    QCOMPARE(result["towers"].toInt(), 2);
    QCOMPARE(result["batch_per_tower"].toInt(), 32);
    QCOMPARE(result["precision"].toString(), QString("float32"));
    QCOMPARE(result["device"].toString(), QString("cpu"));
    const double milliseconds = result["milliseconds_per_step"].toDouble();
    const double perSecond = result["examples_per_second"].toDouble();
    QVERIFY(std::abs(perSecond * milliseconds / 1e3 - 64.0) < 1e-6);
    QVERIFY(result["milliseconds_minimum"].toDouble() <= milliseconds);
    QVERIFY(result["milliseconds_95"].toDouble() >= milliseconds);
    QVERIFY(result["input_share"].toDouble() >= 0.0 && result["input_share"].toDouble() <= 1.0);
    // Steps times the fastest one fit into the time, which is between 5 and 15 s.
    QVERIFY(result["steps"].toInt() * result["milliseconds_minimum"].toDouble() <= 1e3 * seconds);
    QVERIFY2(seconds >= 5.0 && seconds <= 16.0, QByteArray::number(seconds).constData());
}

QTEST_GUILESS_MAIN(TestBench)
#include "test_bench.moc"
