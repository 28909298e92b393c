// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"

#include <QScopeGuard>

#include <filesystem>
#include <fstream>
#include <map>

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

/// Every file below a folder with its bytes.
std::map<std::string, std::string> contentOf(const fs::path& folder)
{
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            std::ifstream file(entry.path(), std::ios::binary);
            content[entry.path().string()].assign(
                std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
    }
    return content;
}

} // namespace

/// Whatever is wrong: one line on standard error that names it, a status that is not 0, nothing on
/// standard output, no run folder, and what was there is as it was.
class TestBadInput : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void commandLine_isWrong_oneLineNamesIt_data();
    void commandLine_isWrong_oneLineNamesIt();
    void setting_isWrong_oneLineNamesIt_data();
    void setting_isWrong_oneLineNamesIt();
    void precision_thatTheDeviceLacks_isRefusedWithTheReason();
    void dataset_isDamaged_oneLineNamesTheFile_data();
    void dataset_isDamaged_oneLineNamesTheFile();
    void configurationFile_isWrong_oneLineNamesFileAndKey_data();
    void configurationFile_isWrong_oneLineNamesFileAndKey();
    void runFolder_belowAFile_isRefused();
    void runFolder_withOtherFiles_isRefused();
    void existingRun_withoutResume_isRefusedAndUntouched();
    void checkpoint_ofAnotherModel_isRefused();

private:
    /// A training that would succeed, with the run in a folder that is not there yet.
    [[nodiscard]] QStringList training() const
    {
        return smallTraining(m_folder / "data", m_folder / "run", 2);
    }
    void expectRefusal(const Outcome& outcome, int exitCode, const QStringList& mentions) const;

    TemporaryFolder m_folder;
};

void TestBadInput::expectRefusal(
    const Outcome& outcome, int exitCode, const QStringList& mentions) const
{
    QVERIFY2(outcome.isExited, outcome.text().constData());
    QVERIFY2(outcome.exitCode == exitCode, outcome.text().constData());
    QVERIFY2(outcome.err.startsWith("lockstep-train: "), outcome.text().constData());
    QVERIFY2(
        outcome.err.count('\n') == 1 && outcome.err.endsWith('\n'), outcome.text().constData());
    QVERIFY2(outcome.out.isEmpty(), outcome.text().constData());
    for (const QString& mention : mentions) {
        QVERIFY2(outcome.err.contains(mention.toUtf8()), qPrintable(mention + "\n" + outcome.err));
    }
    QVERIFY(!fs::exists(m_folder / "run"));
}

void TestBadInput::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 20);
    const Outcome outcome = runProgram(smallTraining(m_folder / "data", m_folder / "existing", 2));
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
}

void TestBadInput::commandLine_isWrong_oneLineNamesIt_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QStringList>("mentions");
    QTest::newRow("flag with a slip")
        << QStringList{"train", "--stepps", "3"}
        << QStringList{"unknown flag '--stepps'; did you mean '--steps'?"};
    QTest::newRow("command with a slip")
        << QStringList{"trian"} << QStringList{"did you mean 'train'?"};
    QTest::newRow("control with a slip")
        << QStringList{"control", toText(m_folder / "existing"), "pauze"}
        << QStringList{"did you mean 'pause'?"};
    const QString nothing = toText(m_folder / "nothing");
    const auto row = [](const char* name, const QStringList& arguments,
                        const QStringList& mentions) {
        QTest::newRow(name) << arguments << mentions;
    };
    row("no command", {}, {"--help"});
    row("unknown command", {"trian"}, {"'trian'", "train"});
    row("unknown flag", {"train", "--tower", "2"}, {"--tower"});
    row("flag without value", {"train", "--towers"}, {"--towers"});
    row("resume without run", {"train", "--resume"}, {"--run"});
    row("fresh layer of nothing", {"train", "--fresh-layer", "conv1"}, {"--weights-from"});
    row("weights from nothing", {"train", "--weights-from", nothing}, {nothing});
    row("weights and a state", {"train", "--run", nothing, "--resume", "--weights-from", nothing},
        {"--weights-from", "--resume"});
    row("control of nothing", {"control", nothing, "stop"}, {nothing});
    row("control in no way", {"control", nothing, "dance"}, {"dance"});
    row("pin of nothing", {"pin", nothing}, {nothing});
    row("resume from no checkpoint",
        {"train", "--run", nothing, "--resume", nothing + ".safetensors"},
        {nothing + ".safetensors"});
    row("evaluate nothing", {"evaluate"}, {"--checkpoint"});
    row("evaluate no checkpoint", {"evaluate", "--checkpoint", nothing}, {nothing});
    row("evaluate on 0 towers",
        {"evaluate", "--checkpoint", toText(m_folder / "existing"), "--towers", "0"},
        {"towers is 0"});
    row("evaluate other weights",
        {"evaluate", "--checkpoint", toText(m_folder / "existing"), "--weights", "best"}, {"best"});
    row("evaluate on cuda",
        {"evaluate", "--checkpoint", toText(m_folder / "existing"), "--device", "cuda"}, {"cuda"});
    row("bench on 0 towers", {"bench", "--towers", "0"}, {"towers is 0"});
    row("selftest of no device", {"selftest", "--device", "tpu"}, {"tpu", "cpu"});
    row("inspect nothing", {"inspect"}, {"PATH", "--model"});
    row("inspect no model", {"inspect", "--model", "lenet"}, {"lenet", "cifar10"});
    row("inspect no path", {"inspect", nothing}, {nothing});
    row("export nowhere", {"export", toText(m_folder / "existing")}, {"--csv", "--safetensors"});
    row("export no run", {"export", nothing, "--csv", "-"}, {nothing});
    row("export no checkpoint", {"export", nothing, "--safetensors", "x"}, {nothing});
    row("download what", {"download", "mnist"}, {"mnist", "cifar10"});
}

