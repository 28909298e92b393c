// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "storage/run_store.h"
#include "storage/run_store_reader.h"
#include "storage/steps.h"
#include "support/temporary_folder.h"

#include <QtTest>

#include <ctime>

using namespace lockstep;
using namespace lockstep::test;

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace

class TestRunStoreSpeed : public QObject
{
    Q_OBJECT
private slots:
    static void Store_longRun_isFastAndSmall_data();
    static void Store_longRun_isFastAndSmall();
};

void TestRunStoreSpeed::Store_longRun_isFastAndSmall_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("towers");
    QTest::addColumn<double>("mostBytes");
    const int scale = kIsSanitized ? 20 : 1;
    QTest::newRow("8 towers") << 100'000 / scale << 8 << 150.0;
    // The step's own row, with ten numbers of 8 bytes, falls to the one tower alone.
    QTest::newRow("1 tower") << 100'000 / scale << 1 << 165.0;
}

// Rates are reported always and asserted, with room for a busy machine, in plain builds only.
void TestRunStoreSpeed::Store_longRun_isFastAndSmall()
{
    QFETCH(int, steps);
    QFETCH(int, towers);
    QFETCH(double, mostBytes);
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    std::vector<StepRecord> records;
    records.reserve(static_cast<std::size_t>(steps));
    for (int step = 0; step < steps; ++step) {
        records.push_back(exampleStep(step, towers));
    }
    const Stopwatch watch;
    const double before = threadSeconds();
    RunStore store(file);
    for (auto& record : records) {
        store.append(std::move(record));
    }
    const double appending = (threadSeconds() - before) / steps / towers;
    store.close();
    const double rate = steps / watch.seconds();
    const double bytes = static_cast<double>(std::filesystem::file_size(file)) / steps / towers;

    const Stopwatch reading;
    std::int64_t seen = 0;
    RunStoreReader(file).forEachStep([&](const StepRecord&) { ++seen; });
    QCOMPARE(seen, steps);
    qInfo(
        "%d steps x %d towers: %.0f steps/s, %.1f bytes per tower and step, %.2f us of the "
        "caller's "
        "processor time per tower and step, read in %.2f s",
        steps, towers, rate, bytes, appending * 1e6, reading.seconds());
    QVERIFY2(bytes <= mostBytes, "the store takes more room than promised");
    if (!kIsSanitized) {
        QVERIFY2(rate >= 10'000, "the store is slower than promised");
        QVERIFY2(appending <= 5e-6, "appending costs the training more than promised");
    }
}

QTEST_GUILESS_MAIN(TestRunStoreSpeed)
#include "test_run_store_speed.moc"
