// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace lockstep;
using namespace lockstep::test;

namespace {

DeviceReadingRecord exampleReading(std::int64_t step, const char* device, double temperature = 64.5)
{
    return {
        1.75e9 + 0.125 * static_cast<double>(step),
        step,
        device,
        76'000'000'000,
        150'000'000'000,
        0.98,
        temperature,
        412.25,
        "power limit",
        2'500'000'000};
}

bool sameReading(const DeviceReadingRecord& a, const DeviceReadingRecord& b)
{
    return a.time == b.time && a.step == b.step && a.device == b.device
           && a.memoryUsedBytes == b.memoryUsedBytes && a.memoryTotalBytes == b.memoryTotalBytes
           && a.load == b.load && a.temperature == b.temperature && a.powerWatts == b.powerWatts
           && a.throttleReason == b.throttleReason && a.processMemoryBytes == b.processMemoryBytes;
}

} // namespace

/// The readings of devices in the run store, and stores of other versions.
class TestRunStoreReadings : public QObject
{
    Q_OBJECT
private slots:
    static void Readings_all_roundTrip();
    static void Readings_unknownValues_areNullAndComeBack();
    static void Readings_last_isTheNewestOfEachDevice();
    static void Readings_last_ofADeviceThatIsGone_isNone();
    static void Readings_fromANumberOn_areTheRest();
    static void Readings_ofAnAbandonedBranch_areLeftOut();
    static void OtherVersion_isRefusedByName_data();
    static void OtherVersion_isRefusedByName();
    static void VersionBefore_isRead_andRenewedWhenWritten();
};

void TestRunStoreReadings::Readings_all_roundTrip()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    const std::vector readings{
        exampleReading(3, "cuda:0"), exampleReading(3, "cuda:1"), exampleReading(3, "cuda:0", 65),
        exampleReading(9, "cuda:1")};
    for (const DeviceReadingRecord& reading : readings) {
        store.append(reading);
    }
    store.close();
    const auto found = RunStoreReader(folder / "run.db").deviceReadings();
    QCOMPARE(found.size(), readings.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        QVERIFY(sameReading(found[i], readings[i]));
    }
}

void TestRunStoreReadings::Readings_unknownValues_areNullAndComeBack()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    DeviceReadingRecord reading;
    reading.device = "cuda:0";
    reading.temperature = 0.0; // cold, and known
    store.append(reading);
    store.close();
    const auto found = RunStoreReader(folder / "run.db").deviceReadings();
    QCOMPARE(found.size(), 1U);
    QVERIFY(sameReading(found.front(), reading));
    QCOMPARE(
        ask(folder / "run.db",
            "SELECT count(*) FROM device_reading WHERE temperature = 0 AND load IS NULL AND"
            " power_watts IS NULL AND memory_used_bytes IS NULL AND memory_total_bytes IS NULL AND"
            " process_memory_bytes IS NULL"),
        std::string("1"));
}

void TestRunStoreReadings::Readings_last_isTheNewestOfEachDevice()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    for (std::int64_t step = 0; step < 20; ++step) {
        store.append(exampleReading(step, "cuda:0", static_cast<double>(step)));
        if (step < 10) {
            store.append(exampleReading(step, "cuda:1", 90.0 - static_cast<double>(step)));
        }
    }
    store.close();
    const auto last = RunStoreReader(folder / "run.db").lastDeviceReadings();
    QCOMPARE(last.size(), 2U);
    QVERIFY(sameReading(last[0], exampleReading(9, "cuda:1", 81.0)));
    QVERIFY(sameReading(last[1], exampleReading(19, "cuda:0", 19.0)));
}

void TestRunStoreReadings::Readings_last_ofADeviceThatIsGone_isNone()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    store.append(exampleReading(0, "cuda:1"));
    store.append(exampleReading(1, "cuda:2"));
    for (std::int64_t step = 2; step < RunStoreReader::kLastReadings + 1; ++step) {
        store.append(exampleReading(step, "cuda:0"));
    }
    store.close();
    const auto last = RunStoreReader(folder / "run.db").lastDeviceReadings();
    QCOMPARE(last.size(), 2U);
    QCOMPARE(last[0].device, std::string("cuda:2"));
    QCOMPARE(last[1].step, RunStoreReader::kLastReadings);
}

