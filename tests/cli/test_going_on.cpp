// SPDX-License-Identifier: Apache-2.0
#include "cli/background.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/other_head.h"
#include "support/temporary_folder.h"

#include <csignal>
#include <unistd.h>

#include <fstream>

using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

/// Runs the program as a user who owns nothing.
Outcome runAsNobody(const QStringList& arguments, const fs::path& home)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HOME", toText(home));
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier([] {
        if (::setresgid(kNobody, kNobody, kNobody) != 0
            || ::setresuid(kNobody, kNobody, kNobody) != 0) {
            ::_exit(99);
        }
    });
    process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
    process.waitForFinished(60'000);
    return {
        process.exitStatus() == QProcess::NormalExit, process.exitCode(),
        process.readAllStandardOutput(), process.readAllStandardError()};
}

QList<double> lossesOf(const Outcome& outcome)
{
    QList<double> losses;
    for (const QJsonObject& step : outcome.events("step")) {
        losses << step["loss_mean"].toDouble();
    }
    return losses;
}

} // namespace

/// How a training goes on: after a stop, on a branch, with other people's hands off it.
class TestGoingOn : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void resume_ofNoRun_startsAtStep0AndSaysSo();
    void resume_afterAKillInTheMaking_starts();
    void branch_fromACheckpoint_isBitIdentical();
    void branch_fromACheckpoint_hasItsLearningRate();
    void branch_withAnotherSeed_isRefusedWithTheReason();
    void resume_withFewerSteps_isRefused();
    void resume_fromAnotherFolder_findsModelAndData();
    void resume_withAnEditedModel_isRefused();
    void hangUp_savesAndStops();
    void train_thatNobodyReads_goesOn_data();
    void train_thatNobodyReads_goesOn();
    void weightsFrom_aRun_startsAtStep0();
    void weightsFrom_aRun_underAnotherHead_saysWhatBeginsAnew();
    void weightsFrom_anotherModel_leavesItsSettings();
    void control_pausesSavesAndStops();
    void control_paused_obeysASignal();
    void secondWriter_isRefused();
    void pin_keepsACheckpoint();
    void preflight_isOnTheTerminal();
    void otherUsersFolder_isRefused();
    void otherUsersRun_canBeReadOrSaysWhyNot();

private:
    [[nodiscard]] QStringList training(const std::string& run, int steps) const
    {
        return smallTraining(m_folder / "data", m_folder / run, steps) << "--json";
    }

    TemporaryFolder m_folder;
};

void TestGoingOn::initTestCase()
{
    writeCifar10Folder(m_folder / "data", 20);
}

void TestGoingOn::resume_ofNoRun_startsAtStep0AndSaysSo()
{
    const Outcome outcome = runProgram(training("none", 3) << "--resume");
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").first()["step"].toInt(-1), 0);
    QVERIFY2(outcome.err.contains("starting at step 0"), outcome.err.constData());
    const Outcome again = runProgram(training("none", 5) << "--resume");
    QCOMPARE(again.events("step").first()["step"].toInt(-1), 3);
    QVERIFY(again.err.isEmpty());
}

void TestGoingOn::resume_afterAKillInTheMaking_starts()
{
    const fs::path run = m_folder / "half-made";
    fs::create_directory(run);
    std::ofstream(run / "run.lock") << "4711\n";
    std::ofstream(run / "run.toml.tmp") << "towers =";
    const Outcome outcome = runProgram(training("half-made", 2) << "--resume");
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(!fs::exists(run / "run.toml.tmp"));
}

void TestGoingOn::branch_fromACheckpoint_isBitIdentical()
{
    const QStringList settings{
        "--set", "checkpoint.every_steps=100", "--set", "evaluate.at_end=false"};
    const Outcome straight = runProgram(training("straight", 200) + settings);
    QCOMPARE(runProgram(training("branched", 150) + settings).exitCode, 0);
    const QString run = toText(m_folder / "branched");
    const QString checkpoint = run + "/checkpoints/step-000000100.safetensors";
    const Outcome branch = runProgram(
        {"train", "--run", run, "--resume", checkpoint, "--steps", "200", "--json", "--set",
         "input.threads=5"});
    QVERIFY2(branch.exitCode == 0, branch.text().constData());
    QCOMPARE(lossesOf(branch), lossesOf(straight).sliced(100));
    const Outcome csv = runProgram({"export", run, "--csv", "-"});
    QCOMPARE(csv.out.count('\n'), 201);
    const Outcome all = runProgram({"export", run, "--csv", "-", "--all-branches"});
    QCOMPARE(all.out.count('\n'), 1 + 150 + 100);
    QVERIFY(all.out.startsWith("branch,step,"));
}

