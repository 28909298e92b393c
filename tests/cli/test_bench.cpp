// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/time_limit.h"

#include <QElapsedTimer>
#include <QJsonArray>

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

/// The cost table of the small model on the CPU.
Outcome runProfile(const QStringList& more)
{
    return runProgram(
        QStringList{
            "bench", "--profile", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu", "--towers",
            "2", "--batch-per-tower", "16", "--seconds", "0.1"}
        + more);
}

} // namespace

class TestBench : public QObject
{
    Q_OBJECT

private slots:
    void bench_json_hasConsistentFigures();
    void bench_ofALargerInput_generatesItsImages();
    void sweep_lists_timeEveryCombinationOnce();
    void sweep_text_hasOneRowForEach();
    void sweep_combinationCannotRun_isLineAndOthersGoOn();
    void sweep_nothingCanRun_fails();
    void sweep_withTowers_isRefused();
    void bench_ceilings_giveFloor();
    void bench_profileText_isATableOfEveryLayer();
    void bench_profileJson_addsUp();
    void bench_profileOfSweep_isRefused();
    void bench_traceOnCpu_isRefused();
    void bench_nodesOnCpu_isRefused();
    void bench_nodesBesideTimes_isRefused_data();
    void bench_nodesBesideTimes_isRefused();
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
    // A CPU does not know its kernels; what it reaches was measured.
    QVERIFY(result["outside_kernels_share"].isNull());
    const QJsonObject ceilings = result["ceilings"].toObject();
    QVERIFY(ceilings["threads"].toInt() >= 1);
    for (const char* rate : {"float32_gflops", "copy_gbps"}) {
        QVERIFY(ceilings[QString(rate) + "_minimum"].toDouble() > 0.0);
        QVERIFY(ceilings[rate].toDouble() >= ceilings[QString(rate) + "_minimum"].toDouble());
    }
    QVERIFY(ceilings.contains("bfloat16_gflops"));
    QVERIFY(result["floor_milliseconds"].toDouble() > 0.0);
    const double reached = result["gigaflops_per_second"].toDouble();
    QVERIFY(
        std::abs(
            result["ceiling_share"].toDouble() * ceilings["float32_gflops"].toDouble() - reached)
        < 1e-9 * reached);
    QVERIFY(!result.contains("profile"));
    // Steps times the fastest one fit into the time, which is between 5 and 15 s where nobody else
    // works.
    QVERIFY(result["steps"].toInt() * result["milliseconds_minimum"].toDouble() <= 1e3 * seconds);
    QVERIFY2(
        seconds >= 5.0 && !isFarTooSlow(seconds, 15.0), QByteArray::number(seconds).constData());
}

void TestBench::bench_ofALargerInput_generatesItsImages()
{
    const Outcome outcome = runProgram(
        {"bench", "--model", "inception_v3", "--set", "model.input_height=75", "--set",
         "model.input_width=80", "--device", "cpu", "--towers", "1", "--batch-per-tower", "2",
         "--seconds", "0.1", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject line = QJsonDocument::fromJson(outcome.out).object();
    QCOMPARE(line["model"].toString(), QStringLiteral("inception_v3"));
    QVERIFY(line["examples_per_second"].toDouble() > 0.0);
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
    const Outcome outcome = runSweep(
        {"--sweep-towers", "1,2", "--sweep-batches", "4", "--sweep-precisions", "float32"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 4);
    QVERIFY(lines[0].startsWith("precision towers batch  examples/s"));
    QVERIFY(lines[1].startsWith("float32        1     4 "));
    QVERIFY(lines[2].startsWith("float32        2     4 "));
    // No share outside kernels on a CPU. Ceilings were measured, once.
    QVERIFY(lines[2].contains("         - "));
    QVERIFY2(lines[3].startsWith("machine, "), lines[3].constData());
    QVERIFY(lines[3].contains("FMA") && lines[3].contains("copy"));
}

void TestBench::sweep_combinationCannotRun_isLineAndOthersGoOn()
{
    const Outcome outcome = runSweep(
        {"--sweep-towers", "5000,1", "--sweep-batches", "4", "--sweep-precisions", "float32",
         "--json"});
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

void TestBench::bench_profileText_isATableOfEveryLayer()
{
    const Outcome outcome = runProfile({});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    for (const char* begin :
         {"\nmachine, ", "\npart of the step", "\ninput               forward ",
          "\nconv1               forward ", "\nconv1               backward ",
          "\npool2               backward ", "\nwaiting for input ", "\naveraging and check ",
          "\nupdate ", "\ntotal "}) {
        QVERIFY2(outcome.out.contains(begin), begin);
    }
    QVERIFY(!outcome.out.contains("\ninput               backward"));
    QVERIFY(outcome.out.contains(" 100.0 %"));
}

void TestBench::bench_profileJson_addsUp()
{
    const Outcome outcome = runProfile({"--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject result = outcome.events().first();
    double milliseconds = 0.0;
    double floor = 0.0;
    for (const QJsonValue& value : result["profile"].toArray()) {
        const QJsonObject line = value.toObject();
        milliseconds += line["milliseconds"].toDouble();
        floor += line["floor_milliseconds"].toDouble();
        const bool isNode = line["direction"].isString();
        QCOMPARE(line["algorithm"].isString(), isNode);
        QVERIFY(
            !isNode
            || line["gigaflops_per_second"].isDouble() != line["gigabytes_per_second"].isDouble());
    }
    QVERIFY(std::abs(milliseconds / result["profile_milliseconds"].toDouble() - 1.0) < 1e-9);
    QVERIFY(std::abs(floor / result["floor_milliseconds"].toDouble() - 1.0) < 1e-9);
    QVERIFY(result["profile_steps"].toInt() > 0);
    QCOMPARE(result["ceilings_one_thread"].toObject()["threads"].toInt(), 1);
}

void TestBench::bench_profileOfSweep_isRefused()
{
    const Outcome outcome = runSweep({"--profile"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.err.contains("--profile"));
}

void TestBench::bench_traceOnCpu_isRefused()
{
    const Outcome outcome = runProfile({"--trace"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains("--profile"), outcome.err.constData());
}

void TestBench::bench_nodesOnCpu_isRefused()
{
    const Outcome outcome =
        runProgram({"bench", "--nodes", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.out.isEmpty());
    QVERIFY2(outcome.err.contains("'cpu'"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("--profile"), outcome.err.constData()); // what to do instead
}

void TestBench::bench_nodesBesideTimes_isRefused_data()
{
    QTest::addColumn<QString>("flag");
    for (const char* flag : {"--sweep", "--profile", "--trace"}) {
        QTest::newRow(flag) << QString(flag);
    }
}

void TestBench::bench_nodesBesideTimes_isRefused()
{
    QFETCH(const QString, flag);
    const Outcome outcome =
        runProgram({"bench", "--nodes", flag, "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.out.isEmpty());
    QVERIFY2(
        outcome.err.contains("--nodes") && outcome.err.contains(flag.toUtf8()),
        outcome.err.constData());
}

LOCKSTEP_TEST(TestBench)
#include "test_bench.moc"
