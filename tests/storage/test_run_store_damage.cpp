// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/sql.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/steps.h"
#include "storage/store/csv_export.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/gradients.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <sstream>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kSteps = 120;

void writeRun(const std::filesystem::path& file)
{
    RunStore store(file);
    store.startBranch(exampleBranch(2));
    writeSteps(store, 0, kSteps, 2);
}

/// Reads everything there is; false if a step is not what was written, or missing.
bool isReadRight(const std::filesystem::path& file)
{
    const RunStoreReader reader(file);
    std::int64_t next = 0;
    bool isRight = true;
    reader.forEachStep([&](const StepRecord& step) {
        isRight = isRight && sameStep(step, exampleStep(next++, 2));
    });
    return isRight && next == kSteps;
}

/// An error that a person can do something with.
bool isGoodAdvice(const Error& error, const std::filesystem::path& file)
{
    const bool isOfTheFile = error.code() == ErrorCode::Data || error.code() == ErrorCode::Io;
    return isOfTheFile && std::string(error.what()).find(file.string()) != std::string::npos;
}

} // namespace

/// Files that are not what they were: never a crash, never a wrong number.
class TestRunStoreDamage : public QObject
{
    Q_OBJECT
private slots:
    static void Store_badFile_isNamed_data();
    static void Store_badFile_isNamed();
    static void Store_thatCannotBeLookedFor_isNamed();
    static void Store_ofTooManyTowers_isRefused_data();
    static void Store_ofTooManyTowers_isRefused();
    static void Store_flippedBit_isNeverReadAsANumber();
    static void Store_flippedLoss_namesTheStepAndWhatToDo();
    static void Store_rowGone_isMissed();
    static void Store_changedRow_isNoticed_data();
    static void Store_changedRow_isNoticed();
    static void Store_cutShort_isNamed();
    static void Store_damaged_thenMovedAway_goesOn();
};

void TestRunStoreDamage::Store_badFile_isNamed_data()
{
    QTest::addColumn<QString>("content");
    QTest::newRow("garbage") << QString("this is no database at all").repeated(100);
    QTest::newRow("other database") << QString();
}

void TestRunStoreDamage::Store_badFile_isNamed()
{
    QFETCH(QString, content);
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    if (content.isEmpty()) {
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open(file.c_str(), &database), SQLITE_OK);
        QCOMPARE(
            sqlite3_exec(database, "CREATE TABLE t (x)", nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    } else {
        writeBytes(file, content.toStdString());
    }
    const std::string before = readBytes(file);
    QVERIFY(tells(errorOf([&] { RunStore store(file); }), ErrorCode::Data, file.string()));
    QVERIFY(tells(errorOf([&] { RunStoreReader reader(file); }), ErrorCode::Data, file.string()));
    const auto missing = folder / "nothing" / "run.db";
    QVERIFY(tells(errorOf([&] { RunStore store(missing); }), ErrorCode::Io, missing.string()));
    QVERIFY(
        tells(errorOf([&] { RunStoreReader reader(missing); }), ErrorCode::Io, missing.string()));
    QCOMPARE(readBytes(file).size(), before.size());
}

// A link to itself: looking it up fails for root as for anyone.
void TestRunStoreDamage::Store_thatCannotBeLookedFor_isNamed()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    std::filesystem::create_symlink(file, file);
    QVERIFY(tells(errorOf([&] { RunStoreReader reader(file); }), ErrorCode::Io, file.string()));
}

void TestRunStoreDamage::Store_ofTooManyTowers_isRefused_data()
{
    QTest::addColumn<std::int64_t>("towers");
    for (const std::int64_t towers :
         {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1025}, std::int64_t{0x7fffffff},
          (std::int64_t{1} << 32) + 2}) {
        QTest::addRow("%lld", static_cast<long long>(towers)) << towers;
    }
}

// With a checksum that fits, so that nothing else finds it: what is read takes memory for each.
void TestRunStoreDamage::Store_ofTooManyTowers_isRefused()
{
    QFETCH(std::int64_t, towers);
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    RowChecksum checksum;
    checksum.add(1);                             // id
    checksum.add(std::optional<std::int64_t>()); // parent
    checksum.add(0);                             // from_step
    checksum.add(1.5);                           // created
    checksum.add(towers);
    checksum.add(kExampleBatch);
    checksum.add(kExampleTrainingSet);
    const auto sql = fmt::format(
        "UPDATE branch SET created = 1.5, towers = {}, row_checksum = {}", towers, checksum.take());
    QCOMPARE(ask(file, sql), std::string());
    QVERIFY(tells(
        errorOf([&] { isReadRight(file); }), ErrorCode::Data, file.string(),
        fmt::format("branch 1 has {} towers", towers)));
}

// SQLite has no checksums of pages: those of the steps have to find what it does not.
void TestRunStoreDamage::Store_flippedBit_isNeverReadAsANumber()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    QVERIFY(isReadRight(file));
    const auto size = std::filesystem::file_size(file);
    int refused = 0;
    for (std::size_t byte = 0; byte < size; byte += byte < 4200 ? 7 : 43) {
        const unsigned bit = byte % 8;
        flipBit(file, byte, bit);
        try {
            QVERIFY2(isReadRight(file), qPrintable(QStringLiteral("byte %1").arg(byte)));
        } catch (const Error& error) {
            ++refused;
            QVERIFY2(isGoodAdvice(error, file), error.what());
        }
        flipBit(file, byte, bit);
    }
    QVERIFY(isReadRight(file));
    QVERIFY(refused > 100);
}

