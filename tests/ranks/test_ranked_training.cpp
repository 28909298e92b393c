// SPDX-License-Identifier: Apache-2.0
#include "dataset/numbered_images.h"
#include "ranks/kept_run.h"
#include "ranks/mpi_training.h"
#include "ranks/synchronised_model.h"
#include "session/mask_model.h"
#include "support/lockstep_test.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

QStringList trainingOf(const QStringList& what, int towers, int threads, int steps)
{
    return QStringList{
               "train",
               "--towers",
               QString::number(towers),
               "--device",
               "cpu",
               "--steps",
               QString::number(steps),
               "--set",
               QString("threads_per_tower=%1").arg(threads),
               "--set",
               "alerts.stuck_seconds=60",
               "--json"}
           + what;
}

QStringList onPictures(const QStringList& what)
{
    return QStringList{"--dataset", "cifar10", "--data", toText(smallPictures())} + what;
}

void writePhotographs(const fs::path& folder)
{
    for (int i = 0; i < 12; ++i) {
        const std::string name =
            "/class" + std::to_string(i % 3) + "/" + std::to_string(i) + ".jpg";
        write(folder / ("train" + name), numbered(10 * i + 5, 40 + i, 60));
        write(folder / ("val" + name), numbered(10 * i + 9, 50, 40 + i));
    }
}

} // namespace

/// Real trainings: one process with all towers, and the same towers on ranks of mpirun.
class TestRankedTraining : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Training_onAnyRanks_isThatOfOneProcess_data();
    void Training_onAnyRanks_isThatOfOneProcess();
    void Resume_onOtherRanks_isTheRunThatNeverStopped();
    void Signal_toAnyRankOrMpirun_savesFirst_data();
    void Signal_toAnyRankOrMpirun_savesFirst();

private:
    TemporaryFolder m_folder;
};

void TestRankedTraining::initTestCase()
{
    if (*reasonAgainstRanks() != '\0') {
        QSKIP(reasonAgainstRanks());
    }
    writeMaskModel(m_folder / "");
    writeSynchronisedModel(m_folder / "synchronised.toml");
    writePhotographs(m_folder / "photographs");
    std::ofstream(m_folder / "phases.toml")
        << "[[phase]]\nobjective = \"segmentation\"\nsteps = 5\n"
           "[[phase]]\nobjective = \"decision\"\nsteps = 5\nfrozen = [\"segmentation\"]\n";
}

void TestRankedTraining::Training_onAnyRanks_isThatOfOneProcess_data()
{
    QTest::addColumn<QStringList>("what");
    QTest::addColumn<int>("towers");
    QTest::addColumn<int>("threads");
    QTest::addColumn<QList<int>>("ranks");
    QTest::newRow("cifar10") << onPictures(
        {"--batch-per-tower", "2", "--set", "evaluate.every_steps=50"})
                             << 4 << 1 << QList<int>{2, 4};
    QTest::newRow("synchronised normalisation")
        << onPictures({"--batch-per-tower", "3", "--model", toText(m_folder / "synchronised.toml")})
        << 4 << 1 << QList<int>{2, 4};
    QTest::newRow("5 towers of 2 threads, gradients") << onPictures(
        {"--batch-per-tower", "3", "--model", LOCKSTEP_SMALL_MODEL, "--set",
         "gradients.every_steps=7"}) << 5 << 2 << QList<int>{3};
    QTest::newRow("photographs")
        << QStringList{"--batch-per-tower", "2", "--model", LOCKSTEP_SMALL_MODEL, "--dataset", "image_folder", "--data", toText(m_folder / "photographs")}
        << 3 << 1 << QList<int>{2};
    QTest::newRow("masks") << QStringList{"--batch-per-tower", "2",
                                          "--model",           toText(m_folder / "detector.toml"),
                                          "--dataset",         "synthetic_defects",
                                          "--config",          toText(m_folder / "phases.toml")}
                           << 3 << 1 << QList<int>{2};
}

