// SPDX-License-Identifier: Apache-2.0
#include "storage/files.h"
#include "storage/run_store.h"
#include "storage/run_store_reader.h"
#include "storage/steps.h"
#include "support/temporary_folder.h"

#include <sqlite3.h>

#include <QtTest>

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
        "power limit"};
}

bool sameReading(const DeviceReadingRecord& a, const DeviceReadingRecord& b)
{
    return a.time == b.time && a.step == b.step && a.device == b.device
           && a.memoryUsedBytes == b.memoryUsedBytes && a.memoryTotalBytes == b.memoryTotalBytes
           && a.load == b.load && a.temperature == b.temperature && a.powerWatts == b.powerWatts
           && a.throttleReason == b.throttleReason;
}

/// Of a statement, the first value of its last row; done by SQLite itself.
std::string ask(const std::filesystem::path& file, const char* sql)
{
    sqlite3* database = nullptr;
    std::string answer;
    const auto take = [](void* target, int, char** values, char**) {
        *static_cast<std::string*>(target) = values[0] == nullptr ? "NULL" : values[0];
        return 0;
    };
    if (sqlite3_open(file.c_str(), &database) != SQLITE_OK
        || sqlite3_exec(database, sql, take, &answer, nullptr) != SQLITE_OK) {
        answer = sqlite3_errmsg(database);
    }
    sqlite3_close(database);
    return answer;
}

/// As version 1 left it.
void makeOlder(const std::filesystem::path& file)
{
    QCOMPARE(ask(file, "DROP TABLE device_reading; PRAGMA user_version = 1"), std::string());
}

} // namespace

/// The readings of devices in the run store, and the stores that had none.
class TestRunStoreReadings : public QObject
{
    Q_OBJECT
private slots:
    static void Readings_all_roundTrip();
    static void Readings_unknownValues_areNullAndComeBack();
    static void Readings_last_isTheNewestOfEachDevice();
    static void Readings_ofAnAbandonedBranch_areLeftOut();
    static void OlderStore_isReadAsItIs();
    static void OlderStore_written_isBroughtUp();
    static void NewerStore_isRefused();
};

void TestRunStoreReadings::Readings_all_roundTrip()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
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
            " power_watts IS NULL AND memory_used_bytes IS NULL AND memory_total_bytes IS NULL"),
        std::string("1"));
}

void TestRunStoreReadings::Readings_last_isTheNewestOfEachDevice()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
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

void TestRunStoreReadings::Readings_ofAnAbandonedBranch_areLeftOut()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    for (const std::int64_t step : {2, 5, 8}) {
        store.append(exampleReading(step, "cuda:0"));
    }
    store.startBranch(5);
    store.append(exampleReading(6, "cuda:0"));
    store.close();
    std::vector<std::int64_t> steps;
    for (const auto& reading : RunStoreReader(folder / "run.db").deviceReadings()) {
        steps.push_back(reading.step);
    }
    QCOMPARE(steps, (std::vector<std::int64_t>{2, 5, 6}));
}

void TestRunStoreReadings::OlderStore_isReadAsItIs()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    {
        RunStore store(file);
        store.append(exampleStep(0, 2));
    }
    makeOlder(file);
    const RunStoreReader reader(file);
    QCOMPARE(reader.nextStep(), 1);
    QVERIFY(reader.deviceReadings().empty());
    QVERIFY(reader.lastDeviceReadings().empty());
    QCOMPARE(ask(file, "PRAGMA user_version"), std::string("1"));
}

void TestRunStoreReadings::OlderStore_written_isBroughtUp()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    {
        RunStore store(file);
        store.append(exampleStep(0, 2));
        store.append(RunValue{"seed", "1"});
    }
    makeOlder(file);
    const RunStoreReader before(file); // that someone has open meanwhile
    QVERIFY(before.deviceReadings().empty());
    {
        RunStore store(file);
        store.startBranch(1);
        store.append(exampleStep(1, 2));
        store.append(exampleReading(2, "cuda:0"));
    }
    const RunStoreReader reader(file);
    QCOMPARE(reader.nextStep(), 2);
    QCOMPARE(reader.values().at("seed"), std::string("1"));
    int steps = 0;
    reader.forEachStep(
        [&](const StepRecord& step) { QVERIFY(sameStep(step, exampleStep(steps++, 2))); });
    QCOMPARE(steps, 2);
    QCOMPARE(reader.deviceReadings().size(), 1U);
    QCOMPARE(before.deviceReadings().size(), 1U);
    QCOMPARE(ask(file, "PRAGMA user_version"), std::string("2"));
}

void TestRunStoreReadings::NewerStore_isRefused()
{
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    RunStore(file).close();
    QCOMPARE(ask(file, "PRAGMA user_version = 3"), std::string());
    const auto read = errorOf([&] { RunStoreReader reader(file); });
    const auto written = errorOf([&] { RunStore store(file); });
    QVERIFY(tells(read, ErrorCode::Data, file.string(), "version 3", "versions 1 to 2"));
    QVERIFY(tells(written, ErrorCode::Data, file.string(), "version 3"));
    QCOMPARE(ask(file, "PRAGMA user_version"), std::string("3"));
}

QTEST_GUILESS_MAIN(TestRunStoreReadings)
#include "test_run_store_readings.moc"
