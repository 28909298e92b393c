// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/temporary_folder.h"

#include <QElapsedTimer>
#include <QTest>

#include <cmath>

using namespace lockstep::test;

namespace {

/// A sweep of the small model on the CPU, and what is added to it.
Outcome runSweep(const QStringList& more)
{
    return runProgram(
        QStringList{
            "bench", "--sweep", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu", "--seconds",
            "0.1"}
        + more);
}

} // namespace

class TestBench : public QObject
{
    Q_OBJECT

private slots:
    void bench_json_hasConsistentFigures();
    void sweep_lists_timeEveryCombinationOnce();
    void sweep_text_hasOneRowForEach();
    void sweep_combinationCannotRun_isLineAndOthersGoOn();
    void sweep_nothingCanRun_fails();
    void sweep_withTowers_isRefused();
    void bench_ceilings_giveFloor();
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
    // A CPU knows neither.
    QVERIFY(result["floor_milliseconds"].isNull());
    QVERIFY(result["outside_kernels_share"].isNull());
    // Steps times the fastest one fit into the time, which is between 5 and 15 s.
    QVERIFY(result["steps"].toInt() * result["milliseconds_minimum"].toDouble() <= 1e3 * seconds);
    QVERIFY2(seconds >= 5.0 && seconds <= 16.0, QByteArray::number(seconds).constData());
}

void TestBench::sweep_lists_timeEveryCombinationOnce()
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "sweep.jsonl";
    const Outcome outcome = runSweep(
        {"--sweep-towers", "1,2", "--sweep-batches", "4,8", "--sweep-precisions", "float32",
         "--json", "--output", toText(file)});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QStringList combinations;
    for (const QJsonObject& line : outcome.events()) {
        combinations +=
            QString("%1x%2").arg(line["towers"].toInt()).arg(line["batch_per_tower"].toInt());
        QCOMPARE(line["precision"].toString(), QString("float32"));
        const double perSecond = line["examples_per_second"].toDouble();
        const double globalBatch = line["towers"].toInt() * line["batch_per_tower"].toInt();
        QVERIFY(
            std::abs(perSecond * line["milliseconds_per_step"].toDouble() / 1e3 - globalBatch)
            < 1e-6);
        QVERIFY(line["gigaflops_per_second"].toDouble() > 0.0);
    }
    QCOMPARE(combinations, QStringList({"1x4", "2x4", "1x8", "2x8"}));
    QFile written(toText(file));
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), outcome.out);
}

void TestBench::sweep_text_hasOneRowForEach()
{
    const Outcome outcome = runSweep({"--sweep-towers", "1,2", "--sweep-batches", "4"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3);
    QVERIFY(lines[0].startsWith("precision towers batch  examples/s"));
    QVERIFY(lines[1].startsWith("float32        1     4 "));
    QVERIFY(lines[2].startsWith("float32        2     4 "));
    // Share outside kernels and floor are not known.
    QVERIFY(lines[2].endsWith("         -         -"));
}

void TestBench::sweep_combinationCannotRun_isLineAndOthersGoOn()
{
    const Outcome outcome =
        runSweep({"--sweep-towers", "5000,1", "--sweep-batches", "4", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const auto lines = outcome.events();
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0]["towers"].toInt(), 5000);
    QVERIFY(lines[0]["error"].toString().contains("5000"));
    QVERIFY(!lines[0].contains("examples_per_second"));
    QVERIFY(lines[1]["examples_per_second"].toDouble() > 0.0);
}

void TestBench::sweep_nothingCanRun_fails()
{
    const Outcome outcome =
        runSweep({"--sweep-towers", "1", "--sweep-batches", "4", "--sweep-precisions", "tf32"});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY(outcome.out.contains("failed: precision tf32"));
    QVERIFY(outcome.err.contains("no combination"));
}

void TestBench::sweep_withTowers_isRefused()
{
    const Outcome outcome = runSweep({"--towers", "2"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.err.contains("--towers"));
}

void TestBench::bench_ceilings_giveFloor()
{
    const Outcome outcome = runSweep(
        {"--sweep-towers", "1,2", "--sweep-batches", "8", "--sweep-precisions", "float32",
         "--ceilings", "float32=0.3,copy=0.02", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const auto lines = outcome.events();
    QCOMPARE(lines.size(), 2);
    const double one = lines[0]["floor_milliseconds"].toDouble();
    const double two = lines[1]["floor_milliseconds"].toDouble();
    // Twice the examples, one update.
    QVERIFY(one > 0.0 && two > 1.5 * one && two < 2.0 * one);
    const Outcome wrong = runSweep({"--ceilings", "float32=fast"});
    QCOMPARE(wrong.exitCode, 2);
    QVERIFY(wrong.err.contains("float32=fast"));
}

QTEST_GUILESS_MAIN(TestBench)
#include "test_bench.moc"