void TestRunStoreDamage::Store_flippedLoss_namesTheStepAndWhatToDo()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    ask(file, "UPDATE tower_step SET loss = loss + 1e-9 WHERE step = 17 AND tower = 1");
    const auto error = errorOf([&] { isReadRight(file); });
    QVERIFY(tells(
        error, ErrorCode::Data, file.string(), "step 17 of branch 1", "move this file away",
        "resume"));
    std::ostringstream out;
    QVERIFY(
        tells(errorOf([&] { writeCsv(stepsAsCsv(RunStoreReader(file)), out); }), ErrorCode::Data));
    // What does not need that step is there.
    QCOMPARE(RunStoreReader(file).nextStep(), kSteps);
    int steps = 0;
    RunStoreReader(file).forEachStep([&](const StepRecord&) { ++steps; }, 18);
    QCOMPARE(steps, kSteps - 18);
}

void TestRunStoreDamage::Store_rowGone_isMissed()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    ask(file, "DELETE FROM step WHERE step = 50");
    QVERIFY(tells(
        errorOf([&] { isReadRight(file); }), ErrorCode::Data, "step 50 of branch 1 is missing"));
    const auto second = folder / "second.db";
    writeRun(second);
    ask(second, "DELETE FROM tower_step WHERE step = 0 AND tower = 1");
    QVERIFY(tells(errorOf([&] { isReadRight(second); }), ErrorCode::Data, "step 0 of branch 1"));
}

void TestRunStoreDamage::Store_changedRow_isNoticed_data()
{
    QTest::addColumn<std::string>("change");
    for (const char* change :
         {"run SET value = '2'", "branch SET created = created + 1", "branch SET id = 2",
          "evaluation SET correct = 8", "event SET text = 'Started'", "checkpoint SET bytes = 2",
          "preflight SET result = 'failed'", "device_reading SET load = NULL",
          "parameter SET name = 'conv2.weight' WHERE id = 0", "gradient SET update_squares = 0",
          "tower_gradient SET dot_mean = 1 WHERE parameter = 2", "tower_gradient SET tower = 7",
          "step SET branch = 2"}) {
        QTest::newRow(change) << std::string(change);
    }
}

void TestRunStoreDamage::Store_changedRow_isNoticed()
{
    QFETCH(std::string, change);
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    RunStore store(file);
    store.startBranch(exampleBranch(1));
    store.append(RunValue{"seed", "1"});
    store.append(RunEvent{0, "info", "started"});
    store.append(EvaluationRecord{0, WeightsKind::Raw, 100, 7, 0.07, 2.0, 1.0});
    store.append(RunCheckpoint{0, "checkpoints/a", 1, "0123abcd", "start"});
    store.append(PreflightRecord{"data", PreflightResult::Passed, "10 classes", 0.5});
    store.append(DeviceReadingRecord{1.0, 0, "cuda:0", 1, 2, 0.5, 60.0, 300.0, ""});
    store.append(exampleStep(0, 1));
    store.append(exampleGradients(0, 1));
    store.close();
    const auto readAll = [&] {
        const RunStoreReader reader(file);
        reader.forEachStep([](const StepRecord&) {});
        static_cast<void>(reader.values());
        static_cast<void>(reader.events());
        static_cast<void>(reader.evaluations());
        static_cast<void>(reader.checkpoints());
        static_cast<void>(reader.preflight());
        static_cast<void>(reader.deviceReadings());
        static_cast<void>(reader.someGradients(10));
    };
    QVERIFY(!errorOf(readAll));
    QCOMPARE(ask(file, "UPDATE " + change), std::string());
    QVERIFY(tells(errorOf(readAll), ErrorCode::Data, file.string(), "move this file away"));
}

void TestRunStoreDamage::Store_cutShort_isNamed()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    const std::string whole = readBytes(file);
    for (std::size_t size = 0; size < whole.size(); size += size < 300 ? 50 : 1500) {
        writeBytes(file, whole.substr(0, size));
        const auto error = errorOf([&] { QVERIFY(isReadRight(file)); });
        QVERIFY2(error.has_value(), qPrintable(QStringLiteral("%1 bytes").arg(size)));
        QVERIFY2(isGoodAdvice(*error, file), error->what());
    }
}

// The advice, taken.
void TestRunStoreDamage::Store_damaged_thenMovedAway_goesOn()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    writeRun(file);
    writeBytes(file, readBytes(file).substr(0, 5000));
    QVERIFY(tells(errorOf([&] { isReadRight(file); }), ErrorCode::Data, "move this file away"));
    std::filesystem::rename(file, folder / "damaged.db");
    RunStore store(file);
    store.startBranch(exampleBranch(2, 150));
    store.append(exampleStep(150, 2));
    store.close();
    QCOMPARE(RunStoreReader(file).nextStep(), 151);
    QVERIFY(RunStoreReader(file).events().empty());
}

LOCKSTEP_TEST(TestRunStoreDamage)
#include "test_run_store_damage.moc"
