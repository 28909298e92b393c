// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QDir>
#include <QFile>

#include <memory>

using namespace lockstep::test;

namespace {

QByteArray contentOf(const QString& file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
}

QStringList eventFiles(const QString& folder)
{
    QStringList files;
    for (const QString& name : QDir(folder).entryList({"events.out.tfevents.*"})) {
        files.append(folder + "/" + name);
    }
    return files;
}

} // namespace

/// What leaves a run for other programs, beside its weights: see test_commands.
class TestExport : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void tensorboard_ofARun_hasScalarsHistogramsAndPictures();
    void tensorboard_intoAFolderWithEvents_isRefused();
    void tensorboard_ofDamagedEvents_namesFileAndByte();
    void gradients_ofARun_areRowsOfLayers();
    void evaluations_ofARun_areThoseOfItsWeights();
    void allBranches_afterABranch_hasAColumnMore();
    void target_missingOrTooMany_isWrongUsage_data();
    void target_missingOrTooMany_isWrongUsage();
    void logits_ofSomeExamples_areWritten();

private:
    [[nodiscard]] QString path(const char* name) const { return toText(m_folder->path() / name); }

    std::unique_ptr<TemporaryFolder> m_folder;
};

void TestExport::init()
{
    m_folder = std::make_unique<TemporaryFolder>();
    writeCifar10Folder(*m_folder / "data" / "cifar-10-batches-bin", 20);
    const Outcome outcome = runProgram(
        smallTraining(*m_folder / "data", *m_folder / "run", 4)
        + QStringList{"--set", "events.every_steps=2", "--set", "checkpoint.every_steps=2"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
}

void TestExport::tensorboard_ofARun_hasScalarsHistogramsAndPictures()
{
    QCOMPARE(eventFiles(path("run/events")).size(), 1);
    const Outcome outcome = runProgram({"export", path("run"), "--tensorboard", path("board")});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(eventFiles(path("board")).size(), 1);
    const QByteArray events = contentOf(eventFiles(path("board")).first());
    QVERIFY(outcome.err.contains(eventFiles(path("board")).first().toUtf8()));
    QCOMPARE(events.count("loss/tower_1"), 4);
    // Everything is recorded of step 0, and of step 2 only if that came a second later.
    const auto whole = events.count("conv1/weights/gradients");
    QVERIFY(whole == 1 || whole == 2);
    QCOMPARE(events.count("\x89PNG"), 4 * whole);
}

void TestExport::tensorboard_intoAFolderWithEvents_isRefused()
{
    const Outcome outcome =
        runProgram({"export", path("run"), "--tensorboard", path("run/events")});
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.err.contains("choose another folder"));
    QCOMPARE(eventFiles(path("run/events")).size(), 1);
}

void TestExport::tensorboard_ofDamagedEvents_namesFileAndByte()
{
    const QString damaged = eventFiles(path("run/events")).first();
    QFile file(damaged);
    QVERIFY(file.open(QIODevice::ReadWrite));
    file.seek(file.size() / 2);
    const char byte = file.read(1).front();
    file.seek(file.size() / 2);
    file.write(QByteArray(1, static_cast<char>(byte ^ 4)));
    file.close();
    const Outcome outcome = runProgram({"export", path("run"), "--tensorboard", path("board")});
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.err.contains(damaged.toUtf8()), outcome.err.constData());
    QVERIFY(outcome.err.contains("at byte"));
    QVERIFY(eventFiles(path("board")).isEmpty());
}

void TestExport::gradients_ofARun_areRowsOfLayers()
{
    const Outcome printed = runProgram({"export", path("run"), "--gradients", "-"});
    QCOMPARE(printed.exitCode, 0);
    const QList<QByteArray> lines = printed.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 4); // step 0: all, and three layers
    QVERIFY(lines[0].endsWith(",cosine_tower_0,cosine_tower_1"));
    QVERIFY(lines[1].startsWith("0,,") && lines[2].startsWith("0,conv1,"));
    QCOMPARE(runProgram({"export", path("run"), "--gradients", path("gradients.csv")}).exitCode, 0);
    QCOMPARE(contentOf(path("gradients.csv")), printed.out);
}

void TestExport::evaluations_ofARun_areThoseOfItsWeights()
{
    const Outcome printed = runProgram({"export", path("run"), "--evaluations", "-"});
    QCOMPARE(printed.exitCode, 0);
    const QList<QByteArray> lines = printed.out.trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 2); // at its end
    QVERIFY(lines[0].startsWith("step,weights,examples,"));
    QVERIFY(lines[1].startsWith("4,average,20,") && lines[2].startsWith("4,raw,20,"));
}

void TestExport::allBranches_afterABranch_hasAColumnMore()
{
    // Without its newest checkpoint, the run goes on from step 2.
    QVERIFY(QFile::remove(path("run/checkpoints/step-000000004.safetensors")));
    const Outcome resumed = runProgram({"train", "--run", path("run"), "--resume", "--steps", "5"});
    QVERIFY2(resumed.exitCode == 0, resumed.text().constData());
    const Outcome current = runProgram({"export", path("run"), "--csv", "-"});
    QCOMPARE(current.out.count('\n'), 1 + 5);
    const Outcome all = runProgram({"export", path("run"), "--csv", "-", "--all-branches"});
    QVERIFY(all.out.startsWith("branch,step,"));
    QCOMPARE(all.out.count('\n'), 1 + 4 + 3);
    // The event files of the run say it, too: steps 0 and 2, that at 2 of the new branch; step 4 if
    // it came a second later.
    QCOMPARE(runProgram({"export", path("run"), "--tensorboard", path("board")}).exitCode, 0);
    const QByteArray events = contentOf(eventFiles(path("board")).first());
    QCOMPARE(events.count("loss/tower_1"), 5);
    const auto whole = events.count("conv1/weights/gradients");
    QVERIFY(whole == 2 || whole == 3);
}

void TestExport::target_missingOrTooMany_isWrongUsage_data()
{
    QTest::addColumn<QStringList>("targets");
    QTest::newRow("none") << QStringList{};
    QTest::newRow("two") << QStringList{"--csv", "a.csv", "--tensorboard", "board"};
    QTest::newRow("branches without CSV")
        << QStringList{"--tensorboard", "board", "--all-branches"};
}

void TestExport::target_missingOrTooMany_isWrongUsage()
{
    QFETCH(const QStringList, targets);
    const Outcome outcome = runProgram(QStringList{"export", path("run")} + targets);
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY(outcome.err.contains("--csv"));
}

void TestExport::logits_ofSomeExamples_areWritten()
{
    const QString file = path("logits.csv");
    const Outcome outcome =
        runProgram({"evaluate", "--checkpoint", path("run"), "--logits", file, "--examples", "5"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QList<QByteArray> lines = contentOf(file).trimmed().split('\n');
    QCOMPARE(lines.size(), 1 + 5);
    QVERIFY(lines.first().startsWith("example,label,logit_0,"));
    for (qsizetype i = 1; i < lines.size(); ++i) {
        const QList<QByteArray> values = lines[i].split(',');
        QCOMPARE(values.size(), 2 + 10);
        QCOMPARE(values[0].toInt(), i - 1);
        // Labels of writeCifar10Folder(): the test file begins at number 5 * 20.
        QCOMPARE(values[1].toInt(), (100 + i - 1) % 10);
    }
    const Outcome alone = runProgram({"evaluate", "--checkpoint", path("run"), "--examples", "5"});
    QCOMPARE(alone.exitCode, 2);
}

LOCKSTEP_TEST(TestExport)
#include "test_export.moc"