void TestBadInput::commandLine_isWrong_oneLineNamesIt()
{
    QFETCH(QStringList, arguments);
    QFETCH(QStringList, mentions);
    expectRefusal(runProgram(arguments), kBadUsage, mentions);
    QVERIFY(!fs::exists(m_folder / "nothing"));
}

void TestBadInput::setting_isWrong_oneLineNamesIt_data()
{
    QTest::addColumn<QStringList>("flags");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const char* name, const QStringList& flags, const QStringList& mentions) {
        QTest::newRow(name) << flags << mentions;
    };
    row("towers 0", {"--towers", "0"}, {"towers is 0"});
    row("towers -1", {"--towers", "-1"}, {"towers is -1"});
    row("towers not a number", {"--towers", "two"}, {"towers", "'two'"});
    row("batch 0", {"--batch-per-tower", "0"}, {"batch_per_tower is 0"});
    row("global batch 0", {"--batch-per-tower", "4", "--global-batch", "0"}, {"global_batch is 0"});
    row("both batches, not matching", {"--global-batch", "12"},
        {"batch_per_tower", "global_batch"});
    row("steps -1", {"--steps", "-1"}, {"steps is -1"});
    row("seed -1", {"--seed", "-1"}, {"seed", "-1"});
    row("unknown key", {"--set", "learning_rate.inital=1"},
        {"'learning_rate.inital'", "'learning_rate.initial'"});
    row("set without value", {"--set", "towers"}, {"towers", "key=value"});
    row("set nothing", {"--set", "towers="}, {"towers"});
    row("rate not a number", {"--set", "learning_rate.initial=nan"}, {"learning_rate.initial"});
    row("keep 0", {"--set", "checkpoint.keep=0"}, {"checkpoint.keep is 0"});
    row("unknown data set", {"--dataset", "mnist"}, {"mnist", "cifar10", "synthetic"});
    row("unknown model", {"--model", "lenet"}, {"lenet", "cifar10"});
    row("missing model file", {"--model", "lenet.toml"}, {"lenet.toml"});
    row("missing configuration", {"--config", "none.toml"}, {"none.toml"});
    row("unknown precision", {"--precision", "float16"}, {"float16", "float32"});
    row("missing folder", {"--data", "/no/such/folder"}, {"/no/such/folder"});
    row("unknown device", {"--device", "tpu"}, {"tpu", "cpu"});
    row("device that is not there", {"--device", "cuda:99"}, {"cuda:99"});
}

void TestBadInput::setting_isWrong_oneLineNamesIt()
{
    QFETCH(QStringList, flags);
    QFETCH(QStringList, mentions);
    // Given twice, the later one would be an error of its own: replace what is there.
    QStringList arguments = training();
    for (qsizetype i = 0; i + 1 < flags.size(); i += 2) {
        const qsizetype place = arguments.indexOf(flags[i]);
        if (place >= 0) {
            arguments[place + 1] = flags[i + 1];
        } else {
            arguments << flags[i] << flags[i + 1];
        }
    }
    // A flag that contradicts the batch of the base must stand alone.
    expectRefusal(runProgram(arguments), kBadUsage, mentions);
}

