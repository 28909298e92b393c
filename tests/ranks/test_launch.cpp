// SPDX-License-Identifier: Apache-2.0
#include "ranks/kept_run.h"
#include "ranks/mpi_training.h"
#include "support/lockstep_test.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

/// Notes how it was called, and tells which rank was lost, as the file "lost" has it, a line for
/// each call; "usr1": waits for that signal. Where there is a file "begins" it begins the run.
constexpr const char* kFakeMpirun = R"sh(#!/bin/bash
cd "$(dirname "$0")"
echo "$*" >> calls
lost=$(sed -n "$(wc -l < calls)p" lost)
echo "from a rank"
[[ -e begins ]] && mkdir -p run && echo "steps = 10" > run/run.toml
if [[ $lost == usr1 ]]; then
    trap 'echo "saved" >&2; exit 1' USR1
    echo "waiting" >&2
    for i in {1..600}; do sleep 0.05; done
elif [[ -n $lost ]]; then
    [[ -e silent ]] && trap '' TERM USR1
    printf 'rank %s is gone\n\x1elockstep-train lost rank %s\x1e\nsaid after it\n' "$lost" "$lost" >&2
    [[ -e silent ]] && sleep 100
    exit 1
fi
)sh";

/// What `launch` makes of an mpirun that is none.
class FakeMpirun
{
public:
    explicit FakeMpirun(const QStringList& lost)
    {
        std::ofstream(m_folder / "mpirun") << kFakeMpirun;
        fs::permissions(m_folder / "mpirun", fs::perms::owner_all);
        std::ofstream(m_folder / "lost") << lost.join('\n').toStdString() << '\n';
    }

    [[nodiscard]] QStringList arguments(const QStringList& options, const QStringList& training)
    {
        return QStringList{"launch", "--mpirun", toText(m_folder / "mpirun")} + options
               + QStringList{"--", "train", "--run", toText(m_folder / "run")} + training;
    }
    Outcome launch(const QStringList& options, const QStringList& training = {})
    {
        return runProgram(arguments(options, training));
    }
    /// How it was called, a list of words each.
    [[nodiscard]] QList<QStringList> calls() const
    {
        QList<QStringList> all;
        std::ifstream file(m_folder / "calls");
        for (std::string line; std::getline(file, line);) {
            all << QString::fromStdString(line).split(' ');
        }
        return all;
    }
    [[nodiscard]] const TemporaryFolder& folder() const { return m_folder; }

private:
    TemporaryFolder m_folder;
};

/// The word behind another one.
QString after(const QStringList& words, const QString& word)
{
    return words.value(words.indexOf(word) + 1);
}

} // namespace

/// The launcher: what it has mpirun do, and how it goes on without ranks that are lost.
class TestLaunch : public QObject
{
    Q_OBJECT

private slots:
    void Hosts_getTheirRanksInOrder_data();
    void Hosts_getTheirRanksInOrder();
    void Wrong_isRefused_data();
    void Wrong_isRefused();
    void Loss_withoutElastic_endsIt();
    void Loss_ofAHost_goesOnWithoutIt();
    void Loss_ofARank_goesOnByTheConfigurationOfTheRun();
    void Losses_withoutACheckpoint_areGivenUp();
    void Mpirun_thatWaitsForALostMachine_isEnded();
    void Signal_reachesTheRanksAsOneThatTheySaveAfter();
    void Training_whoseRanksAreKilledTwice_endsAsIfNoneWere();
};

void TestLaunch::Hosts_getTheirRanksInOrder_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("ranks");
    QTest::newRow("this machine") << QStringList{"-n", "3"} << "localhost:3"
                                  << "3";
    QTest::newRow("a rank each") << QStringList{"--hosts", "a,b"} << "a:1,b:1"
                                 << "2";
    QTest::newRow("spread") << QStringList{"--hosts", "a,b", "-n", "5"} << "a:3,b:2"
                            << "5";
    QTest::newRow("slots") << QStringList{"--hosts", "a:2,b:4"} << "a:2,b:4"
                           << "6";
    QTest::newRow("filled") << QStringList{"--hosts", "a:2,b:4,c:2", "-n", "5"} << "a:2,b:3"
                            << "5";
}

