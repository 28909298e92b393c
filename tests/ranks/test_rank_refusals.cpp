// SPDX-License-Identifier: Apache-2.0
#include "ranks/mpi_training.h"
#include "support/lockstep_test.h"
#include "support/small_pictures.h"

#include <fstream>

using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

QStringList trainingInto(const fs::path& run, const fs::path& data = smallPictures())
{
    return smallTraining(data, run, 20);
}

/// Rank 0, and beside it rank 1 with something else.
Outcome trainBeside(
    const QStringList& first, const QStringList& second,
    const QString& program = LOCKSTEP_TRAIN_PROGRAM)
{
    return MpiTraining(
               "mpirun", MpiTraining::onRanks(1, first)
                             << ":" << MpiTraining::part(1, second, program))
        .finish(60'000);
}

} // namespace

/// What keeps ranks from training together is said before step 0: once, and of whom.
class TestRankRefusals : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Option_ofOneRank_isRefused();
    void Data_ofOneRank_isRefused();
    void Program_ofOneRank_isRefused();
    void Ranks_moreThanTowers_areRefused();
    void Run_thatIsThere_isRefused();
    void Data_missingOnOneRank_endsAll();
    void Towers_poisoned_endAll();

private:
    void verifyRefused(const Outcome& outcome, const QList<QByteArray>& words, int status = 2);

    TemporaryFolder m_folder;
    fs::path m_run;
    QByteArray m_host;
};

void TestRankRefusals::initTestCase()
{
    if (*reasonAgainstRanks() != '\0') {
        QSKIP(reasonAgainstRanks());
    }
    m_run = m_folder / "run";
    m_host = QSysInfo::machineHostName().toUtf8();
}

void TestRankRefusals::verifyRefused(
    const Outcome& outcome, const QList<QByteArray>& words, int status)
{
    QVERIFY2(outcome.exitCode == status, outcome.text().constData());
    QCOMPARE(outcome.err.count("lockstep-train: "), 1);
    for (const QByteArray& word : words) {
        QVERIFY2(outcome.err.contains(word), outcome.text().constData());
    }
    QVERIFY2(!fs::exists(m_run), "a run that can't start left a folder");
}

void TestRankRefusals::Option_ofOneRank_isRefused()
{
    verifyRefused(
        trainBeside(
            trainingInto(m_run), trainingInto(m_run) << "--set"
                                                     << "learning_rate.initial=0.03"),
        {"rank 1 on " + m_host, "initial = 0.03"});
}

void TestRankRefusals::Data_ofOneRank_isRefused()
{
    const fs::path other = m_folder / "other";
    writeCifar10Folder(other, 40);
    std::fstream file(other / kCifar10Files.front(), std::ios::in | std::ios::out);
    file.seekp(100).put('\x55').put('\x55').put('\x55');
    file.close();
    const fs::path here = m_folder / "here";
    fs::create_directories(here);
    // Each rank finds other files under the same name.
    const auto training = [&] { return trainingInto(m_run, "/proc/self/cwd/pictures"); };
    fs::create_directory_symlink(smallPictures(), here / "pictures");
    fs::create_directory_symlink(other, m_folder / "pictures");
    const Outcome outcome =
        MpiTraining(
            "mpirun",
            QStringList{"--quiet", "--oversubscribe", "--bind-to", "none", "--wdir", toText(here)}
                + MpiTraining::part(1, training()) + QStringList{":"}
                + QStringList{"--wdir", toText(m_folder / "")} + MpiTraining::part(1, training()))
            .finish(60'000);
    verifyRefused(outcome, {"rank 1 on " + m_host, "data_"});
}

void TestRankRefusals::Program_ofOneRank_isRefused()
{
    const fs::path copy = fs::path(LOCKSTEP_TRAIN_PROGRAM).parent_path() / "lockstep-train-other";
    fs::copy_file(LOCKSTEP_TRAIN_PROGRAM, copy, fs::copy_options::overwrite_existing);
    std::ofstream(copy, std::ios::app) << '\0';
    const Outcome outcome = trainBeside(trainingInto(m_run), trainingInto(m_run), toText(copy));
    fs::remove(copy);
    verifyRefused(outcome, {"rank 1 on " + m_host, "\"program = "});
}

void TestRankRefusals::Ranks_moreThanTowers_areRefused()
{
    verifyRefused(trainOnMpi(3, trainingInto(m_run)), {"towers is 2", "3 ranks"});
}

void TestRankRefusals::Run_thatIsThere_isRefused()
{
    const fs::path old = m_folder / "old";
    QCOMPARE(runProgram(trainingInto(m_run)).exitCode, 0);
    const Outcome outcome = trainOnMpi(2, trainingInto(m_run));
    fs::rename(m_run, old);
    verifyRefused(outcome, {"a run is there already"});
}

void TestRankRefusals::Data_missingOnOneRank_endsAll()
{
    const fs::path here = m_folder / "complete";
    const fs::path bare = m_folder / "bare";
    fs::create_directories(here);
    fs::create_directories(bare / "pictures");
    fs::create_directory_symlink(smallPictures(), here / "pictures");
    const QStringList training = trainingInto(m_run, "/proc/self/cwd/pictures");
    const Outcome outcome =
        MpiTraining(
            "mpirun",
            QStringList{"--quiet", "--oversubscribe", "--bind-to", "none", "--wdir", toText(here)}
                + MpiTraining::part(1, training) + QStringList{":", "--wdir", toText(bare)}
                + MpiTraining::part(1, training))
            .finish(60'000);
    verifyRefused(outcome, {"rank 1 on " + m_host, "pictures"}, outcome.exitCode);
    QVERIFY(outcome.exitCode == 1 || outcome.exitCode == 2);
}

void TestRankRefusals::Towers_poisoned_endAll()
{
    const fs::path run = m_folder / "poisoned";
    const Outcome outcome = trainOnMpi(
        2, smallTraining(smallPictures(), run, 20) << "--set"
                                                   << "learning_rate.initial=1e20");
    QVERIFY2(outcome.exitCode == 1, outcome.text().constData());
    QVERIFY2(
        outcome.err.contains("tower ") && outcome.err.contains(" on " + m_host + ")")
            && outcome.err.contains("the update was not applied"),
        outcome.text().constData());
    QCOMPARE(outcome.err.count("the update was not applied"), 1);
}

LOCKSTEP_TEST(TestRankRefusals)
#include "test_rank_refusals.moc"