void TestBadInput::precision_thatTheDeviceLacks_isRefusedWithTheReason()
{
    expectRefusal(
        runProgram(training() + QStringList{"--precision", "tf32"}), kBadUsage,
        {"tf32", "cpu", "NVIDIA", "float32"});
}

void TestBadInput::dataset_isDamaged_oneLineNamesTheFile_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("damage");
    QTest::addColumn<QStringList>("mentions");
    for (const char* file : {"data_batch_3.bin", "test_batch.bin"}) {
        const auto row = [&](const char* damage, const QStringList& mentions) {
            QTest::addRow("%s %s", file, damage) << file << damage << mentions;
        };
        row("truncated", {"61459"});
        row("label", {"record 7", "label 10"});
        row("missing", {"missing"});
        row("empty", {});
    }
}

void TestBadInput::dataset_isDamaged_oneLineNamesTheFile()
{
    constexpr std::streamoff kRecordBytes = 3073;
    QFETCH(QString, file);
    QFETCH(QString, damage);
    QFETCH(QStringList, mentions);
    const TemporaryFolder folder;
    writeCifar10Folder(folder.path(), 20);
    const fs::path path = folder / file.toStdString();
    if (damage == "truncated") {
        fs::resize_file(path, 20 * kRecordBytes - 1);
    } else if (damage == "label") {
        std::fstream stream(path, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(7 * kRecordBytes);
        stream.put(10);
    } else if (damage == "missing") {
        fs::remove(path);
    } else {
        fs::resize_file(path, 0);
    }
    QStringList arguments = training();
    arguments[arguments.indexOf("--data") + 1] = toText(folder.path());
    expectRefusal(runProgram(arguments), kFailed, mentions << toText(path));
}

void TestBadInput::configurationFile_isWrong_oneLineNamesFileAndKey_data()
{
    addTextRows(
        {"text", "mention"},
        {{"unknown key", "chekpoint.every_steps = 10", "checkpoint.every_steps"},
         {"wrong type", "towers = \"two\"", "towers"},
         {"out of range", "towers = 5000000000", "towers"},
         {"no TOML", "steps = 10\ntowers 2", "line 2"}});
}

void TestBadInput::configurationFile_isWrong_oneLineNamesFileAndKey()
{
    QFETCH(QString, text);
    QFETCH(QString, mention);
    const TemporaryFolder folder;
    const fs::path file = folder / "wrong.toml";
    std::ofstream(file) << text.toStdString();
    expectRefusal(
        runProgram(training() << "--config" << toText(file)), kBadUsage, {toText(file), mention});
}

void TestBadInput::runFolder_belowAFile_isRefused()
{
    // Root may write anywhere, but not below a file.
    const fs::path run = m_folder / "data" / "test_batch.bin" / "run";
    QStringList arguments = training();
    arguments[arguments.indexOf("--run") + 1] = toText(run);
    const auto before = contentOf(m_folder / "data");
    const Outcome outcome = runProgram(arguments);
    expectRefusal(outcome, outcome.exitCode == kBadUsage ? kBadUsage : kFailed, {toText(run)});
    QCOMPARE(contentOf(m_folder / "data"), before);
}

void TestBadInput::runFolder_withOtherFiles_isRefused()
{
    const auto before = contentOf(m_folder / "data");
    QStringList arguments = training();
    arguments[arguments.indexOf("--run") + 1] = toText(m_folder / "data");
    expectRefusal(runProgram(arguments), kBadUsage, {toText(m_folder / "data")});
    QCOMPARE(contentOf(m_folder / "data"), before);
}

void TestBadInput::existingRun_withoutResume_isRefusedAndUntouched()
{
    const auto before = contentOf(m_folder / "existing");
    QVERIFY(before.size() >= 3);
    QStringList arguments = training();
    arguments[arguments.indexOf("--run") + 1] = toText(m_folder / "existing");
    expectRefusal(runProgram(arguments), kBadUsage, {toText(m_folder / "existing"), "--resume"});
    QCOMPARE(contentOf(m_folder / "existing"), before);
}

void TestBadInput::checkpoint_ofAnotherModel_isRefused()
{
    const fs::path checkpoint =
        m_folder / "existing" / "checkpoints" / "step-000000002.safetensors";
    QVERIFY(fs::exists(checkpoint));
    QStringList arguments = training();
    arguments[arguments.indexOf("--model") + 1] = "cifar10";
    arguments << "--resume" << toText(checkpoint);
    expectRefusal(runProgram(arguments), kBadUsage, {"'small'", "'cifar10'"});
}

LOCKSTEP_TEST(TestBadInput)
#include "test_bad_input.moc"
