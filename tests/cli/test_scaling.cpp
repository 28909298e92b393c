// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/lockstep_test.h"
#include "support/text_rows.h"

#include <QJsonArray>

#include <cmath>

using namespace lockstep::test;

namespace {

Outcome runRuler(const QStringList& more)
{
    return runProgram(
        QStringList{
            "scaling", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cpu", "--batch-per-tower", "8",
            "--seconds", "0.1"}
        + more);
}

} // namespace

class TestScaling : public QObject
{
    Q_OBJECT

private slots:
    void scaling_json_addsUp();
    void scaling_text_isATable();
    void scaling_globalBatch_isKept();
    void scaling_towersThatDoNotFit_areLeftOutAndNamed();
    void scaling_simulated_isATableWithAConclusion();
    void scaling_simulated_jsonHasTheLimits();
    void scaling_wrongUse_isRefused_data();
    void scaling_wrongUse_isRefused();
};

void TestScaling::scaling_json_addsUp()
{
    const Outcome outcome = runRuler({"--towers", "2,4", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events().size(), 1);
    const QJsonObject report = outcome.events().first();
    QCOMPARE(report["fixed"].toString(), QString("per-tower"));
    QVERIFY(report["serial_share"].isNull() || report["processors"].toInt() >= 4);
    const QJsonArray lines = report["lines"].toArray();
    QCOMPARE(lines.size(), 3); // 1 is what the others are compared with
    const double one = lines[0].toObject()["examples_per_second"].toDouble();
    for (const QJsonValue& value : lines) {
        const QJsonObject line = value.toObject();
        const int towers = line["towers"].toInt();
        const double speedUp = line["speed_up"].toDouble();
        QCOMPARE(line["global_batch"].toInt(), 8 * towers);
        QVERIFY(std::abs(line["examples_per_second"].toDouble() / one - speedUp) < 1e-9);
        QVERIFY(std::abs(speedUp / towers - line["efficiency"].toDouble()) < 1e-9);
        const QJsonObject lost = line["lost"].toObject();
        double sum = 0.0;
        for (const char* part : {"data", "averaging", "update", "waiting", "rest"}) {
            QVERIFY2(lost[part].isDouble(), part);
            sum += lost[part].toDouble();
        }
        QVERIFY(std::abs(sum - (towers - speedUp)) < 1e-9);
        QVERIFY(std::abs(lost["total"].toDouble() - (towers - speedUp)) < 1e-9);
    }
}

void TestScaling::scaling_text_isATable()
{
    const Outcome outcome = runRuler({"--towers-max", "3"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QVERIFY2(lines.size() >= 6, outcome.out.constData());
    QVERIFY(lines[0].contains("8 examples a step for each tower"));
    QVERIFY(lines[1].startsWith("towers  examples/s  speed-up efficiency  lost:"));
    for (int towers = 1; towers <= 3; ++towers) {
        QCOMPARE(lines[1 + towers].simplified().split(' ')[0].toInt(), towers);
    }
    QCOMPARE(lines[4].size(), lines[1].size()); // columns stand under their names
    QVERIFY(lines[5].startsWith("Amdahl's law") || lines[5].startsWith("more than"));
}

void TestScaling::scaling_globalBatch_isKept()
{
    const Outcome outcome = runRuler({"--towers", "2", "--fix", "global", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    for (const QJsonValue& line : outcome.events().first()["lines"].toArray()) {
        QCOMPARE(line.toObject()["global_batch"].toInt(), 16);
    }
}

void TestScaling::scaling_towersThatDoNotFit_areLeftOutAndNamed()
{
    const QStringList plan{"--towers", "2,3,4", "--fix", "global", "--global-batch", "16"};
    const Outcome text = runRuler(plan);
    QVERIFY2(text.exitCode == 0, text.text().constData());
    QVERIFY2(text.out.contains("left out: 3 towers"), text.out.constData());
    const Outcome json = runRuler(plan + QStringList{"--json"});
    QCOMPARE(json.events().first()["left_out"].toArray(), (QJsonArray{3}));
    QCOMPARE(json.events().first()["lines"].toArray().size(), 3);
}

void TestScaling::scaling_simulated_isATableWithAConclusion()
{
    const Outcome outcome = runRuler({"--simulate", "--link-latency", "1s"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QByteArray> lines = outcome.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 3 + 1 + 11 + 1);
    QVERIFY2(lines[2].contains("1 tower a rank, chain"), outcome.out.constData());
    QVERIFY(lines[3].startsWith("towers  ranks   ms/step"));
    QCOMPARE(lines[14].simplified().split(' ')[0].toInt(), 1024);
    QVERIFY(lines[14].contains("the link's latency"));
    QVERIFY2(
        lines[15].startsWith("beyond 1 tower the link's latency limits: 2 towers keep 0 %"),
        lines[15].constData());
}

void TestScaling::scaling_simulated_jsonHasTheLimits()
{
    const Outcome outcome = runRuler(
        {"--simulate", "--towers-max", "6", "--towers-per-rank", "2", "--link-bandwidth", "1Mbit",
         "--link-latency", "50us", "--exchange", "ring", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject report = outcome.events().first();
    QCOMPARE(report["link_bytes_per_second"].toDouble(), 125e3);
    QCOMPARE(report["link_latency_seconds"].toDouble(), 50e-6);
    QCOMPARE(report["exchange"].toString(), QString("ring"));
    QVERIFY(report["one_tower"].toObject()["forward_milliseconds"].toDouble() > 0.0);
    const QJsonArray lines = report["lines"].toArray();
    QCOMPARE(lines.size(), 4); // 1, 2, 4, 6
    const QJsonObject last = lines[3].toObject();
    QCOMPARE(last["ranks"].toInt(), 3);
    QCOMPARE(last["global_batch"].toInt(), 48);
    QCOMPARE(last["limit"].toString(), QString("bandwidth"));
    // 2 / 3 of the bytes twice, less what is hidden.
    const double bytes =
        report["one_tower"].toObject()["buckets"].toArray()[0].toObject()["bytes"].toDouble();
    const double wire = 1e3 * 4.0 / 3.0 * bytes / 125e3;
    const double bandwidth = last["milliseconds"].toObject()["bandwidth"].toDouble();
    QVERIFY2(std::abs(bandwidth - wire) < 1e-6 * wire, outcome.out.constData());
}

void TestScaling::scaling_wrongUse_isRefused_data()
{
    addRows<QStringList, QByteArray>(
        {"arguments", "part"},
        {{"one tower only", {"--towers", "1"}, "compare"},
         {"no tower", {"--towers", "0,2"}, "--towers"},
         {"range", {"--towers", "2-4"}, "like 1,2,4"},
         {"too large", {"--towers", "99999999999999999999"}, "like 1,2,4"},
         {"two lists", {"--towers", "1,2", "--towers-max", "2"}, "--towers"},
         {"fix", {"--towers", "2", "--fix", "nothing"}, "per-tower or global"},
         {"latency", {"--simulate", "--link-latency", "5"}, "like 50us or 0.2ms"},
         {"bandwidth", {"--simulate", "--link-bandwidth", "1Gb"}, "like 1Gbit or 117MB/s"},
         {"link", {"--simulate", "--link", "2g"}, "infiniband"},
         {"link alone", {"--link", "1g"}, "--simulate"},
         {"simulated and fixed", {"--simulate", "--fix", "global"}, "--fix"},
         {"batch", {"--towers", "3", "--fix", "global", "--global-batch", "16"}, "16"}});
}

void TestScaling::scaling_wrongUse_isRefused()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QByteArray, part);
    const Outcome outcome = runRuler(arguments);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains(part), outcome.text().constData());
}

LOCKSTEP_TEST(TestScaling)
#include "test_scaling.moc"
