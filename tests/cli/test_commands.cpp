// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QtEndian>

#include <algorithm>
#include <fstream>

using namespace lockstep::test;

/// The commands that look at things: what they print is right, and they change nothing.
class TestCommands : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void devices_cpu_isThere();
    void inspect_cifar10_hasTheKnownCounts();
    void inspect_cifar10Layers_sumUpToTheTotal();
    void inspect_segdecnet_hasThePublishedCounts();
    void inspect_inceptionV3_hasThePublishedCounts();
    void inspect_inceptionV3Memory_fitsIntoATower();
    void inspect_dataset_countsTheExamplesOfEachClass();
    void inspect_imageFolder_countsClassesAndDamage();
    void inspect_phase_countsWhatItTrains();
    void inspect_memory_sharesPlacesAndAddsUp();
    void inspect_costs_areKeptAndThenARunsOwn();
    void inspect_costsOfNoConfiguration_areRefused();
    void inspect_modelFile_showsIt();
    void inspect_run_showsConfigurationStepsAndCheckpoints();
    void inspect_checkpoint_showsStepAndTensors();
    void evaluate_text_beginsWithTheFigures();
    void evaluate_otherData_scoresThat();
    void export_safetensors_holdsTensorsOfTheCheckpoint_data();
    void export_safetensors_holdsTensorsOfTheCheckpoint();
    void export_unwritableTarget_isNamed();
    void findLr_smallModel_suggestsWhatItTried();
    void findLr_oneRateForAll_suggestsNothing();
    void download_dataThatIsThere_isLeftAlone();

private:
    TemporaryFolder m_folder;
    QString m_run;
    QString m_checkpoint;
};

void TestCommands::initTestCase()
{
    writeCifar10Folder(m_folder / "data" / "cifar-10-batches-bin", 20);
    m_run = toText(m_folder / "run");
    m_checkpoint = m_run + "/checkpoints/step-000000003.safetensors";
    const Outcome outcome = runProgram(smallTraining(m_folder / "data", m_folder / "run", 3));
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
}

void TestCommands::devices_cpu_isThere()
{
    const Outcome outcome = runProgram({"devices", "--json"});
    QCOMPARE(outcome.exitCode, 0);
    const QJsonArray devices = outcome.events().first()["devices"].toArray();
    QVERIFY(devices.size() >= 2);
    for (const QJsonValue& device : devices) {
        const bool isAvailable = device["available"].toBool();
        QVERIFY(isAvailable || device["name"].toString() != "cpu");
        QVERIFY(!device[isAvailable ? "library" : "reason"].toString().isEmpty());
    }
    QVERIFY(runProgram({"devices"}).out.startsWith("cpu "));
}

void TestCommands::inspect_cifar10_hasTheKnownCounts()
{
    const QJsonObject model =
        runProgram({"inspect", "--model", "cifar10", "--json"}).events().first();
    QCOMPARE(model["parameters"].toInt(), 1'068'298);
    QCOMPARE(model["tensors"].toInt(), 10);
    // Multiply-adds by hand: cells x filters x taps of the two convolutions, then the products of
    // the fully connected layers; 2 FLOP each. Backward: twice that, but conv1 passes no gradient
    // on.
    constexpr qint64 kFirst = qint64{24} * 24 * 64 * 5 * 5 * 3;
    constexpr qint64 kRest =
        qint64{12} * 12 * 64 * 5 * 5 * 64 + qint64{2304} * 384 + qint64{384} * 192 + 192 * 10;
    QCOMPARE(model["flop_forward"].toInteger(), 2 * (kFirst + kRest));
    QCOMPARE(model["flop_backward"].toInteger(), 2 * kFirst + 4 * kRest);
}

void TestCommands::inspect_cifar10Layers_sumUpToTheTotal()
{
    const QJsonObject model =
        runProgram({"inspect", "--model", "cifar10", "--json"}).events().first();
    for (const char* key : {"parameters", "flop_forward", "flop_backward", "activation_bytes"}) {
        qint64 sum = 0;
        for (const QJsonValue& layer : model["layers"].toArray()) {
            sum += layer[key].toInteger();
        }
        QCOMPARE(sum, model[key].toInteger());
    }
    qint64 elements = 0;
    for (const QJsonValue& tensor : model["parameter_tensors"].toArray()) {
        qint64 product = 1;
        for (const QJsonValue& size : tensor["shape"].toArray()) {
            product *= size.toInteger();
        }
        elements += product;
    }
    QCOMPARE(elements, model["parameters"].toInteger());
}

