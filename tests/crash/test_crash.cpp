// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "session/run/training_run.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/sqlite/sqlite_database.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/small_pictures.h"

#include <QElapsedTimer>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

/// Steps between checkpoints: of lives with many, and of lives with none, in which the store alone
/// keeps what happened.
constexpr int kEverySteps = 40;
constexpr int kHardlyEver = 1'000'000;
constexpr int kKeep = 3;
/// The store writes each second; this allows for the transaction itself on a busy machine.
constexpr double kMostSecondsLost = 1.5;
/// Of the straight training that all pieces are compared with.
constexpr std::int64_t kMostCompared = 40'000;

int crashes()
{
    const int number = qEnvironmentVariableIntValue("LOCKSTEP_CRASHES");
    return number > 0 ? number : 12;
}

unsigned seed()
{
    const int number = qEnvironmentVariableIntValue("LOCKSTEP_CRASH_SEED");
    return number > 0 ? static_cast<unsigned>(number) : std::random_device()();
}

/// What one life of the program said before it was killed.
struct Life
{
    std::int64_t firstStep = -1; ///< -1: it did not come so far
    std::map<std::int64_t, double> losses;
    std::map<std::int64_t, double> printedAt; ///< seconds since it was started, by step
    std::vector<std::int64_t> checkpoints;
    double killedAt = 0.0;
    QByteArray errors;
};

class Program
{
public:
    explicit Program(const QStringList& arguments)
    {
        m_process.start(LOCKSTEP_TRAIN_PROGRAM, arguments);
        m_clock.start();
    }

    /// Listens for so long, then kills it. An early end is told by the exit code.
    Life killAfter(double seconds)
    {
        while (now() < seconds && m_process.state() != QProcess::NotRunning) {
            m_process.waitForReadyRead(1);
            take();
        }
        m_life.killedAt = now();
        m_process.kill();
        m_process.waitForFinished();
        take();
        m_life.errors = m_process.readAllStandardError();
        return m_life;
    }

    [[nodiscard]] bool isKilled() const { return m_process.exitStatus() == QProcess::CrashExit; }

private:
    [[nodiscard]] double now() const { return static_cast<double>(m_clock.nsecsElapsed()) * 1e-9; }

    void take()
    {
        while (m_process.canReadLine()) {
            const QJsonObject event = QJsonDocument::fromJson(m_process.readLine()).object();
            const auto step = static_cast<std::int64_t>(event["step"].toDouble());
            const QString kind = event["event"].toString();
            if (kind == "started") {
                m_life.firstStep = step;
            } else if (kind == "step") {
                m_life.losses[step] = event["loss_mean"].toDouble();
                m_life.printedAt[step] = now();
            } else if (kind == "checkpoint") {
                m_life.checkpoints.push_back(step);
            }
        }
    }

    QProcess m_process;
    QElapsedTimer m_clock;
    Life m_life;
};

std::set<std::int64_t> goodCheckpoints(const fs::path& folder)
{
    std::set<std::int64_t> steps;
    for (const CheckpointFile& file : listCheckpoints(folder)) {
        try {
            if (readCheckpoint(file.path).step == file.step) {
                steps.insert(file.step);
            }
        } catch (const Error&) {
            continue;
        }
    }
    return steps;
}

QStringList leftovers(const fs::path& run)
{
    QStringList names;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".tmp") || name.starts_with("probe")) {
            names << QString::fromStdString(entry.path().string());
        }
    }
    return names;
}

std::map<std::int64_t, double> storedLosses(const fs::path& run)
{
    std::map<std::int64_t, double> losses;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& record) {
        losses[record.step] = record.lossMean;
    });
    return losses;
}

} // namespace

/// A training that is killed again and again, at any moment, and goes on.
class TestCrash : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Training_killedAtAnyMoment_losesAtMostASecond();
    void Training_afterAllKills_isTheOneThatWasNeverKilled();

private:
    [[nodiscard]] static QStringList arguments(
        const fs::path& run, std::int64_t steps, int everySteps = kEverySteps);
    void checkStore(const Life& life);
    void checkCheckpoints(const Life& life);

    TemporaryFolder m_folder;
    fs::path m_run;
    std::int64_t m_lastCheckpoint = -1; ///< the newest that was ever told
    double m_mostSecondsLost = 0.0;
    std::int64_t m_stepsMade = 0;
};

QStringList TestCrash::arguments(const fs::path& run, std::int64_t steps, int everySteps)
{
    return smallTraining(smallPictures(), run, static_cast<int>(steps))
           + QStringList{"--json", "--resume",
                         "--set",  "evaluate.every_steps=100",
                         "--set",  "events.every_steps=50",
                         "--set",  QString("checkpoint.every_steps=%1").arg(everySteps),
                         "--set",  QString("checkpoint.keep=%1").arg(kKeep)};
}

void TestCrash::initTestCase()
{
    m_run = m_folder / "run";
}

