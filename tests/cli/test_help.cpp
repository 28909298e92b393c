// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "support/lockstep_test.h"

using namespace lockstep::test;

class TestHelp : public QObject
{
    Q_OBJECT

private slots:
    void program_help_listsEveryCommand();
    void program_version_namesLibraries();
    void command_help_mentionsEveryFlag_data();
    void command_help_mentionsEveryFlag();
    void train_help_mentionsEveryKey_data();
    void train_help_mentionsEveryKey();
};

void TestHelp::program_help_listsEveryCommand()
{
    const Outcome outcome = runProgram({"--help"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.err.isEmpty());
    for (const char* command :
         {"train", "evaluate", "predict", "cross-validate", "find-lr", "bench", "scaling",
          "selftest", "devices", "inspect", "export", "download", "serve"}) {
        QVERIFY2(outcome.out.contains("\n  " + QByteArray(command) + " "), command);
    }
}

void TestHelp::program_version_namesLibraries()
{
    const Outcome outcome = runProgram({"--version"});
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY2(outcome.out.startsWith("lockstep-train 0."), outcome.out.constData());
    QVERIFY2(outcome.out.contains("\noneDNN "), outcome.out.constData());
}

void TestHelp::command_help_mentionsEveryFlag_data()
{
    QTest::addColumn<QStringList>("flags");
    QTest::newRow("train") << QStringList{
        "--config",       "--set",    "--model",  "--dataset",
        "--data",         "--towers", "--device", "--batch-per-tower",
        "--global-batch", "--steps",  "--seed",   "--precision",
        "--run",          "--resume", "--json"};
    QTest::newRow("evaluate") << QStringList{"--checkpoint", "--data",   "--weights",
                                             "--towers",     "--device", "--json"};
    QTest::newRow("predict") << QStringList{"FILE|FOLDER", "--checkpoint", "--csv", "--weights"};
    QTest::newRow("cross-validate")
        << QStringList{"--config", "--set", "--folds", "--run", "--weights", "--json"};
    QTest::newRow("find-lr") << QStringList{"--config", "--low", "--high", "--steps", "--json"};
    QTest::newRow("bench") << QStringList{"--model",     "--towers", "--batch-per-tower",
                                          "--precision", "--device", "--json"};
    QTest::newRow("selftest") << QStringList{"--device"};
    QTest::newRow("devices") << QStringList{"--json"};
    QTest::newRow("inspect") << QStringList{"PATH", "--model", "--json"};
    QTest::newRow("export") << QStringList{"RUN", "--csv", "--weights", "--safetensors"};
    QTest::newRow("download") << QStringList{"cifar10", "--data"};
    QTest::newRow("serve") << QStringList{"RUNS", "--stdio"};
}

void TestHelp::command_help_mentionsEveryFlag()
{
    QFETCH(QStringList, flags);
    const QString command = QTest::currentDataTag();
    const Outcome outcome = runProgram({command, "--help"});
    QCOMPARE(outcome.exitCode, 0);
    const QString options = QString::fromUtf8(outcome.out).section("Examples:", 0, 0);
    for (const QString& flag : flags) {
        QVERIFY2(
            options.contains("\n  " + flag) || options.contains(" " + flag),
            qPrintable(flag + "\n" + outcome.out));
    }
    QVERIFY(outcome.out.contains("Examples:\n  lockstep-train " + command.toUtf8()));
}

void TestHelp::train_help_mentionsEveryKey_data()
{
    QTest::addColumn<QString>("key");
    for (const char* key :
         {"model.name", "dataset.name", "dataset.path", "towers", "threads_per_tower", "device",
          "batch_per_tower", "steps", "seed", "precision", "learning_rate.initial",
          "checkpoint.every_steps", "checkpoint.keep", "evaluate.every_steps", "input.threads"}) {
        QTest::newRow(key) << QString(key);
    }
}

void TestHelp::train_help_mentionsEveryKey()
{
    QFETCH(QString, key);
    static const Outcome help = runProgram({"train", "--help"});
    QVERIFY(QString::fromUtf8(help.out).contains("\n  " + key + " = "));
}

LOCKSTEP_TEST(TestHelp)
#include "test_help.moc"
