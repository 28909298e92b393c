// SPDX-License-Identifier: Apache-2.0
// lockstep-train bench --nodes, the real program, on emulated GPUs: a captured step has few nodes,
// which add up.
#include "cli/program.h"
#include "cuda/emulated_gpus.h"
#include "network/cost.h"
#include "network/models/catalog.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kBatch = 32; ///< of a tower
// Of --ceilings.
constexpr double kFlopPerMicrosecond = 2e6;
constexpr double kBytesPerMicrosecond = 1e6;

/// The JSON of a graph; empty, with a warning, where the program fails.
QJsonObject graphOf(const QStringList& arguments)
{
    const Outcome outcome = runProgram(QStringList{"bench", "--nodes", "--json"} + arguments);
    if (outcome.exitCode != 0) {
        qWarning("%s", outcome.text().constData());
        return {};
    }
    return outcome.events().value(0);
}

QJsonObject graphOfCifar10(const QString& device, int towers, const QStringList& more)
{
    return graphOf(
        QStringList{
            "--model", "cifar10", "--device", device, "--towers", QString::number(towers),
            "--batch-per-tower", QString::number(kBatch), "--ceilings",
            "float32=2,bfloat16=2,copy=1"}
        + more);
}

/// The sum of what the lines have of something.
double sumOf(const QJsonObject& graph, const QString& key)
{
    double sum = 0.0;
    for (const QJsonValue& value : graph["lines"].toArray()) {
        const QJsonObject line = value.toObject();
        sum += line[key].toDouble();
    }
    return sum;
}

/// "conv1 forward" of each line, in their order.
QStringList partsOf(const QJsonObject& graph)
{
    QStringList parts;
    for (const QJsonValue& value : graph["lines"].toArray()) {
        const QJsonObject line = value.toObject();
        parts.append((line["part"].toString() + ' ' + line["pass"].toString()).trimmed());
    }
    return parts;
}

bool isNear(double value, double expected)
{
    return std::abs(value - expected) <= 1e-9 * expected;
}

} // namespace

class TestEmulatedStepGraph : public QObject
{
    Q_OBJECT

private slots:
    void Nodes_ofCifar10_areFewAndAddUp_data();
    void Nodes_ofCifar10_areFewAndAddUp();
    void Nodes_withoutFeatures_areMoreForTheSameWork();
    void Chain_ofInception_isShort();
    void Text_hasTheNodesOfTheJson();
    void Capture_failed_isTold();

private:
    EmulatedGpus m_gpus{4};
};

void TestEmulatedStepGraph::Nodes_ofCifar10_areFewAndAddUp_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("ofDevice");
    QTest::addColumn<int>("mostNodes");
    QTest::addColumn<int>("longestChain"); // at most
    for (const char* precision : {"float32", "bfloat16"}) {
        QTest::addRow("a tower, %s", precision)
            << "cuda:0" << QString(precision) << 1 << 1 << 22 << 22;
        QTest::addRow("four towers, %s", precision)
            << "cuda:0" << QString(precision) << 4 << 4 << 90 << 22;
        QTest::addRow("four towers on as many GPUs, %s", precision)
            << "cuda" << QString(precision) << 4 << 1 << 30 << 30;
    }
}

void TestEmulatedStepGraph::Nodes_ofCifar10_areFewAndAddUp()
{
    QFETCH(QString, device);
    QFETCH(QString, precision);
    QFETCH(int, towers);
    QFETCH(int, ofDevice);
    QFETCH(int, mostNodes);
    QFETCH(int, longestChain);
    const QJsonObject graph = graphOfCifar10(device, towers, {"--precision", precision});
    QCOMPARE(graph["model"].toString(), QString("cifar10"));
    QCOMPARE(graph["device"].toString(), QString("cuda:0"));
    QCOMPARE(graph["precision"].toString(), precision);
    QCOMPARE(graph["towers"].toInt(), ofDevice);
    QCOMPARE(graph["batch_per_tower"].toInt(), kBatch);
    const int nodes = graph["nodes"].toInt();
    const int chain = graph["longest_chain"].toInt();
    QVERIFY2(nodes <= mostNodes, qPrintable(QString::number(nodes)));
    QVERIFY2(chain <= longestChain, qPrintable(QString::number(chain)));
    // All that a tower does is one chain; several are beside each other.
    QVERIFY(chain > 0 && (ofDevice == 1 ? chain == nodes : 2 * chain < nodes));

    QCOMPARE(sumOf(graph, "nodes"), static_cast<double>(nodes));
    const auto flop = static_cast<double>(totalCost(cifar10Network()).trainingFlop());
    QVERIFY(isNear(sumOf(graph, "flop"), ofDevice * kBatch * flop));
    QVERIFY(isNear(sumOf(graph, "bytes"), graph["bytes"].toDouble()));
    const double floor =
        sumOf(graph, "flop") / kFlopPerMicrosecond + sumOf(graph, "bytes") / kBytesPerMicrosecond;
    QVERIFY(isNear(graph["floor_microseconds"].toDouble(), floor));

    QStringList parts = partsOf(graph);
    QCOMPARE(parts.first(), QString("input forward"));
    QCOMPARE(parts.last(), QString("tail"));
    QCOMPARE(parts.removeDuplicates(), qsizetype{0});
    for (const char* part : {"conv1 forward", "conv1 backward", "local4 backward"}) {
        QVERIFY2(parts.contains(part), part);
    }
}