void TestCommands::inspect_segdecnet_hasThePublishedCounts()
{
    const QJsonObject authors =
        runProgram({"inspect", "--model", "segdecnet", "--json"}).events().first();
    QCOMPARE(authors["parameters"].toInt(), 15'662'877);
    // 14 convolutions, gamma and beta of their normalisations, weights and bias of the last layer.
    QCOMPARE(authors["tensors"].toInt(), 3 * 14 + 2);
    QCOMPARE(authors["parameter_tensors"].toArray().size(), 5 * 14 + 2);
    QCOMPARE(qRound(authors["flop_forward"].toDouble() / 2e9), 250);
    const Outcome third = runProgram(
        {"inspect", "--model", "segdecnet", "--set", "model.variant=third_party", "--json"});
    QCOMPARE(third.events().first()["parameters"].toInt(), 15'661'351);
}

void TestCommands::inspect_inceptionV3_hasThePublishedCounts()
{
    const QJsonObject model =
        runProgram({"inspect", "--model", "inception_v3", "--json"}).events().first();
    QCOMPARE(model["parameters"].toInt(), 27'145'970);
    QCOMPARE(model["tensors"].toInt(), 196);
    QCOMPARE(model["statistics"].toInt(), 36'224);
    QCOMPARE(model["classes"].toInt(), 1001);
    const QJsonArray objectives = model["objectives"].toArray();
    QCOMPARE(objectives.size(), 2);
    // Without the auxiliary head.
    QCOMPARE(objectives[0]["name"].toString(), QString("main"));
    QCOMPARE(objectives[0]["parameters"].toInt(), 23'819'401);
    const QString text = runProgram({"inspect", "--model", "inception_v3"}).out;
    QVERIFY2(text.contains("23819401"), qPrintable(text));
}

void TestCommands::inspect_inceptionV3Memory_fitsIntoATower()
{
    const QJsonObject plan = runProgram({"inspect", "--model", "inception_v3", "--set",
                                         "model.input_height=139", "--set", "model.input_width=139",
                                         "--memory", "--batch-per-tower", "8", "--json"})
                                 .events()
                                 .first();
    const qint64 training = plan["training"]["bytes"].toInteger();
    const QJsonObject evaluation = plan["evaluation"].toObject();
    const QJsonObject scratchpad = evaluation["buffers"].toArray().last().toObject();
    QCOMPARE(scratchpad["use"].toString(), QString("scratchpad"));
    const qint64 maps = evaluation["bytes"].toInteger() - scratchpad["bytes"].toInteger();
    // All values that come out of convolutions and normalisations are kept for the backward pass;
    // an evaluation keeps a few maps at a time.
    const QJsonObject model =
        runProgram({"inspect", "--model", "inception_v3", "--set", "model.input_height=139",
                    "--set", "model.input_width=139", "--json"})
            .events()
            .first();
    const qint64 values = 8 * model["activation_bytes"].toInteger();
    QVERIFY2(training > values / 2 && training < 3 * values, qPrintable(QString::number(training)));
    QVERIFY2(maps < values / 4, qPrintable(QString::number(maps)));
}

void TestCommands::inspect_dataset_countsTheExamplesOfEachClass()
{
    const QJsonObject data =
        runProgram({"inspect", "--dataset", "synthetic", "--json"}).events().first();
    const QJsonArray splits = data["splits"].toArray();
    QCOMPARE(splits.size(), 2);
    for (qsizetype split = 0; split < 2; ++split) {
        const QJsonArray classes = splits[split]["classes"].toArray();
        QCOMPARE(classes.size(), 10);
        for (const QJsonValue& each : classes) {
            QCOMPARE(each["examples"].toInt(), split == 0 ? 1000 : 200);
        }
    }
    const Outcome both = runProgram({"inspect", "--dataset", "synthetic", "--model", "cifar10"});
    QCOMPARE(both.exitCode, 2);
}

void TestCommands::inspect_imageFolder_countsClassesAndDamage()
{
    const QByteArray onePixel = QByteArray::fromBase64(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg==");
    const auto write = [&](const char* name, const QByteArray& content) {
        const auto path = m_folder / "images" / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary).write(content.data(), content.size());
    };
    for (const char* name :
         {"train/cat/1.png", "train/cat/2.png", "train/dog/1.png", "val/cat/1.png",
          "val/dog/1.png"}) {
        write(name, onePixel);
    }
    write("train/dog/2.png", "no image");
    const QStringList command{
        "inspect", "--dataset", "image_folder", "--data", toText(m_folder / "images")};
    const Outcome refused = runProgram(command);
    QVERIFY(refused.exitCode != 0);
    QVERIFY(refused.text().contains("train/dog/2.png"));
    const Outcome shown = runProgram(command + QStringList{"--set", "dataset.damaged=skip_all"});
    QCOMPARE(shown.exitCode, 0);
    for (const char* part :
         {"image_folder, train: 3 examples of 2 classes", "train/dog/2.png",
          "image_folder, test: 2 examples of 2 classes"}) {
        QVERIFY2(shown.out.contains(part), shown.out.constData());
    }
    QVERIFY(QRegularExpression("0 cat +2\n +1 dog +1\n").match(shown.out).hasMatch());
}

void TestCommands::inspect_phase_countsWhatItTrains()
{
    const QJsonObject phase =
        runProgram({"inspect", "--model", "segdecnet", "--objective", "decision", "--json"})
            .events()
            .first();
    for (const QJsonValue& layer : phase["layers"].toArray()) {
        const bool isDecision = layer["name"].toString().startsWith("decision");
        QVERIFY(isDecision || layer["flop_backward"].toInteger() == 0);
    }
    QCOMPARE(phase["objectives"][0]["weight"].toDouble(), 0.0);
    QCOMPARE(phase["objectives"][1]["weight"].toDouble(), 1.0);
}

void TestCommands::inspect_memory_sharesPlacesAndAddsUp()
{
    const QStringList command{"inspect", "--model", "cifar10", "--device", "cpu", "--memory"};
    const QJsonObject plan = runProgram(command + QStringList{"--json"}).events().first();
    for (const char* replica : {"training", "evaluation"}) {
        const QJsonObject memory = plan[replica].toObject();
        qint64 sum = 0;
        qint64 end = 0;
        for (const QJsonValue& buffer : memory["buffers"].toArray()) {
            sum += buffer["bytes"].toInteger();
            end = std::max(end, buffer["offset"].toInteger() + buffer["bytes"].toInteger());
        }
        QCOMPARE(memory["bytes_without_reuse"].toInteger(), sum);
        QVERIFY(memory["bytes"].toInteger() >= end && memory["bytes"].toInteger() < sum);
    }
    const QString text = runProgram(command).out;
    for (const char* word : {"training replica", "evaluation replica", "conv1", "place shared"}) {
        QVERIFY2(text.contains(word), qPrintable(text));
    }
}

/// What such a run takes is measured, then known, and at last told by a run that was long enough.
void TestCommands::inspect_costs_areKeptAndThenARunsOwn()
{
    const TemporaryFolder cache;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
    QStringList training = smallTraining(m_folder / "data", m_folder / "costs", 40);
    QStringList asked = training.mid(1, training.indexOf("--seed") - 1);
    asked = QStringList{"inspect", "--costs", "--json"} + asked;
    const auto told = [&] { return runProgram(asked).events().value(0); };
    const QJsonObject first = told();
    QCOMPARE(first["source"].toString(), "measured");
    QVERIFY(first["seconds"].toDouble() > 0.0);
    QVERIFY(first["process_bytes"].toDouble() > 1e7);
    QVERIFY(first["evaluations_counted"].toBool());
    if (!first["disturbed"].toBool()) {
        QCOMPARE(told(), first);
    }
    QCOMPARE(first["steps"].toInt(), 40);
    const QJsonObject rest = runProgram(asked + QStringList{"--from-step", "30"}).events().value(0);
    QCOMPARE(rest["steps"].toInt(), 10);
    const Outcome outcome = runProgram(training);
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject known = told();
    // Other programs may have kept it from the processors: then nothing is learnt from it.
    QVERIFY(known["source"].toString() == "run" || known["source"].toString() == "measured");
    asked.removeOne("--json");
    const QByteArray text = runProgram(asked).out;
    QVERIFY2(text.startsWith("a few seconds, ") || text.startsWith("about "), text.constData());
    QVERIFY2(text.contains(" steps of "), text.constData());
    qputenv("XDG_CACHE_HOME", before);
}

void TestCommands::inspect_costsOfNoConfiguration_areRefused()
{
    const Outcome outcome = runProgram({"inspect", "--costs", m_run});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains("--costs are of a configuration"), outcome.err.constData());
}

