// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QJsonArray>
#include <QRegularExpression>

#include <filesystem>
#include <fstream>
#include <set>

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// A file system of its own, of so many kilobytes; needs the right to mount.
class SmallDisk
{
public:
    explicit SmallDisk(const fs::path& folder, int kilobytes, const char* options = "")
        : m_folder(folder)
    {
        fs::create_directory(folder);
        QProcess mount;
        mount.start(
            "mount", {"-t", "tmpfs", "-o", QString("size=%1k%2").arg(kilobytes).arg(options),
                      "lockstep-test", toText(folder)});
        m_isMounted = mount.waitForFinished() && mount.exitStatus() == QProcess::NormalExit
                      && mount.exitCode() == 0;
        m_reason = mount.readAllStandardError().trimmed() + mount.errorString().toUtf8();
    }
    ~SmallDisk()
    {
        if (m_isMounted) {
            QProcess::execute("umount", {"--lazy", toText(m_folder)});
        }
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool isMounted() const { return m_isMounted; }
    [[nodiscard]] const QByteArray& reason() const { return m_reason; }

private:
    fs::path m_folder;
    bool m_isMounted = false;
    QByteArray m_reason;
};

std::set<std::string> filesIn(const fs::path& folder)
{
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        names.insert(entry.path().filename().string());
    }
    return names;
}

/// The last line of standard error.
QByteArray lastLine(const Outcome& outcome)
{
    return outcome.err.trimmed().split('\n').last();
}

} // namespace

/// Checkpoints outlive whatever happens after them.
class TestCheckpoints : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void training_everyKSteps_keepsTheNewest();
    void damagedCheckpoint_isNamedAndNotEvaluated();
    void damagedCheckpoint_resume_takesTheOneBefore();
    void learningRateTooHigh_stopsBeforeTheUpdate();
    void learningRateTooHigh_resumesWithALowerOne();
    void fullDisk_isToldAndLosesNothing();
    void readOnlyDisk_isRefused();
    void resume_withOtherTowers_takesThem();
    void resume_withGlobalBatch_replacesTheBatchOfATower();
    void resume_withConfigurationFile_takesBatchAndThreadsFromIt();

private:
    [[nodiscard]] QStringList training(const fs::path& run, int steps) const
    {
        return smallTraining(m_data, run, steps);
    }

    TemporaryFolder m_folder;
    fs::path m_data;
};

void TestCheckpoints::initTestCase()
{
    m_data = m_folder / "data";
    writeCifar10Folder(m_data, 20);
}

void TestCheckpoints::training_everyKSteps_keepsTheNewest()
{
    const fs::path run = m_folder / "kept";
    const Outcome outcome = runProgram(
        training(run, 9)
        + QStringList{"--json", "--set", "checkpoint.every_steps=2", "--set", "checkpoint.keep=3"});
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(outcome.events("checkpoint").size(), 6); // 0, 2, 4, 6, 8 and the end, 9
    QCOMPARE(
        filesIn(run / "checkpoints"),
        std::set<std::string>(
            {"step-000000006.safetensors", "step-000000008.safetensors",
             "step-000000009.safetensors"}));
}

void TestCheckpoints::damagedCheckpoint_isNamedAndNotEvaluated()
{
    const fs::path file = m_folder / "kept" / "checkpoints" / "step-000000009.safetensors";
    fs::resize_file(file, fs::file_size(file) - 1);
    const Outcome outcome = runProgram({"evaluate", "--checkpoint", toText(file)});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(lastLine(outcome).contains(toText(file).toUtf8()), outcome.err.constData());
    QVERIFY(outcome.out.isEmpty());
}

