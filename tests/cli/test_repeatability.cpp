// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/cifar10_files.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <QJsonArray>

#include <cmath>

using namespace lockstep::test;

/// Oracle 5 of the design and its kin, through the program: what must not change a number, and what
/// must.
class TestRepeatability : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void losses_anyNumberOfLoaderThreads_areIdentical();
    void losses_anotherSeed_differ();
    void losses_resumedHalfway_areIdentical();
    void losses_resumedFromNamedCheckpointAsNewRun_areIdentical();
    void losses_resumedFromEarlierCheckpointOfTheRun_areIdentical();
    void evaluation_anyNumberOfTowers_isIdentical();
    void globalBatch_splitDifferently_hasEqualLoss();

private:
    /// The columns with losses, of every step, of a run folder: as text, so to the last digit.
    static QList<QByteArrayList> losses(const std::filesystem::path& run);
    static Outcome train(const QStringList& arguments);

    TemporaryFolder m_folder;
    std::filesystem::path m_data;
};

Outcome TestRepeatability::train(const QStringList& arguments)
{
    Outcome outcome = runProgram(arguments);
    if (outcome.exitCode != 0) {
        qWarning("%s", outcome.text().constData());
    }
    return outcome;
}

QList<QByteArrayList> TestRepeatability::losses(const std::filesystem::path& run)
{
    const Outcome csv = runProgram({"export", toText(run), "--csv", "-"});
    const auto lines = csv.out.trimmed().split('\n');
    const auto names = lines.first().split(',');
    QList<QByteArrayList> rows;
    for (qsizetype row = 1; row < lines.size(); ++row) {
        const auto values = lines[row].split(',');
        QByteArrayList chosen{values.first()};
        for (qsizetype column = 0; column < names.size(); ++column) {
            if (names[column].startsWith("loss_")) {
                chosen.append(values[column]);
            }
        }
        rows.append(chosen);
    }
    return rows;
}

void TestRepeatability::initTestCase()
{
    m_data = m_folder / "data";
    writeCifar10Folder(m_data, 21);
    QCOMPARE(train(smallTraining(m_data, m_folder / "whole", 40)).exitCode, 0);
    QCOMPARE(losses(m_folder / "whole").size(), 40);
}

void TestRepeatability::losses_anyNumberOfLoaderThreads_areIdentical()
{
    QList<QList<QByteArrayList>> results;
    for (const char* threads : {"1", "2", "8", "1"}) {
        const std::filesystem::path run = m_folder / ("loaders" + std::to_string(results.size()));
        const Outcome outcome = train(
            {"train", "--model", LOCKSTEP_SMALL_MODEL, "--towers", "2", "--batch-per-tower", "16",
             "--steps", "20", "--device", "cpu", "--set", "evaluate.at_end=false", "--set",
             QString("input.threads=") + threads, "--run", toText(run)});
        QCOMPARE(outcome.exitCode, 0);
        results.append(losses(run));
        QCOMPARE(results.last().size(), 20);
        QCOMPARE(results.last(), results.first());
    }
}

void TestRepeatability::losses_anotherSeed_differ()
{
    QStringList arguments = smallTraining(m_data, m_folder / "seed", 2);
    arguments[arguments.indexOf("--seed") + 1] = "2";
    QCOMPARE(train(arguments).exitCode, 0);
    QVERIFY(losses(m_folder / "seed").first() != losses(m_folder / "whole").first());
}

void TestRepeatability::losses_resumedHalfway_areIdentical()
{
    const std::filesystem::path run = m_folder / "halves";
    QCOMPARE(train(smallTraining(m_data, run, 20)).exitCode, 0);
    QCOMPARE(losses(run).size(), 20);
    const Outcome second =
        train({"train", "--run", toText(run), "--resume", "--steps", "40", "--json"});
    QCOMPARE(second.exitCode, 0);
    QCOMPARE(second.events("step").first()["step"].toInt(), 20);
    QCOMPARE(losses(run), losses(m_folder / "whole"));
}

void TestRepeatability::losses_resumedFromNamedCheckpointAsNewRun_areIdentical()
{
    const std::filesystem::path checkpoint =
        m_folder / "halves" / "checkpoints" / "step-000000020.safetensors";
    const Outcome outcome = train(
        {"train", "--run", toText(m_folder / "branch"), "--resume", toText(checkpoint), "--steps",
         "40"});
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(losses(m_folder / "branch"), losses(m_folder / "whole").mid(20));
}

void TestRepeatability::losses_resumedFromEarlierCheckpointOfTheRun_areIdentical()
{
    const std::filesystem::path run = m_folder / "halves";
    const std::filesystem::path checkpoint = run / "checkpoints" / "step-000000020.safetensors";
    const Outcome outcome = train(
        {"train", "--run", toText(run), "--resume", toText(checkpoint), "--steps", "30", "--json"});
    QCOMPARE(outcome.exitCode, 0);
    QCOMPARE(outcome.events("step").size(), 10);
    QCOMPARE(losses(run), losses(m_folder / "whole").first(30));
}

void TestRepeatability::evaluation_anyNumberOfTowers_isIdentical()
{
    const QString run = toText(m_folder / "whole");
    for (const char* weights : {"average", "raw"}) {
        QList<QJsonObject> results;
        for (const char* towers : {"1", "2", "3"}) {
            const Outcome outcome = train(
                {"evaluate", "--checkpoint", run, "--weights", weights, "--towers", towers,
                 "--device", "cpu", "--json"});
            QCOMPARE(outcome.exitCode, 0);
            results.append(outcome.events().first());
            QCOMPARE(results.last()["examples"].toInt(), 21);
            QVERIFY(results.last()["loss"].toDouble() == results.first()["loss"].toDouble());
            QVERIFY(
                results.last()["accuracy"].toDouble() == results.first()["accuracy"].toDouble());
        }
        // The same as the run itself found at its end.
        const Outcome inspected = train({"inspect", run, "--json"});
        const QJsonArray evaluations = inspected.events().first()["evaluations"].toArray();
        QCOMPARE(evaluations.size(), 2);
        for (const QJsonValue& evaluation : evaluations) {
            if (evaluation["weights"].toString() == weights) {
                QVERIFY(evaluation["loss"].toDouble() == results.first()["loss"].toDouble());
            }
        }
    }
}

void TestRepeatability::globalBatch_splitDifferently_hasEqualLoss()
{
    QList<double> reference;
    for (const char* towers : {"1", "2", "4"}) {
        QStringList arguments = smallTraining(m_data, m_folder / towers, 10);
        arguments[arguments.indexOf("--towers") + 1] = towers;
        const qsizetype batch = arguments.indexOf("--batch-per-tower");
        arguments[batch] = "--global-batch";
        arguments[batch + 1] = "16";
        const Outcome outcome = train(arguments << "--json");
        QCOMPARE(outcome.exitCode, 0);
        const auto steps = outcome.events("step");
        QCOMPARE(steps.size(), 10);
        for (int i = 0; i < steps.size(); ++i) {
            const double loss = steps[i]["loss_mean"].toDouble();
            if (reference.size() < 10) {
                reference.append(loss);
            }
            // The bounds: the first step differs by the order of one sum only.
            QVERIFY(std::abs(loss - reference[i]) <= (i == 0 ? 1e-6 : 1e-4) * reference[i]);
        }
    }
}

LOCKSTEP_TEST(TestRepeatability)
#include "test_repeatability.moc"