void TestCommands::inspect_modelFile_showsIt()
{
    const Outcome byPath = runProgram({"inspect", LOCKSTEP_SMALL_MODEL});
    const Outcome byName = runProgram({"inspect", "--model", LOCKSTEP_SMALL_MODEL});
    QCOMPARE(byPath.exitCode, 0);
    QCOMPARE(byPath.out, byName.out);
    QVERIFY(byPath.out.contains("model small"));
    QVERIFY(byPath.out.contains("conv2.weight"));
}

void TestCommands::inspect_run_showsConfigurationStepsAndCheckpoints()
{
    const QJsonObject run = runProgram({"inspect", m_run, "--json"}).events().first();
    QCOMPARE(run["steps"].toInt(), 3);
    QCOMPARE(run["last_step"]["step"].toInt(), 2);
    QCOMPARE(run["evaluations"].toArray().size(), 2);
    QCOMPARE(run["checkpoints"].toArray().last()["file"].toString(), m_checkpoint);
    QCOMPARE(run["configuration"]["towers"].toInt(), 2);
    QCOMPARE(run["configuration"]["batch_per_tower"].toInt(), 8);
    QCOMPARE(run["configuration"]["dataset.name"].toString(), QString("cifar10"));
    const Outcome text = runProgram({"inspect", m_run});
    QVERIFY(text.out.contains("3 of 3 steps"));
}