void TestRankedTraining::Training_onAnyRanks_isThatOfOneProcess()
{
    QFETCH(QStringList, what);
    QFETCH(int, towers);
    QFETCH(int, threads);
    QFETCH(QList<int>, ranks);
    constexpr int kTrainedSteps = kIsSanitized ? 10 : 100;
    const QStringList training = trainingOf(what, towers, threads, kTrainedSteps);
    const fs::path alone = m_folder / (QTest::currentDataTag() + std::string(" alone"));
    const Outcome one = runProgram(training + QStringList{"--run", toText(alone)});
    QVERIFY2(one.exitCode == 0, one.text().constData());
    for (const int number : ranks) {
        const fs::path run = m_folder / (QTest::currentDataTag() + std::to_string(number));
        const Outcome several = trainOnMpi(number, training + QStringList{"--run", toText(run)});
        QVERIFY2(several.exitCode == 0, several.text().constData());
        QCOMPARE(differenceOf(run, alone), QString());
    }
}

void TestRankedTraining::Resume_onOtherRanks_isTheRunThatNeverStopped()
{
    const auto training = [&](int steps, const fs::path& run) {
        return trainingOf(
                   onPictures(
                       {"--batch-per-tower", "3", "--model",
                        toText(m_folder / "synchronised.toml")}),
                   4, 1, steps)
               + QStringList{"--run", toText(run), "--resume", "--set", "evaluate.at_end=false"};
    };
    const fs::path straight = m_folder / "straight";
    QCOMPARE(runProgram(training(40, straight)).exitCode, 0);
    for (const int ranks : {1, 4}) {
        const fs::path run = m_folder / ("resumed" + std::to_string(ranks));
        const Outcome half = trainOnMpi(2, training(20, run));
        QVERIFY2(half.exitCode == 0, half.text().constData());
        const Outcome rest =
            ranks == 1 ? runProgram(training(40, run)) : trainOnMpi(ranks, training(40, run));
        QVERIFY2(rest.exitCode == 0, rest.text().constData());
        QCOMPARE(differenceOf(run, straight), QString());
    }
}

void TestRankedTraining::Signal_toAnyRankOrMpirun_savesFirst_data()
{
    QTest::addColumn<int>("to"); // -1: mpirun
    QTest::addColumn<int>("signal");
    QTest::newRow("SIGTERM to rank 0") << 0 << SIGTERM;
    QTest::newRow("SIGTERM to rank 2") << 2 << SIGTERM;
    QTest::newRow("SIGTERM to mpirun") << -1 << SIGTERM;
    QTest::newRow("SIGUSR1 to mpirun") << -1 << SIGUSR1;
}

void TestRankedTraining::Signal_toAnyRankOrMpirun_savesFirst()
{
    QFETCH(int, to);
    QFETCH(int, signal);
    // It ends the ranks after two seconds, and does not read meanwhile what they say.
    const bool isHasty = to < 0 && signal == SIGTERM;
    if (isHasty && kIsSanitized) {
        QSKIP("too slow for the seconds that mpirun leaves");
    }
    const fs::path run = m_folder / QTest::currentDataTag();
    QStringList arguments = trainingOf(
        onPictures(
            {"--batch-per-tower", "3", "--model", LOCKSTEP_SMALL_MODEL, "--run", toText(run)}),
        3, 1, 10'000'000);
    arguments.removeOne("--json");
    MpiTraining training("mpirun", MpiTraining::onRanks(3, arguments));
    QVERIFY(training.says("step 20, "));
    QCOMPARE(::kill(to < 0 ? training.launcher() : training.ranks().at(to), signal), 0);
    const Outcome outcome = training.finish(30'000);
    QVERIFY2(outcome.exitCode == 1, outcome.text().constData());
    if (!isHasty) {
        QCOMPARE(outcome.err.count("go on with: "), 1);
    }
    QTRY_VERIFY(training.ranks().empty());
    const auto saved = listCheckpoints(run / "checkpoints");
    QVERIFY(saved.back().step > 20);
    QCOMPARE(storedSteps(run).size(), static_cast<std::size_t>(saved.back().step));
}

LOCKSTEP_TEST(TestRankedTraining)
#include "test_ranked_training.moc"
