// SPDX-License-Identifier: Apache-2.0
#include "cli/program.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/sqlite/sqlite_database.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/small_pictures.h"

#include <fstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

namespace fs = std::filesystem;

constexpr int kSavedStep = 4;
constexpr int kSteps = 8;

/// Every how many calls one goes wrong: all of them if LOCKSTEP_FAULTS=all.
long stride()
{
    return qEnvironmentVariable("LOCKSTEP_FAULTS") == QLatin1String("all") ? 1 : 9;
}

std::vector<double> losses(const fs::path& run)
{
    std::vector<double> values;
    RunStoreReader(RunFolder::storeFileOf(run)).forEachStep([&](const StepRecord& record) {
        values.push_back(record.lossMean);
    });
    return values;
}

QString integrityOf(const fs::path& run)
{
    const SqliteDatabase database(RunFolder::storeFileOf(run), SqliteDatabase::Access::Read);
    auto check = database.prepare("PRAGMA integrity_check");
    return check.next() ? QString::fromStdString(check.text(0)) : QString();
}

QStringList training(const fs::path& run, int steps)
{
    return smallTraining(smallPictures(), run, steps)
           + QStringList{"--resume", "--json",
                         "--set",    "checkpoint.every_steps=2",
                         "--set",    "checkpoint.keep=2",
                         "--set",    "evaluate.every_steps=4",
                         "--set",    "events.every_steps=3"};
}

/// A fault to come: see fault_injector.cpp.
struct Fault
{
    fs::path folder;
    QString kind;
    long at = 0;
    fs::path count;
};

struct End
{
    bool isKilled = false;
    int exitCode = -1;
    QByteArray errors;
};

End trainWith(const Fault& fault, const fs::path& run)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", LOCKSTEP_FAULT_INJECTOR);
    environment.insert("LOCKSTEP_FAULT_FOLDER", toText(fault.folder));
    environment.insert("LOCKSTEP_FAULT_KIND", fault.kind);
    environment.insert("LOCKSTEP_FAULT_AT", QString::number(fault.at));
    environment.insert("LOCKSTEP_FAULT_COUNT", toText(fault.count));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(LOCKSTEP_TRAIN_PROGRAM, training(run, kSteps));
    process.waitForFinished(60'000);
    return {
        process.exitStatus() == QProcess::CrashExit, process.exitCode(),
        process.readAllStandardError()};
}

long numberIn(const fs::path& file)
{
    long number = 0;
    std::ifstream(file) >> number;
    return number;
}

} // namespace

/// Every write, sync, rename and removal in a run's folder goes wrong once.
class TestFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void Training_withAFault_losesNothing_data();
    void Training_withAFault_losesNothing();

private:
    void checkAfter(const End& end, const fs::path& run, const QByteArray& what);

    TemporaryFolder m_folder;
    fs::path m_base; ///< a run that was saved at kSavedStep
    std::vector<double> m_straight;
    long m_calls = 0;
};

void TestFaults::initTestCase()
{
    m_base = m_folder / "base";
    QCOMPARE(runProgram(training(m_base, kSavedStep)).exitCode, 0);
    const fs::path whole = m_folder / "whole";
    QCOMPARE(runProgram(training(whole, kSteps)).exitCode, 0);
    m_straight = losses(whole);
    QCOMPARE(m_straight.size(), std::size_t{kSteps});

    const fs::path run = m_folder / "counted";
    fs::copy(m_base, run, fs::copy_options::recursive);
    const fs::path count = m_folder / "count";
    const End end = trainWith({run, "fail", 0, count}, run);
    QCOMPARE(end.exitCode, 0);
    m_calls = numberIn(count);
    // Two checkpoints, some transactions, events and their renames at least.
    QVERIFY2(m_calls > 50, qPrintable(QString::number(m_calls)));
    qInfo("%ld calls that write, sync, rename or remove", m_calls);
}

void TestFaults::Training_withAFault_losesNothing_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("the disk is full from then on") << "fail";
    QTest::newRow("half a write, then the disk is full") << "short";
    QTest::newRow("one call fails") << "once";
    QTest::newRow("killed before the call") << "kill";
}

void TestFaults::checkAfter(const End& end, const fs::path& run, const QByteArray& what)
{
    // What was saved before is never touched.
    const auto newest = newestGoodCheckpoint(run / "checkpoints", [](const std::string&) {});
    QVERIFY2(newest && newest->file.step >= kSavedStep, what);
    QVERIFY2(integrityOf(run) == "ok", what);
    if (end.exitCode == 0 && !end.isKilled) {
        QVERIFY2(newest->file.step == kSteps, what);
        QVERIFY2(losses(run) == m_straight, what);
    } else if (!end.isKilled) {
        QVERIFY2(end.exitCode == 1, what);
        QVERIFY2(end.errors.contains(toText(run).toUtf8()), what + end.errors);
    }
    const Outcome resumed = runProgram(training(run, kSteps));
    QVERIFY2(resumed.exitCode == 0, what + resumed.text());
    QVERIFY2(losses(run) == m_straight, what);
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        QVERIFY2(entry.path().extension() != ".tmp", what + entry.path().c_str());
    }
}

void TestFaults::Training_withAFault_losesNothing()
{
    QFETCH(QString, kind);
    int failed = 0;
    int tried = 0;
    for (long at = 1 + static_cast<long>(kind.size()) % stride(); at <= m_calls; at += stride()) {
        const fs::path run = m_folder / "run";
        fs::remove_all(run);
        fs::copy(m_base, run, fs::copy_options::recursive);
        const fs::path count = m_folder / "count";
        fs::remove(count);
        const End end = trainWith({run, kind, at, count}, run);
        if (numberIn(count) < at) {
            break; // a slower run has a transaction more, a faster one less
        }
        const QByteArray what = QByteArray::number(static_cast<qlonglong>(at)) + ": exit "
                                + QByteArray::number(end.exitCode)
                                + (end.isKilled ? " killed " : " ") + end.errors;
        QVERIFY2(end.isKilled == (kind == "kill"), what);
        checkAfter(end, run, what);
        if (QTest::currentTestFailed()) {
            return;
        }
        ++tried;
        failed += end.exitCode != 0 ? 1 : 0;
    }
    qInfo("%d faults tried, %d ended the program", tried, failed);
    QVERIFY(failed > tried / 4);
}

LOCKSTEP_TEST(TestFaults)
#include "test_faults.moc"