void TestCommands::inspect_checkpoint_showsStepAndTensors()
{
    for (const QString& path : {m_checkpoint, m_run + "/checkpoints"}) {
        const QJsonObject checkpoint = runProgram({"inspect", path, "--json"}).events().first();
        QCOMPARE(checkpoint["step"].toInt(), 3);
        QCOMPARE(checkpoint["examples_seen"].toInt(), 48);
        QCOMPARE(checkpoint["model"].toString(), QString("small"));
        QCOMPARE(checkpoint["tensors"].toInt(), 6);
        QVERIFY(checkpoint["notes"].isObject());
    }
}

void TestCommands::evaluate_text_beginsWithTheFigures()
{
    const Outcome outcome = runProgram({"evaluate", "--checkpoint", m_run, "--device", "cpu"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.out.startsWith("evaluation at step 3, average weights: accuracy "));
    const QByteArrayList lines = outcome.out.trimmed().split('\n');
    QVERIFY2(
        lines[0].contains(", top-5 ") && lines[0].contains(" examples, "), lines[0].constData());
    QVERIFY(lines[1].startsWith("macro recall "));
}

void TestCommands::evaluate_otherData_scoresThat()
{
    writeCifar10Folder(m_folder / "other", 7);
    const Outcome outcome = runProgram(
        {"evaluate", "--checkpoint", m_run, "--data", toText(m_folder / "other"), "--json"});
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(outcome.events().first()["examples"].toInt(), 7);
}

void TestCommands::export_safetensors_holdsTensorsOfTheCheckpoint_data()
{
    addTextRows(
        {"weights", "prefix"}, {{"raw", "raw", ""}, {"average", "average", "moving_average."}});
}

/// The bytes of a tensor of a safetensors file: 8 bytes of header length, JSON header, data.
static QByteArray tensorIn(const QString& path, const QString& name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QByteArray bytes = file.readAll();
    const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(bytes.constData()));
    const auto header = QJsonDocument::fromJson(bytes.mid(8, length)).object();
    const QJsonArray place = header[name]["data_offsets"].toArray();
    const auto begin = place[0].toInteger();
    return bytes.mid(8 + length + begin, place[1].toInteger() - begin);
}