void TestLaunch::Hosts_getTheirRanksInOrder()
{
    QFETCH(QStringList, options);
    FakeMpirun mpirun({});
    const Outcome outcome = mpirun.launch(options, {"--towers", "8"});
    QVERIFY2(outcome.exitCode == 0 && outcome.out == "from a rank\n", outcome.text().constData());
    QCOMPARE(mpirun.calls().size(), 1);
    const QStringList call = mpirun.calls().front();
    QTEST(after(call, "--host"), "hosts");
    QTEST(after(call, "-n"), "ranks");
    QCOMPARE(
        call.mid(call.indexOf("train")),
        (QStringList{"train", "--run", toText(mpirun.folder() / "run"), "--towers", "8"}));
    QVERIFY(call[call.indexOf("train") - 1].endsWith("/lockstep-train"));
}

void TestLaunch::Wrong_isRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("how many?") << QStringList{"--", "train"} << QByteArray("-n");
    QTest::newRow("what?") << QStringList{"-n", "2", "--", "evaluate"} << QByteArray("'evaluate'");
    QTest::newRow("which run?") << QStringList{"-n", "2", "--elastic", "--", "train"}
                                << QByteArray("--run");
    QTest::newRow("slots") << QStringList{"--hosts", "a:x", "--", "train"} << QByteArray("'x'");
    QTest::newRow("too many") << QStringList{"--hosts", "a:1,b:2", "-n", "4", "--", "train"}
                              << QByteArray("3 slots");
    QTest::newRow("host file") << QStringList{"--hostfile", "/none", "--", "train"}
                               << QByteArray("/none can't be read");
    QTest::newRow("mpirun") << QStringList{"-n", "2", "--mpirun", "/none/mpirun", "--", "train"}
                            << QByteArray("/none/mpirun can't be started");
}

void TestLaunch::Wrong_isRefused()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const Outcome outcome = runProgram(QStringList{"launch"} + arguments);
    QVERIFY2(
        outcome.exitCode == 2 && outcome.err.contains(says) && outcome.err.count('\n') == 1,
        outcome.text().constData());
}

void TestLaunch::Loss_withoutElastic_endsIt()
{
    FakeMpirun mpirun({"1"});
    const Outcome outcome = mpirun.launch({"-n", "3"});
    QCOMPARE(outcome.exitCode, 1);
    QCOMPARE(outcome.err, QByteArray("rank 1 is gone\nsaid after it\n"));
    QCOMPARE(mpirun.calls().size(), 1);
}

