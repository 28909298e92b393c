// SPDX-License-Identifier: Apache-2.0
#include "ranks/kept_run.h"
#include "ranks/mpi_training.h"
#include "storage/sqlite/sqlite_database.h"
#include "support/lockstep_test.h"

#include <QFileInfo>

#include <algorithm>
#include <random>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

constexpr int kLostOf = 4;
constexpr int kEverySteps = 20;
/// After which a rank that says nothing is lost.
constexpr double kStuckSeconds = kIsSanitized ? 10.0 : 3.0;
constexpr double kMostSeconds = kIsSanitized ? 30.0 : 10.0;

/// How many ranks are lost, half of them killed and half of them stopped: LOCKSTEP_CRASHES.
int losses()
{
    const int number = qEnvironmentVariableIntValue("LOCKSTEP_CRASHES");
    return number > 0 ? number : 4;
}

unsigned seed()
{
    const int number = qEnvironmentVariableIntValue("LOCKSTEP_CRASH_SEED");
    return number > 0 ? static_cast<unsigned>(number) : std::random_device()();
}

QStringList training(const fs::path& run, std::int64_t steps)
{
    return {
        "train",
        "--model",
        LOCKSTEP_SMALL_MODEL,
        "--dataset",
        "cifar10",
        "--data",
        toText(smallPictures()),
        "--towers",
        "4",
        "--batch-per-tower",
        "3",
        "--device",
        "cpu",
        "--steps",
        QString::number(steps),
        "--run",
        toText(run),
        "--resume",
        "--set",
        "threads_per_tower=1",
        "--set",
        "evaluate.at_end=false",
        "--set",
        QString("checkpoint.every_steps=%1").arg(kEverySteps),
        "--set",
        QString("alerts.stuck_seconds=%1").arg(kStuckSeconds)};
}

QString integrityOf(const fs::path& run)
{
    const SqliteDatabase database(RunFolder::storeFileOf(run), SqliteDatabase::Access::Read);
    auto check = database.prepare("PRAGMA integrity_check");
    return check.next() ? QString::fromStdString(check.text(0)) : QString();
}

std::int64_t newestStep(const fs::path& run)
{
    const auto files = listCheckpoints(run / "checkpoints");
    return files.empty() ? 0 : files.back().step;
}

/// The file that is named there.
fs::path fileAfter(const QByteArray& text, const QByteArray& words)
{
    const QByteArray end = ".safetensors";
    const qsizetype begin = text.indexOf(words) + words.size();
    return text.mid(begin, text.indexOf(end, begin) + end.size() - begin).toStdString();
}

/// A rank that only stood still may save once more when mpirun wakes it, to end it.
bool isWhole(const fs::path& checkpoint)
{
    try {
        return readCheckpoint(checkpoint).step >= 0;
    } catch (const Error& error) {
        qWarning("%s", error.what());
        return false;
    }
}

QString medianAndMost(std::vector<double> seconds)
{
    if (seconds.empty()) {
        return "none";
    }
    std::ranges::sort(seconds);
    return QString("median %1 s, most %2 s")
        .arg(seconds[seconds.size() / 2], 0, 'f', 2)
        .arg(seconds.back(), 0, 'f', 2);
}

} // namespace

/// Ranks that are killed, or stand still, at any moment: all others end, say which, and the run
/// goes on as if nothing had been.
class TestLostRanks : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Ranks_thatAreLost_endAllAndLoseNothing();

private:
    double lose(int rank, int signal, int milliseconds);

    TemporaryFolder m_folder;
    fs::path m_run;
};

void TestLostRanks::initTestCase()
{
    if (*reasonAgainstRanks() != '\0') {
        QSKIP(reasonAgainstRanks());
    }
    m_run = m_folder / "run";
}

/// Returns the seconds until all had ended.
double TestLostRanks::lose(int rank, int signal, int milliseconds)
{
    MpiTraining all("mpirun", MpiTraining::onRanks(kLostOf, training(m_run, 100'000'000)));
    if (!all.says("loss ")) {
        const Outcome outcome = all.finish(1'000);
        qWarning("%s", outcome.text().constData());
        return -1.0;
    }
    QTest::qWait(milliseconds);
    QElapsedTimer clock;
    clock.start();
    ::kill(all.ranks().at(rank), signal);
    const Outcome outcome = all.finish(60'000);
    while (!all.ranks().empty() && clock.elapsed() < 60'000) {
        QTest::qWait(10);
    }
    const double seconds = static_cast<double>(clock.elapsed()) / 1e3;
    const QByteArray whom = "rank " + QByteArray::number(rank) + " on "
                            + QSysInfo::machineHostName().toUtf8() + " (tower "
                            + QByteArray::number(rank) + ")";
    const QByteArray said = outcome.err.mid(outcome.err.lastIndexOf(whom));
    const bool isNamed = (signal == SIGKILL ? said.startsWith(whom + " is gone")
                                            : said.startsWith(whom + " is lost")
                                                  || said.startsWith(whom + ": the training"))
                         && isWhole(fileAfter(said, "The last good checkpoint is "));
    if (outcome.exitCode == 0 || !outcome.isExited || !isNamed) {
        qWarning("%s", outcome.text().right(2000).constData());
        return -1.0;
    }
    return seconds;
}

void TestLostRanks::Ranks_thatAreLost_endAllAndLoseNothing()
{
    const unsigned number = seed();
    qInfo("%d losses, LOCKSTEP_CRASH_SEED=%u", losses(), number);
    std::mt19937 random(number);
    std::uniform_int_distribution<int> anyRank(0, kLostOf - 1);
    std::uniform_int_distribution<int> anyTime(0, 600);
    std::vector<double> killed;
    std::vector<double> stopped;
    std::int64_t saved = 0;
    for (int i = 0; i < losses(); ++i) {
        const int rank = i < 2 ? 0 : anyRank(random); // rank 0 of each kind for certain
        const int signal = i % 2 == 0 ? SIGKILL : SIGSTOP;
        const double seconds = lose(rank, signal, anyTime(random));
        QVERIFY2(seconds >= 0.0, "it did not end as it should");
        QVERIFY2(
            seconds < kMostSeconds + (signal == SIGSTOP ? kStuckSeconds : 0.0),
            qPrintable(QString("rank %1, signal %2: %3 s").arg(rank).arg(signal).arg(seconds)));
        (signal == SIGKILL ? killed : stopped).push_back(seconds);
        QCOMPARE(integrityOf(m_run), QString("ok"));
        QVERIFY(newestStep(m_run) >= saved);
        saved = newestStep(m_run);
    }
    qInfo("killed: %s", qPrintable(medianAndMost(killed)));
    qInfo("stopped, with %.0f s of silence: %s", kStuckSeconds, qPrintable(medianAndMost(stopped)));

    const std::int64_t steps = saved + kEverySteps;
    const Outcome last = trainOnMpi(2, training(m_run, steps));
    QVERIFY2(last.exitCode == 0, last.text().constData());
    const fs::path straight = m_folder / "straight";
    const Outcome whole = runProgram(training(straight, steps));
    QVERIFY2(whole.exitCode == 0, whole.text().constData());
    QCOMPARE(differenceOf(m_run, straight), QString());
    qInfo("%lld steps are the same bit for bit", static_cast<long long>(steps));
}

LOCKSTEP_TEST(TestLostRanks)
#include "test_lost_ranks.moc"