void TestCommands::export_safetensors_holdsTensorsOfTheCheckpoint()
{
    QFETCH(QString, weights);
    QFETCH(QString, prefix);
    const QString target = toText(m_folder / "weights.safetensors");
    const Outcome outcome =
        runProgram({"export", m_run, "--weights", weights, "--safetensors", target});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    for (const char* layer : {"conv1", "conv2", "logits"}) {
        for (const char* part : {".weight", ".bias"}) {
            const QString name = QString(layer) + part;
            const QByteArray exported = tensorIn(target, name);
            QVERIFY(!exported.isEmpty());
            QCOMPARE(exported, tensorIn(m_checkpoint, prefix + name));
        }
    }
    // conv1: 16 filters of 3 x 5 x 5, float32.
    QCOMPARE(tensorIn(target, "conv1.weight").size(), 16 * 3 * 5 * 5 * 4);
    QVERIFY(tensorIn(target, "moving_average.conv1.weight").isEmpty());
    QVERIFY(
        tensorIn(m_checkpoint, "conv1.weight")
        != tensorIn(m_checkpoint, "moving_average.conv1.weight"));
}

void TestCommands::findLr_smallModel_suggestsWhatItTried()
{
    const QStringList search{"find-lr", "--model", LOCKSTEP_SMALL_MODEL, "--batch-per-tower", "16"};
    const Outcome outcome = runProgram(search + QStringList{"--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QJsonObject found = outcome.events().first();
    const double suggested = found["suggested_rate"].toDouble();
    QVERIFY(suggested > 0.0);
    double atIt = -1.0;
    double atATenth = -1.0;
    for (const QJsonValue& trial : found["trials"].toArray()) {
        const double rate = trial["rate"].toDouble();
        atIt = rate == suggested ? trial["cross_entropy"].toDouble() : atIt;
        atATenth =
            qFuzzyCompare(10.0 * rate, suggested) ? trial["cross_entropy"].toDouble() : atATenth;
    }
    QVERIFY(atIt > 0.0 && atIt < atATenth);
    const QJsonArray sweep = found["sweep"].toArray();
    QCOMPARE(sweep.first()["rate"].toDouble(), 1e-5);
    QVERIFY(sweep.size() > 10 && sweep.last()["rate"].toDouble() < 10.0);
    const QByteArray text = runProgram(search).out;
    QVERIFY(text.contains(
        QByteArray::number(suggested) + " was tried for "
        + QByteArray::number(found["trial_steps"].toInt()) + " steps"));
    QVERIFY(text.endsWith(
        "suggested: learning_rate.initial = " + QByteArray::number(suggested) + "\n"));
}

void TestCommands::findLr_oneRateForAll_suggestsNothing()
{
    const Outcome outcome = runProgram(
        {"find-lr", "--model", LOCKSTEP_SMALL_MODEL, "--batch-per-tower", "8", "--steps", "10",
         "--set", "optimizer.clip_norm=1e-12", "--set", "optimizer.weight_decay=0"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.out.contains("no suggestion"));
}

void TestCommands::export_unwritableTarget_isNamed()
{
    for (const char* flag : {"--csv", "--safetensors"}) {
        const QString target = m_checkpoint + "/below-a-file";
        const Outcome outcome = runProgram({"export", m_run, flag, target});
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY2(outcome.err.contains(target.toUtf8()), outcome.err.constData());
    }
}

void TestCommands::download_dataThatIsThere_isLeftAlone()
{
    const Outcome outcome =
        runProgram({"download", "cifar10", "--data", toText(m_folder / "data")});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.out.trimmed(), toText(m_folder / "data" / "cifar-10-batches-bin").toUtf8());
}

LOCKSTEP_TEST(TestCommands)
#include "test_commands.moc"