void TestLaunch::Loss_ofAHost_goesOnWithoutIt()
{
    FakeMpirun mpirun({"2", "0"});
    const fs::path file = mpirun.folder() / "hosts";
    std::ofstream(file) << "# mine\na slots=2\nb slots=1 # small\n\nc slots=3 max_slots=4\n";
    const Outcome outcome = mpirun.launch(
        {"--hostfile", toText(file), "--elastic"},
        {"--resume", "old.safetensors", "--towers", "6", "--weights-from=x"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY2(
        outcome.err.contains("b with 1 rank was lost: going on from the newest checkpoint with 5 "
                             "ranks")
            && outcome.err.contains("a with 2 ranks was lost"),
        outcome.text().constData());
    QVERIFY(!outcome.err.contains('\x1e'));
    const auto calls = mpirun.calls();
    QCOMPARE(calls.size(), 3);
    QCOMPARE(after(calls[0], "--host"), QString("a:2,b:1,c:3"));
    QVERIFY(calls[0].contains("old.safetensors"));
    QCOMPARE(after(calls[1], "--host"), QString("a:2,c:3"));
    QCOMPARE(after(calls[1], "-n"), QString("5"));
    QCOMPARE(after(calls[1], "--towers"), QString("6"));
    QCOMPARE(calls[1].count("--resume"), 1);
    QCOMPARE(after(calls[1], "--resume"), QString("--note"));
    QVERIFY(!calls[1].contains("--weights-from=x"));
    QCOMPARE(after(calls[2], "--host"), QString("c:3"));
}

/// A rate that was changed while it trained is not that of the command any more.
void TestLaunch::Loss_ofARank_goesOnByTheConfigurationOfTheRun()
{
    FakeMpirun mpirun({"1"});
    const fs::path run = mpirun.folder() / "run";
    std::ofstream(mpirun.folder() / "begins") << '\n';
    const Outcome outcome = mpirun.launch(
        {"--hosts", "a,b", "--elastic"},
        {"--resume", "--learning-rate", "0.1", "--json", "--set", "steps=10"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    const QStringList again = mpirun.calls().value(1);
    QCOMPARE(after(again, "--run"), toText(run));
    QVERIFY(again.contains("--resume") && again.contains("--json"));
    QVERIFY(!again.contains("--learning-rate") && !again.contains("--set"));
}

void TestLaunch::Losses_withoutACheckpoint_areGivenUp()
{
    FakeMpirun mpirun({"4", "3", "2", "1", "0"});
    const Outcome outcome = mpirun.launch({"-n", "6", "--elastic"});
    QCOMPARE(outcome.exitCode, 1);
    QCOMPARE(mpirun.calls().size(), 3);
    QVERIFY2(outcome.err.contains("--resume"), outcome.text().constData());

    FakeMpirun two({"1", "0"});
    QCOMPARE(two.launch({"-n", "2", "--elastic"}).exitCode, 1);
    QCOMPARE(two.calls().size(), 2);
}

void TestLaunch::Mpirun_thatWaitsForALostMachine_isEnded()
{
    FakeMpirun mpirun({"1"});
    std::ofstream(mpirun.folder() / "silent") << '\n';
    const Outcome outcome = mpirun.launch({"--hosts", "a,b", "--elastic"});
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QCOMPARE(mpirun.calls().size(), 2);
    QCOMPARE(after(mpirun.calls()[1], "--host"), QString("a:1"));
}

void TestLaunch::Signal_reachesTheRanksAsOneThatTheySaveAfter()
{
    FakeMpirun mpirun({"usr1"});
    MpiTraining launched(LOCKSTEP_TRAIN_PROGRAM, mpirun.arguments({"-n", "2", "--elastic"}, {}));
    QVERIFY(launched.says("waiting"));
    ::kill(launched.launcher(), SIGTERM);
    const Outcome outcome = launched.finish(20'000);
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.err.endsWith("saved\n"), outcome.text().constData());
}

void TestLaunch::Training_whoseRanksAreKilledTwice_endsAsIfNoneWere()
{
    if (*reasonAgainstRanks() != '\0') {
        QSKIP(reasonAgainstRanks());
    }
    const TemporaryFolder folder;
    const QString steps = kIsSanitized ? "800" : "6000";
    const auto training = [&](const fs::path& run) {
        return QStringList{
            "train",
            "--model",
            LOCKSTEP_SMALL_MODEL,
            "--dataset",
            "cifar10",
            "--data",
            toText(smallPictures()),
            "--towers",
            "4",
            "--device",
            "cpu",
            "--batch-per-tower",
            "3",
            "--steps",
            steps,
            "--run",
            toText(run),
            "--set",
            "threads_per_tower=1",
            "--set",
            "checkpoint.every_steps=100",
            "--set",
            "evaluate.every_steps=400"};
    };
    const fs::path run = folder / "run";
    MpiTraining launched(
        LOCKSTEP_TRAIN_PROGRAM,
        QStringList{"launch", "-n", "3", "--elastic", "--"} + training(run));
    for (const int rank : {2, 0}) {
        QVERIFY(launched.says("00: ")); // a new checkpoint
        ::kill(launched.ranks().at(rank), SIGKILL);
        QVERIFY(launched.says("going on from the newest checkpoint"));
        launched.forget();
    }
    const Outcome outcome = launched.finish();
    QVERIFY2(outcome.exitCode == 0, outcome.text().constData());
    QVERIFY(outcome.out.contains("finished after " + steps.toUtf8() + " steps"));

    const fs::path straight = folder / "straight";
    QCOMPARE(runProgram(training(straight)).exitCode, 0);
    QCOMPARE(differenceOf(run, straight), QString());
    QStringList notes;
    for (const RunEvent& event : RunStoreReader(RunFolder::storeFileOf(run)).events()) {
        if (event.text.find("was lost: going on") != std::string::npos) {
            notes << QString::fromStdString(event.text);
        }
    }
    QCOMPARE(
        notes, (QStringList{
                   "rank 2 was lost: going on from the newest checkpoint with 2 ranks",
                   "rank 0 was lost: going on from the newest checkpoint with 1 rank"}));
}

LOCKSTEP_TEST(TestLaunch)
#include "test_launch.moc"