void TestCheckpoints::damagedCheckpoint_resume_takesTheOneBefore()
{
    const QString run = toText(m_folder / "kept");
    const Outcome outcome =
        runProgram({"train", "--run", run, "--resume", "--steps", "10", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").first()["step"].toInt(), 8);
    QVERIFY(outcome.out.contains("step-000000009.safetensors"));
}

void TestCheckpoints::learningRateTooHigh_stopsBeforeTheUpdate()
{
    const fs::path run = m_folder / "diverged";
    const Outcome outcome = runProgram(
        training(run, 50) + QStringList{"--json", "--set", "learning_rate.initial=1e20"});
    QCOMPARE(outcome.exitCode, 1);
    const QByteArray error = lastLine(outcome);
    static const QRegularExpression fault(R"(^lockstep-train: step (\d+), tower \d)");
    const auto match = fault.match(QString::fromUtf8(error));
    QVERIFY2(match.hasMatch(), outcome.err.constData());
    QCOMPARE(outcome.err.count('\n'), 1);
    // The step at fault is not among those that were done.
    QCOMPARE(outcome.events("step").last()["step"].toInt() + 1, match.captured(1).toInt());
    const fs::path checkpoint = run / "checkpoints" / "step-000000000.safetensors";
    QVERIFY2(error.contains(toText(checkpoint).toUtf8()), error.constData());
    const Outcome evaluated =
        runProgram({"evaluate", "--checkpoint", toText(checkpoint), "--json"});
    QCOMPARE(evaluated.exitCode, 0);
    QVERIFY(evaluated.events().first()["loss"].toDouble() > 0.0);
}

void TestCheckpoints::learningRateTooHigh_resumesWithALowerOne()
{
    const Outcome outcome = runProgram(
        {"train", "--run", toText(m_folder / "diverged"), "--resume", "--set",
         "learning_rate.initial=0.01", "--steps", "5", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").size(), 5);
}

void TestCheckpoints::fullDisk_isToldAndLosesNothing()
{
    constexpr int kKilobytes = 700; // some checkpoints of 75 kB and the run store
    const fs::path disk = m_folder / "disk";
    const SmallDisk mounted(disk, kKilobytes);
    if (!mounted.isMounted()) {
        QSKIP(("no small disk could be mounted: " + mounted.reason()).constData());
    }
    const fs::path run = disk / "run";
    const Outcome outcome = runProgram(
        training(run, 1000)
        + QStringList{
            "--json", "--set", "checkpoint.every_steps=1", "--set", "checkpoint.keep=1000"});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.err.count('\n') == 1, outcome.err.constData());
    QVERIFY2(outcome.err.contains(toText(run).toUtf8()), outcome.err.constData());
    const auto checkpoints = outcome.events("checkpoint");
    QVERIFY(checkpoints.size() >= 2);
    for (const QJsonObject& checkpoint : checkpoints) {
        const Outcome inspected = runProgram({"inspect", checkpoint["file"].toString(), "--json"});
        QVERIFY2(inspected.exitCode == 0, inspected.text().constData());
        QCOMPARE(inspected.events().first()["step"].toInt(-1), checkpoint["step"].toInt());
    }
    for (const std::string& name : filesIn(run / "checkpoints")) {
        QVERIFY2(name.ends_with(".safetensors") || name.ends_with(".tmp"), name.c_str());
    }
}

void TestCheckpoints::readOnlyDisk_isRefused()
{
    const fs::path disk = m_folder / "read-only";
    const SmallDisk mounted(disk, 100, ",ro");
    if (!mounted.isMounted()) {
        QSKIP(("no read-only disk could be mounted: " + mounted.reason()).constData());
    }
    const Outcome outcome = runProgram(training(disk / "run", 2));
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.err.count('\n') == 1, outcome.err.constData());
    QVERIFY2(outcome.err.contains(toText(disk / "run").toUtf8()), outcome.err.constData());
}

void TestCheckpoints::resume_withOtherTowers_takesThem()
{
    const fs::path run = m_folder / "towers";
    QCOMPARE(
        runProgram(training(run, 2) + QStringList{"--set", "threads_per_tower=1"}).exitCode, 0);
    const Outcome outcome = runProgram(
        {"train", "--run", toText(run), "--resume", "--towers", "3", "--steps", "4", "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const auto steps = outcome.events("step");
    QCOMPARE(steps.size(), 2);
    QCOMPARE(steps.first()["loss_tower"].toArray().size(), 3);
    // 2 steps of 16, then 2 of 24: no example is left out or seen twice.
    QCOMPARE(steps.last()["examples"].toInt(), 2 * 16 + 2 * 24);
}

void TestCheckpoints::resume_withGlobalBatch_replacesTheBatchOfATower()
{
    const fs::path run = m_folder / "batch";
    QCOMPARE(runProgram(training(run, 1)).exitCode, 0);
    const Outcome outcome = runProgram(
        {"train", "--run", toText(run), "--resume", "--global-batch", "20", "--steps", "2",
         "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").first()["examples"].toInt(), 16 + 20);
}

void TestCheckpoints::resume_withConfigurationFile_takesBatchAndThreadsFromIt()
{
    const fs::path run = m_folder / "file";
    QCOMPARE(runProgram(training(run, 1)).exitCode, 0);
    const fs::path file = m_folder / "more.toml";
    std::ofstream(file) << "towers = 4\nglobal_batch = 20\nthreads_per_tower = 3\nsteps = 2\n";
    const Outcome outcome =
        runProgram({"train", "--run", toText(run), "--resume", "--config", toText(file), "--json"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(outcome.events("step").first()["examples"].toInt(), 16 + 20);
    const QJsonObject started = outcome.events("started").first();
    QCOMPARE(started["configuration"]["threads_per_tower"].toInt(), 3);
    QCOMPARE(started["configuration"]["batch_per_tower"].toInt(), 5);
}

LOCKSTEP_TEST(TestCheckpoints)
#include "test_checkpoints.moc"