void TestGoingOn::branch_fromACheckpoint_hasItsLearningRate()
{
    const QString run = toText(m_folder / "rates");
    const QString checkpoint = run + "/checkpoints/step-000000004.safetensors";
    const auto rateOf = [&](const QStringList& more) {
        const Outcome outcome = runProgram(QStringList{"train", "--run", run, "--json"} + more);
        const auto steps = outcome.events("step");
        return steps.isEmpty() ? outcome.text().toDouble()
                               : steps.first()["learning_rate"].toDouble();
    };
    QCOMPARE(runProgram(training("rates", 4)).exitCode, 0);
    const QString rate = "learning_rate.initial=";
    QCOMPARE(rateOf({"--resume", "--steps", "5", "--set", rate + "0.05"}), 0.05);
    QCOMPARE(rateOf({"--resume", "--steps", "6"}), 0.05);
    QCOMPARE(rateOf({"--resume", checkpoint, "--steps", "6"}), 0.1);
    QCOMPARE(rateOf({"--resume", "--steps", "7"}), 0.1);
    QCOMPARE(rateOf({"--resume", checkpoint, "--steps", "6", "--set", rate + "0.02"}), 0.02);
}

void TestGoingOn::branch_withAnotherSeed_isRefusedWithTheReason()
{
    const Outcome outcome =
        runProgram({"train", "--run", toText(m_folder / "branched"), "--resume", "--seed", "5"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(
        outcome.err.contains("seed") && outcome.err.contains("order of the examples"),
        outcome.err.constData());
}

void TestGoingOn::resume_withFewerSteps_isRefused()
{
    const QString run = toText(m_folder / "branched");
    const Outcome outcome = runProgram({"train", "--run", run, "--resume", "--steps", "20"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(
        outcome.err.contains("steps is 20") && outcome.err.contains("200"),
        outcome.err.constData());
    const QJsonObject inspected = runProgram({"inspect", run, "--json"}).events().constFirst();
    QCOMPARE(inspected["configuration"]["steps"].toInt(), 200);
    QCOMPARE(inspected["state"].toString(), QString("finished"));
    QCOMPARE(inspected["branches"].toArray().size(), 2);
}

void TestGoingOn::resume_fromAnotherFolder_findsModelAndData()
{
    fs::copy_file(LOCKSTEP_SMALL_MODEL, m_folder / "net.toml");
    QStringList arguments = smallTraining(fs::path("data"), fs::path("moved"), 2);
    arguments.replace(arguments.indexOf("--model") + 1, "net.toml");
    QProcess process;
    process.setWorkingDirectory(toText(m_folder.path()));
    process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 0);
    const Outcome outcome = runProgram(
        {"train", "--run", toText(m_folder / "moved"), "--resume", "--steps", "4", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").size(), 2);
}

void TestGoingOn::resume_withAnEditedModel_isRefused()
{
    std::ofstream(m_folder / "net.toml", std::ios::app) << "\n# changed\n";
    const Outcome outcome =
        runProgram({"train", "--run", toText(m_folder / "moved"), "--resume", "--steps", "6"});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.err.contains("was changed since"), outcome.err.constData());
    // The same file under another name is the same model.
    fs::copy_file(LOCKSTEP_SMALL_MODEL, m_folder / "same.toml");
    const Outcome same = runProgram(
        {"train", "--run", toText(m_folder / "moved"), "--resume", "--steps", "6", "--model",
         toText(m_folder / "same.toml")});
    QVERIFY2(same.exitCode == 0, same.text().constData());
}

void TestGoingOn::hangUp_savesAndStops()
{
    Background training(this->training("hung-up", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    training.signal(SIGHUP);
    QCOMPARE(training.finish(), 1);
    QVERIFY(training.says("\"stopped\""));
}

void TestGoingOn::train_thatNobodyReads_goesOn_data()
{
    QTest::addColumn<QString>("pipe");
    QTest::newRow("results") << " 2>/dev/null | head -n 1";
    QTest::newRow("results and notes") << " 2>&1 | head -n 1";
    QTest::newRow("a full disk") << " > /dev/full";
}

void TestGoingOn::train_thatNobodyReads_goesOn()
{
    QFETCH(const QString, pipe);
    const std::string run = std::string("unread ") + QTest::currentDataTag();
    QStringList line{LOCKSTEP_TRAIN_PROGRAM};
    line += training(run, 40);
    for (QString& word : line) {
        word = "'" + word + "'";
    }
    QProcess shell;
    shell.start("bash", {"-c", "set -o pipefail; " + line.join(' ') + pipe});
    QVERIFY(shell.waitForFinished(60'000));
    QCOMPARE(shell.exitCode(), 0);
    const Outcome again = runProgram(training(run, 41) << "--resume");
    QCOMPARE(again.events("step").first()["step"].toInt(-1), 40);
}

void TestGoingOn::weightsFrom_aRun_startsAtStep0()
{
    const Outcome outcome = runProgram(
        training("tuned", 3)
        + QStringList{"--weights-from", toText(m_folder / "straight"), "--fresh-layer", "logits"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").first()["step"].toInt(-1), 0);
    QVERIFY(outcome.out.contains("fine-tuning"));
    // Every tensor is told, and why two of them were not taken.
    const QJsonObject told = outcome.events("initial_weights").first();
    QCOMPARE(told["weights"].toString(), QString("average"));
    QCOMPARE(told["model"].toString(), QString("small"));
    QMap<QString, QString> reasons;
    for (const QJsonValue& tensor : told["tensors"].toArray()) {
        QCOMPARE(tensor["is_taken"].toBool(), tensor["reason"].toString().isEmpty());
        reasons[tensor["name"].toString()] = tensor["reason"].toString();
    }
    const QString fresh = "named in fresh_layers";
    QCOMPARE(
        reasons, (QMap<QString, QString>{
                     {"conv1.weight", ""},
                     {"conv1.bias", ""},
                     {"conv2.weight", ""},
                     {"conv2.bias", ""},
                     {"logits.weight", fresh},
                     {"logits.bias", fresh}}));
}

void TestGoingOn::weightsFrom_aRun_underAnotherHead_saysWhatBeginsAnew()
{
    QStringList arguments = training("other-head", 2);
    arguments.removeAll("--json");
    arguments[arguments.indexOf("--model") + 1] = toText(writeOtherHead(m_folder.path()));
    const QString source = "initial_weights.checkpoint=" + toText(m_folder / "straight");
    const Outcome outcome = runProgram(arguments << "--set" << source);
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QByteArray said = outcome.text();
    QVERIFY2(said.contains("4 of 6 tensors"), said.constData());
    QVERIFY2(said.contains("logits.bias: shape 14 here, 10 there"), said.constData());
    QVERIFY2(said.contains("check: weights    passed"), said.constData());
    const Outcome inspected = runProgram({"inspect", toText(m_folder / "other-head")});
    QVERIFY2(inspected.out.contains("conv1.weight [16x3x5x5]: taken"), inspected.out.constData());
}

void TestGoingOn::weightsFrom_anotherModel_leavesItsSettings()
{
    const QString source = toText(m_folder / "detector");
    const Outcome detector = runProgram(
        {"train",
         "--model",
         "segdecnet",
         "--set",
         "model.input_height=128",
         "--set",
         "model.input_width=64",
         "--dataset",
         "synthetic_defects",
         "--steps",
         "0",
         "--towers",
         "1",
         "--batch-per-tower",
         "2",
         "--device",
         "cpu",
         "--set",
         "evaluate.at_end=false",
         "--run",
         source});
    QVERIFY2(detector.exitCode == 0, detector.text().constData());
    const Outcome outcome = runProgram(training("none-fits", 1) << "--weights-from" << source);
    QCOMPARE(outcome.exitCode, 2);
    // And not that it has no input_height.
    QVERIFY2(outcome.err.contains("nothing of it fits model 'small'"), outcome.err.constData());
    // What is given stays, of the same model also what is not.
    const auto refusal = [&](const QStringList& more) {
        return runProgram(
                   QStringList{
                       "train", "--weights-from", source, "--dataset", "synthetic", "--run",
                       toText(m_folder / "refused")}
                   + more)
            .err;
    };
    const QByteArray same = refusal({});
    QVERIFY2(same.contains("model 'segdecnet' learns from masks"), same.constData());
    const QByteArray given = refusal({"--model", "cifar10", "--set", "model.input_height=64"});
    QVERIFY2(given.contains("model.input_height is set"), given.constData());
}

void TestGoingOn::control_pausesSavesAndStops()
{
    const QString run = toText(m_folder / "controlled");
    Background training(this->training("controlled", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    const auto control = [&](const QString& command) {
        return runProgram({"control", run, command, "--json"});
    };
    QCOMPARE(control("pause").exitCode, 0);
    QVERIFY(training.says("\"paused\""));
    const int step = control("status").events().first()["step"].toInt();
    QCOMPARE(control("status").events().first()["state"].toString(), QString("paused"));
    QCOMPARE(control("save").exitCode, 0);
    const fs::path file =
        m_folder / "controlled" / "checkpoints"
        / QStringLiteral("step-%1.safetensors").arg(step, 9, 10, QLatin1Char('0')).toStdString();
    QTRY_VERIFY(fs::exists(file));
    QCOMPARE(control("status").events().first()["step"].toInt(), step);
    QCOMPARE(control("resume").exitCode, 0);
    QVERIFY(training.says("\"resumed\""));
    QCOMPARE(control("stop").exitCode, 0);
    QCOMPARE(training.finish(), 1);
    const Outcome late = control("status");
    QCOMPARE(late.exitCode, 2);
    QVERIFY2(late.err.contains("no process is training"), late.err.constData());
}

void TestGoingOn::control_paused_obeysASignal()
{
    Background training(this->training("signalled", 1'000'000));
    QVERIFY(training.says("\"step\":5,"));
    QCOMPARE(runProgram({"control", toText(m_folder / "signalled"), "pause"}).exitCode, 0);
    QVERIFY(training.says("\"paused\""));
    training.signal(SIGTERM);
    QCOMPARE(training.finish(), 1);
    QVERIFY(training.says("\"stopped\""));
}

void TestGoingOn::secondWriter_isRefused()
{
    Background first(training("shared", 1'000'000));
    QVERIFY(first.says("\"step\":5,"));
    const Outcome second = runProgram(training("shared", 10) << "--resume");
    QCOMPARE(second.exitCode, 2);
    QVERIFY2(second.err.contains("is writing this run"), second.err.constData());
    QVERIFY(first.isRunning());
}

void TestGoingOn::pin_keepsACheckpoint()
{
    const QStringList settings{"--set", "checkpoint.every_steps=1", "--set", "checkpoint.keep=1"};
    QCOMPARE(runProgram(training("pinned", 2) + settings).exitCode, 0);
    const fs::path file = m_folder / "pinned" / "checkpoints" / "step-000000002.safetensors";
    QCOMPARE(runProgram({"pin", toText(file)}).exitCode, 0);
    QCOMPARE(runProgram(training("pinned", 5) + settings << "--resume").exitCode, 0);
    QVERIFY(fs::exists(file));
    QCOMPARE(runProgram({"pin", "--remove", toText(file)}).exitCode, 0);
    QCOMPARE(runProgram(training("pinned", 6) + settings << "--resume").exitCode, 0);
    QVERIFY(!fs::exists(file));
}

void TestGoingOn::preflight_isOnTheTerminal()
{
    QStringList arguments = training("checked", 1);
    const Outcome json = runProgram(arguments);
    QCOMPARE(json.events("preflight").size(), 6);
    QCOMPARE(json.events("preflight").first()["result"].toString(), QString("passed"));
    arguments.removeLast();
    const Outcome text = runProgram(arguments << "--resume");
    QCOMPARE(text.err.count("check: "), 6);
}

void TestGoingOn::otherUsersFolder_isRefused()
{
    if (::geteuid() != 0) {
        QSKIP("only root can act as another user");
    }
    fs::permissions(m_folder.path(), fs::perms(0755));
    const fs::path folder = m_folder / "roots";
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms(0755));
    const Outcome fresh = runAsNobody(smallTraining(m_folder / "data", folder / "run", 2), folder);
    QVERIFY2(fresh.exitCode == 1, fresh.text().constData());
    QVERIFY2(fresh.err.contains(toText(folder / "run").toUtf8()), fresh.err.constData());
    QCOMPARE(fresh.err.count('\n'), 1);
    QCOMPARE(runProgram(smallTraining(m_folder / "data", folder / "run", 2)).exitCode, 0);
    const Outcome resumed =
        runAsNobody({"train", "--run", toText(folder / "run"), "--resume", "--steps", "4"}, folder);
    QVERIFY2(resumed.exitCode == 1, resumed.text().constData());
    QVERIFY2(resumed.err.contains(toText(folder / "run").toUtf8()), resumed.err.constData());
}

void TestGoingOn::otherUsersRun_canBeReadOrSaysWhyNot()
{
    if (::geteuid() != 0) {
        QSKIP("only root can act as another user");
    }
    const fs::path run = m_folder / "roots" / "run";
    const Outcome readable = runAsNobody({"inspect", toText(run)}, m_folder / "roots");
    QVERIFY2(readable.exitCode == 0, readable.text().constData());
    fs::permissions(run, fs::perms(0700));
    const Outcome closed = runAsNobody({"inspect", toText(run)}, m_folder / "roots");
    QVERIFY2(closed.isExited && closed.exitCode != 0, closed.text().constData());
    QVERIFY2(closed.err.contains(toText(run).toUtf8()), closed.err.constData());
}

LOCKSTEP_TEST(TestGoingOn)
#include "test_going_on.moc"
