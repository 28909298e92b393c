// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

using namespace lockstep::test;

namespace {

constexpr int kSteps = 12;
constexpr int kTowers = 2;

} // namespace

/// What `train` says and writes, on one run that all functions look at.
class TestTrain : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void json_everyLine_isAnEvent();
    void json_steps_areAllThereWithTheirKeys();
    void json_lossMean_isTheMeanOfTheTowersInTheirOrder();
    void json_gradients_tellOfTowersAndLayers();
    void json_evaluation_hasScoresOfBothWeights();
    void json_finished_namesTheLastCheckpoint();
    void csv_header_isTheAgreedOne();
    void csv_rows_holdTheSameNumbersAsJson();
    void text_withoutTerminal_isClassicLines();
    void defaultFolder_isBelowXdgDataHome();
    void bfloat16_resumedHalfway_isIdentical();

private:
    [[nodiscard]] QStringList training(const char* run) const
    {
        return smallTraining(m_folder / "data", m_folder / run, kSteps);
    }

    TemporaryFolder m_folder;
    Outcome m_json;
};

void TestTrain::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 20);
    m_json = runProgram(training("run") << "--json");
    QVERIFY2(m_json.exitCode == 0, m_json.text().constData());
}

void TestTrain::json_everyLine_isAnEvent()
{
    const QStringList known{"started",    "note",       "preflight",      "step",    "gradients",
                            "evaluation", "checkpoint", "device_reading", "finished"};
    for (const QJsonObject& event : m_json.events()) {
        QVERIFY2(known.contains(event["event"].toString()), m_json.out.constData());
    }
    QVERIFY(m_json.err.isEmpty());
    // Of step 0 and of the end.
    QCOMPARE(m_json.events("checkpoint").size(), 2);
    QCOMPARE(m_json.events("checkpoint").first()["step"].toInt(-1), 0);
}

void TestTrain::json_steps_areAllThereWithTheirKeys()
{
    const auto steps = m_json.events("step");
    QCOMPARE(steps.size(), kSteps);
    for (int i = 0; i < kSteps; ++i) {
        QCOMPARE(steps[i]["step"].toInt(-1), i);
        QCOMPARE(steps[i]["loss_tower"].toArray().size(), kTowers);
        QCOMPARE(steps[i]["learning_rate"].toDouble(), 0.1);
        QCOMPARE(steps[i]["examples"].toInt(), 16 * (i + 1));
        QCOMPARE(steps[i]["epoch"].toDouble(), 0.16 * (i + 1));
        QVERIFY(steps[i]["examples_per_second"].toDouble() > 0.0);
    }
}

void TestTrain::json_lossMean_isTheMeanOfTheTowersInTheirOrder()
{
    for (const QJsonObject& step : m_json.events("step")) {
        const QJsonArray towers = step["loss_tower"].toArray();
        QVERIFY(towers[0].toDouble() > 0.0);
        // Exactly, because the sum is taken in double.
        QVERIFY(
            step["loss_mean"].toDouble()
            == (towers[0].toDouble() + towers[1].toDouble()) / kTowers);
        QVERIFY(step["loss_last"].toDouble() == towers[1].toDouble());
        QVERIFY(towers[0].toDouble() != towers[1].toDouble());
    }
}

void TestTrain::json_gradients_tellOfTowersAndLayers()
{
    const auto gradients = m_json.events("gradients");
    QCOMPARE(gradients.size(), (kSteps + 9) / 10);
    QCOMPARE(gradients[0]["step"].toInt(-1), 0);
    QVERIFY(gradients[0]["noise_scale"].isDouble() || gradients[0]["noise_scale"].isNull());
    const QJsonObject layers = gradients[0]["layers"].toObject();
    QCOMPARE(layers.keys(), (QStringList{"conv1", "conv2", "logits"}));
    for (const QJsonObject& part : {gradients[0], layers["conv2"].toObject()}) {
        QCOMPARE(part["cosine_tower"].toArray().size(), kTowers);
        QCOMPARE(part["norm_tower"].toArray().size(), kTowers);
        QVERIFY(part["cosine_tower"].toArray()[0].toDouble() <= 1.0);
        QVERIFY(part["weight_norm"].toDouble() > 0.0 && part["gradient_norm"].toDouble() > 0.0);
        QVERIFY(part["update_to_weight"].toDouble() > 0.0);
    }
}