// More than are read at once.
void TestRunStoreReadings::Readings_fromANumberOn_areTheRest()
{
    constexpr std::int64_t kReadings = 10'000;
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    for (std::int64_t step = 0; step < kReadings; ++step) {
        store.append(exampleReading(step, step % 2 == 0 ? "cpu" : "cuda:0"));
    }
    store.close();
    const RunStoreReader reader(folder / "run.db");
    QCOMPARE(reader.newestReading(), kReadings);
    for (const std::int64_t first : {1, 2, 4097, 9'999, 10'001}) {
        std::int64_t next = first;
        reader.forEachDeviceReading(
            [&](const DeviceReadingRecord& reading) { QCOMPARE(reading.step + 1, next++); }, first);
        QCOMPARE(next, kReadings + 1);
    }
}

void TestRunStoreReadings::Readings_ofAnAbandonedBranch_areLeftOut()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    for (const std::int64_t step : {2, 5, 8}) {
        store.append(exampleReading(step, "cuda:0"));
    }
    store.startBranch(exampleBranch(2, 5));
    store.append(exampleReading(6, "cuda:0"));
    store.close();
    std::vector<std::int64_t> steps;
    for (const auto& reading : RunStoreReader(folder / "run.db").deviceReadings()) {
        steps.push_back(reading.step);
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{2, 5, 6}));
}

void TestRunStoreReadings::OtherVersion_isRefusedByName_data()
{
    QTest::addColumn<std::string>("version");
    for (const char* version : {"0", "1", "2", "3", "4", "5", "8"}) {
        QTest::newRow(version) << std::string(version);
    }
}

void TestRunStoreReadings::OtherVersion_isRefusedByName()
{
    QFETCH(std::string, version);
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    RunStore(file).close();
    QCOMPARE(ask(file, "PRAGMA user_version = " + version), std::string());
    const auto read = errorOf([&] { RunStoreReader reader(file); });
    const auto written = errorOf([&] { RunStore store(file); });
    for (const auto& error : {read, written}) {
        QVERIFY(tells(
            error, ErrorCode::Data, file.string(), "of version " + version + ",",
            "versions 6 and 7"));
    }
    QCOMPARE(ask(file, "PRAGMA user_version"), version);
}

// As a program wrote it that did not keep weight decay apart.
void TestRunStoreReadings::VersionBefore_isRead_andRenewedWhenWritten()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    std::vector<StepRecord> written;
    RunStore store(file);
    store.startBranch(exampleBranch(2));
    for (std::int64_t step = 0; step < 10; ++step) {
        written.push_back(exampleStep(step, 2));
        written.back().weightDecayLoss = std::numeric_limits<double>::quiet_NaN();
        store.append(written.back());
    }
    store.close();
    std::string drops;
    std::string views; // in the order in which they need each other
    for (const std::string view :
         {"all_step", "all_tower_step", "alert", "current_line", "current_step",
          "current_tower_step"}) {
        std::string sql = ask(file, "SELECT sql FROM sqlite_master WHERE name = '" + view + "'");
        if (const auto added = sql.find(", weight_decay_loss"); added != std::string::npos) {
            sql.erase(added, sql.find("cross_entropy_mean") + 18 - added);
        }
        views += sql + ";";
        drops = "DROP VIEW " + view + ";" + drops;
    }
    QCOMPARE(
        ask(file, drops + "ALTER TABLE step DROP COLUMN weight_decay_loss;" + views
                      + "PRAGMA user_version = 6"),
        std::string());
    const auto check = [&] {
        std::size_t next = 0;
        RunStoreReader(file).forEachStep([&](const StepRecord& step) {
            StepRecord read = step;
            StepRecord known = written.at(next++);
            QCOMPARE(std::isnan(read.weightDecayLoss), std::isnan(known.weightDecayLoss));
            if (std::isnan(known.weightDecayLoss)) { // which equals nothing
                QCOMPARE(crossEntropy(read), known.lossMean);
                read.weightDecayLoss = known.weightDecayLoss = 0.0;
            }
            QVERIFY(sameStep(read, known));
        });
        QCOMPARE(next, written.size());
    };
    check();
    QCOMPARE(ask(file, "PRAGMA user_version"), std::string("6")); // who reads changes nothing
    RunStore again(file);
    again.startBranch(exampleBranch(2, 10));
    written.push_back(exampleStep(10, 2));
    again.append(written.back());
    again.close();
    QCOMPARE(ask(file, "PRAGMA user_version"), std::string("7"));
    check();
    QCOMPARE(
        ask(file, "SELECT count(*) FROM current_step WHERE cross_entropy_mean < loss_mean"),
        std::string("1"));
    QCOMPARE(
        ask(file, "SELECT count(*) FROM current_step WHERE cross_entropy_mean IS NULL"),
        std::string("10"));
}

LOCKSTEP_TEST(TestRunStoreReadings)
#include "test_run_store_readings.moc"