/// What was printed is stored as it was printed, except for the last second.
void TestCrash::checkStore(const Life& life)
{
    const fs::path file = RunFolder::storeFileOf(m_run);
    if (!fs::exists(file)) {
        QVERIFY2(life.losses.empty(), "steps were printed, but there is no store");
        return;
    }
    {
        const SqliteDatabase database(file, SqliteDatabase::Access::Read);
        auto check = database.prepare("PRAGMA integrity_check");
        QVERIFY(check.next());
        QCOMPARE(QString::fromStdString(check.text(0)), QStringLiteral("ok"));
    }
    if (life.losses.empty()) {
        return;
    }
    const auto stored = storedLosses(m_run);
    for (const auto& [step, loss] : life.losses) {
        const auto found = stored.find(step);
        if (found != stored.end()) {
            QCOMPARE(found->second, loss);
            continue;
        }
        const double lost = life.killedAt - life.printedAt.at(step);
        m_mostSecondsLost = std::max(m_mostSecondsLost, lost);
        QVERIFY2(
            lost <= kMostSecondsLost,
            qPrintable(
                QStringLiteral("step %1 was printed %2 s before the kill").arg(step).arg(lost)));
    }
    // One row a step, no gaps.
    const auto begin = stored.lower_bound(life.firstStep);
    std::int64_t expected = life.firstStep;
    for (auto step = begin; step != stored.end(); ++step, ++expected) {
        QCOMPARE(step->first, expected);
    }
}

/// What was told to be saved can be loaded, and a training never goes back behind it.
void TestCrash::checkCheckpoints(const Life& life)
{
    if (life.firstStep >= 0) {
        QVERIFY2(
            life.firstStep >= m_lastCheckpoint,
            qPrintable(QStringLiteral("it began at step %1, though step %2 was saved")
                           .arg(life.firstStep)
                           .arg(m_lastCheckpoint)));
    }
    const auto good = goodCheckpoints(m_run / "checkpoints");
    std::vector<std::int64_t> told = life.checkpoints;
    std::ranges::sort(told);
    // One more may have been saved, and pushed the oldest out, before it was told.
    const std::size_t kept = std::min<std::size_t>(told.size(), kKeep - 1);
    for (std::size_t i = told.size() - kept; i < told.size(); ++i) {
        QVERIFY2(
            good.contains(told[i]),
            qPrintable(QStringLiteral("checkpoint of step %1 is lost").arg(told[i])));
        m_lastCheckpoint = std::max(m_lastCheckpoint, told[i]);
    }
    for (const CheckpointFile& file : listCheckpoints(m_run / "checkpoints")) {
        QVERIFY2(good.contains(file.step), "a checkpoint under its name is not whole");
    }
}

void TestCrash::Training_killedAtAnyMoment_losesAtMostASecond()
{
    const unsigned number = seed();
    qInfo("%d kills, LOCKSTEP_CRASH_SEED=%u", crashes(), number);
    std::mt19937 random(number);
    // Half of them while it starts and makes its first checkpoints, half of them later.
    std::uniform_real_distribution<double> early(0.0, 0.25);
    std::uniform_real_distribution<double> late(0.0, 2.2);
    int killed = 0;
    int started = 0;
    while (killed < crashes()) {
        const int everySteps = killed % 5 == 1 ? kHardlyEver : kEverySteps;
        Program program(arguments(m_run, 100'000'000, everySteps));
        const Life life = program.killAfter(killed % 2 == 0 ? early(random) : late(random));
        QVERIFY2(program.isKilled(), life.errors.constData());
        ++killed;
        started += life.firstStep >= 0 ? 1 : 0;
        if (life.firstStep >= 0) {
            // It cleans up after those before it; the kill itself may leave one thing behind.
            QVERIFY2(leftovers(m_run).size() <= 1, qPrintable(leftovers(m_run).join(" ")));
        }
        checkStore(life);
        checkCheckpoints(life);
        if (QTest::currentTestFailed()) {
            return;
        }
        for (const auto& [step, loss] : life.losses) {
            m_stepsMade = std::max(m_stepsMade, step + 1);
        }
    }
    QVERIFY2(started >= killed / 4, "hardly one of them got as far as training");
    qInfo(
        "%d kills, %d of them in training, at step %lld; at most %.2f s of steps were lost", killed,
        started, static_cast<long long>(m_stepsMade), m_mostSecondsLost);
}

void TestCrash::Training_afterAllKills_isTheOneThatWasNeverKilled()
{
    const std::int64_t steps = std::max<std::int64_t>(m_lastCheckpoint, 0) + kEverySteps;
    const Outcome last = runProgram(arguments(m_run, steps));
    QVERIFY2(last.exitCode == 0, last.text().constData());
    QVERIFY2(leftovers(m_run).isEmpty(), qPrintable(leftovers(m_run).join(" ")));
    QVERIFY(!fs::exists(m_run / "control.sock"));
    const auto stored = storedLosses(m_run);
    QCOMPARE(stored.size(), static_cast<std::size_t>(steps));

    const std::int64_t compared = std::min(steps, kMostCompared);
    const fs::path straight = m_folder / "straight";
    const Outcome whole = runProgram(arguments(straight, compared));
    QVERIFY2(whole.exitCode == 0, whole.text().constData());
    for (const auto& [step, loss] : storedLosses(straight)) {
        QCOMPARE(stored.at(step), loss);
    }
    qInfo("%lld steps are the same bit for bit", static_cast<long long>(compared));
}

LOCKSTEP_TEST(TestCrash)
#include "test_crash.moc"