void TestTrain::json_evaluation_hasScoresOfBothWeights()
{
    QStringList weights;
    for (const QJsonObject& evaluation : m_json.events("evaluation")) {
        weights.append(evaluation["weights"].toString());
        QCOMPARE(evaluation["step"].toInt(), kSteps);
        QCOMPARE(evaluation["examples"].toInt(), 20);
        QCOMPARE(evaluation["accuracy"].toDouble(), evaluation["correct"].toInt() / 20.0);
        QVERIFY(evaluation["loss"].toDouble() > 0.0);
    }
    weights.sort();
    QCOMPARE(weights, QStringList({"average", "raw"}));
}

void TestTrain::json_finished_namesTheLastCheckpoint()
{
    const QJsonObject finished = m_json.events().last();
    QCOMPARE(finished["event"].toString(), QString("finished"));
    QCOMPARE(finished["step"].toInt(), kSteps);
    QCOMPARE(finished["run"].toString(), toText(m_folder / "run"));
    const std::filesystem::path checkpoint = finished["checkpoint"].toString().toStdString();
    QCOMPARE(checkpoint.parent_path(), m_folder / "run" / "checkpoints");
    QCOMPARE(checkpoint.extension(), std::filesystem::path(".safetensors"));
    QVERIFY(std::filesystem::exists(checkpoint));
}

void TestTrain::csv_header_isTheAgreedOne()
{
    const Outcome csv = runProgram({"export", toText(m_folder / "run"), "--csv", "-"});
    QCOMPARE(csv.exitCode, 0);
    QCOMPARE(
        csv.out.split('\n').first(),
        QByteArray(
            "step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,loss_tower_0,"
            "loss_tower_1,train_accuracy,examples_per_second,seconds_per_batch,step_seconds,input_"
            "seconds,"
            "compute_seconds,averaging_seconds,update_seconds,start_seconds_tower_0,"
            "start_seconds_tower_1,copy_seconds_tower_0,copy_seconds_tower_1,"
            "forward_seconds_tower_0,forward_seconds_tower_1,backward_seconds_tower_0,"
            "backward_seconds_tower_1,weight_decay_loss,cross_entropy_mean,"
            "cross_entropy_tower_0,cross_entropy_tower_1"));
}

void TestTrain::csv_rows_holdTheSameNumbersAsJson()
{
    const QString file = toText(m_folder / "steps.csv");
    QCOMPARE(runProgram({"export", toText(m_folder / "run"), "--csv", file}).exitCode, 0);
    QFile stream(file);
    QVERIFY(stream.open(QIODevice::ReadOnly));
    const auto lines = stream.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), kSteps + 1);
    const auto names = lines.first().split(',');
    const auto steps = m_json.events("step");
    for (int row = 0; row < kSteps; ++row) {
        const auto values = lines[row + 1].split(',');
        QCOMPARE(values.size(), names.size());
        for (int column = 0; column < names.size(); ++column) {
            const QString name = QString::fromUtf8(names[column]);
            const double expected =
                name.contains("_tower_")
                    ? steps[row][name.chopped(2)].toArray()[name.last(1).toInt()].toDouble()
                    : steps[row][name].toDouble(-1.0);
            // The store keeps times in whole nanoseconds.
            const bool isTime = name.contains("second");
            const double difference = std::abs(values[column].toDouble() - expected);
            QVERIFY2(
                isTime ? difference <= 1e-9 + 1e-4 * expected : difference == 0.0,
                qPrintable(name));
        }
    }
}