void TestEmulatedStepGraph::Nodes_withoutFeatures_areMoreForTheSameWork()
{
    const QJsonObject all = graphOfCifar10("cuda:0", 2, {});
    const QJsonObject without = graphOfCifar10("cuda:0", 2, {"--set", "gpu.without=head,tail"});
    // Four kernels in place of the tail; five, or more, in place of each tower's two of the head.
    QVERIFY(without["nodes"].toInt() >= all["nodes"].toInt() + 3 + 2 * 3);
    QVERIFY(isNear(sumOf(without, "flop"), sumOf(all, "flop")));
    const QStringList separate{
        "average", "check", "update", "report", "softmax_linear forward", "cross_entropy forward"};
    for (const QString& part : separate) {
        QVERIFY2(partsOf(without).contains(part), qPrintable(part));
        QVERIFY2(!partsOf(all).contains(part), qPrintable(part));
    }
    QVERIFY(partsOf(all).contains("tail") && !partsOf(without).contains("tail"));
}

void TestEmulatedStepGraph::Chain_ofInception_isShort()
{
    const QJsonObject graph = graphOf(
        {"--model", "inception_v3", "--set", "model.input_height=75", "--set",
         "model.input_width=75", "--device", "cuda:0", "--towers", "1", "--batch-per-tower", "2",
         "--precision", "bfloat16"});
    QCOMPARE(graph["model"].toString(), QString("inception_v3"));
    const int chain = graph["longest_chain"].toInt();
    QVERIFY2(chain > 0 && chain <= 600, qPrintable(QString::number(chain)));
    QVERIFY(chain < graph["nodes"].toInt());
    QCOMPARE(sumOf(graph, "nodes"), graph["nodes"].toDouble());
}

/// Without --ceilings, which are not known of an emulated GPU.
void TestEmulatedStepGraph::Text_hasTheNodesOfTheJson()
{
    const TemporaryFolder folder;
    QFile file(toText(folder / "graph.jsonl"));
    const Outcome outcome = runProgram(
        {"bench", "--nodes", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cuda:0", "--towers", "2",
         "--batch-per-tower", "4", "--output", file.fileName()});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject graph = QJsonDocument::fromJson(file.readAll()).object();
    QVERIFY(graph["floor_microseconds"].isNull());
    const QString heading = QString("\n%1 nodes, %2 of them in the longest chain\n")
                                .arg(graph["nodes"].toInt())
                                .arg(graph["longest_chain"].toInt());
    QVERIFY2(outcome.out.contains(heading.toUtf8()), outcome.text().constData());
    QVERIFY2(outcome.out.contains("), - us at the device's ceilings"), outcome.text().constData());
    // Nodes, MB, GFLOP and microseconds of a line.
    const QRegularExpression row(R"( (\d+) +\d+\.\d\d +\d+\.\d\d +-)");
    int nodes = 0;
    qsizetype lines = 0;
    for (const QByteArray& line : outcome.out.split('\n')) {
        const QRegularExpressionMatch match = row.match(QString::fromUtf8(line));
        nodes += match.captured(1).toInt();
        lines += match.hasMatch() ? 1 : 0;
    }
    QVERIFY2(nodes > 0 && nodes == graph["nodes"].toInt(), outcome.text().constData());
    QCOMPARE(lines, graph["lines"].toArray().size());
}

void TestEmulatedStepGraph::Capture_failed_isTold()
{
    qputenv("LOCKSTEP_EMULATED_FAULT", "capture:0");
    const Outcome outcome = runProgram(
        {"bench", "--nodes", "--model", LOCKSTEP_SMALL_MODEL, "--device", "cuda:0", "--towers", "1",
         "--batch-per-tower", "4"});
    qunsetenv("LOCKSTEP_EMULATED_FAULT");
    QVERIFY2(outcome.isExited && outcome.exitCode == 1, outcome.text().constData());
    QVERIFY(outcome.out.isEmpty());
    QVERIFY2(outcome.err.contains("capturing the step"), outcome.text().constData());
}

LOCKSTEP_TEST(TestEmulatedStepGraph)
#include "test_emulated_step_graph.moc"