void TestTrain::text_withoutTerminal_isClassicLines()
{
    const Outcome text = runProgram(training("text"));
    QCOMPARE(text.exitCode, 0);
    const auto steps = m_json.events("step");
    static const QRegularExpression classic(
        R"(^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}: step (\d+), loss = (\d+\.\d\d) \(\d+\.\d examples/sec; \d+\.\d{3} sec/batch\)  last tower (\d+\.\d\d)$)",
        QRegularExpression::MultilineOption);
    auto matches = classic.globalMatch(QString::fromUtf8(text.out));
    for (const int step : {0, 10}) {
        QVERIFY2(matches.hasNext(), text.out.constData());
        const auto match = matches.next();
        QCOMPARE(match.captured(1).toInt(), step);
        QCOMPARE(match.captured(2), QString::number(steps[step]["loss_mean"].toDouble(), 'f', 2));
        QCOMPARE(match.captured(3), QString::number(steps[step]["loss_last"].toDouble(), 'f', 2));
    }
    QVERIFY(!matches.hasNext());
    QVERIFY(!text.out.contains('\r') && !text.out.contains('\033'));
    for (const QByteArray& line : text.err.trimmed().split('\n')) {
        QVERIFY2(line.startsWith("lockstep-train: "), line.constData());
    }
}

void TestTrain::defaultFolder_isBelowXdgDataHome()
{
    qputenv("XDG_DATA_HOME", toText(m_folder / "home").toUtf8());
    QStringList arguments = training("unused") << "--json";
    const qsizetype run = arguments.indexOf("--run");
    arguments.remove(run, 2);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const std::filesystem::path folder = outcome.events().last()["run"].toString().toStdString();
    QCOMPARE(folder.parent_path(), m_folder / "home" / "lockstep" / "runs");
    QVERIFY(folder.filename().string().ends_with("-small"));
}

void TestTrain::bfloat16_resumedHalfway_isIdentical()
{
    const auto train = [&](const char* run, int steps, const QStringList& more) {
        return runProgram(
            smallTraining(m_folder / "data", m_folder / run, steps)
            + QStringList{"--json", "--precision", "bfloat16"} + more);
    };
    const Outcome whole = train("bfloat16", 20, {});
    QVERIFY2(whole.exitCode == 0, whole.text().constData());
    const auto steps = whole.events("step");
    QCOMPARE(steps.size(), 20);
    // It goes beside float32, and is not float32 under another name.
    const auto exact = m_json.events("step");
    for (int i = 0; i < kSteps; ++i) {
        const double ratio = steps[i]["loss_mean"].toDouble() / exact[i]["loss_mean"].toDouble();
        QVERIFY2(std::abs(ratio - 1.0) < 0.05, qPrintable(QString::number(ratio)));
    }
    QVERIFY(steps[1]["loss_mean"].toDouble() != exact[1]["loss_mean"].toDouble());

    const Outcome half = train("bfloat16-halves", 10, {});
    QVERIFY2(half.exitCode == 0, half.text().constData());
    const Outcome resumed = train("bfloat16-halves", 20, {"--resume"});
    QVERIFY2(resumed.exitCode == 0, resumed.text().constData());
    const auto otherSteps = half.events("step") + resumed.events("step");
    QCOMPARE(otherSteps.size(), 20);
    for (int i = 0; i < 20; ++i) {
        QCOMPARE(otherSteps[i]["loss_tower"].toArray(), steps[i]["loss_tower"].toArray());
    }
    for (int i = 0; i < 2; ++i) {
        const QJsonObject one = whole.events("evaluation").at(i);
        const QJsonObject other = resumed.events("evaluation").at(i);
        QCOMPARE(other["weights"].toString(), one["weights"].toString());
        QVERIFY(other["loss"].toDouble() == one["loss"].toDouble());
    }
}

LOCKSTEP_TEST(TestTrain)
#include "test_train.moc"
