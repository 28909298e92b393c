// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/text_rows.h"
#include "support/time_limit.h"

#include <ctime>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr double kWeek = 7 * 86'400.0;

double processorSeconds(clockid_t whose)
{
    timespec time{};
    clock_gettime(whose, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

} // namespace

class TestRunStoreSpeed : public QObject
{
    Q_OBJECT
private slots:
    static void Store_longRun_isFastAndSmall_data();
    static void Store_longRun_isFastAndSmall();
    static void Store_aThousandBranches_staysFast();
};

void TestRunStoreSpeed::Store_longRun_isFastAndSmall_data()
{
    const int scale = kIsSanitized ? 20 : 1;
    addRows<int, int, double>(
        {"steps", "towers", "mostBytes"},
        {{"8 towers", 100'000 / scale, 8, 150.0}, {"1 tower", 100'000 / scale, 1, 185.0}});
}

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
        records.back().wallSeconds += kWeek; // times that are long take more room
    }
    const Stopwatch watch;
    const double before = processorSeconds(CLOCK_THREAD_CPUTIME_ID);
    const double beforeAll = processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
    RunStore store(file);
    store.startBranch(exampleBranch(towers));
    for (auto& record : records) {
        store.append(std::move(record));
    }
    const double appending = (processorSeconds(CLOCK_THREAD_CPUTIME_ID) - before) / steps / towers;
    store.close();
    const double all = (processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - beforeAll) / steps / towers;
    const double rate = steps / watch.seconds();
    const double bytes = static_cast<double>(std::filesystem::file_size(file)) / steps / towers;

    const Stopwatch reading;
    std::int64_t seen = 0;
    RunStoreReader(file).forEachStep([&](const StepRecord&) { ++seen; });
    QCOMPARE(seen, steps);
    qInfo(
        "%d steps x %d towers: %.0f steps/s, %.1f bytes and %.2f us of processor time per tower "
        "and "
        "step, %.2f us of it the caller's; read in %.2f s",
        steps, towers, rate, bytes, all * 1e6, appending * 1e6, reading.seconds());
    // Of a short run, what every file has weighs too much.
    QVERIFY2(kIsSanitized || bytes <= mostBytes, "the store takes more room than promised");
    QVERIFY2(!isFarTooSlow(1.0 / rate, 1e-4), "the store is slower than promised");
    QVERIFY2(!isFarTooSlow(all, 1e-5), "the store takes more processor time than promised");
}

// Every resume makes a branch; a run that is killed all the time must stay as quick to read.
void TestRunStoreSpeed::Store_aThousandBranches_staysFast()
{
    constexpr std::int64_t kBranches = 1000;
    constexpr std::int64_t kNew = 10; // steps that a branch adds to the line, and that it loses
    const TemporaryFolder folder;
    const auto file = folder / "run.db";
    {
        RunStore store(file);
        for (std::int64_t branch = 0; branch < kBranches; ++branch) {
            store.startBranch(exampleBranch(2, branch * kNew));
            for (std::int64_t step = branch * kNew; step < (branch + 2) * kNew; ++step) {
                store.append(exampleStep(step, 2, static_cast<std::uint64_t>(branch)));
            }
        }
    }
    const auto measure = [](const char* what, double most, const auto& call) {
        const Stopwatch watch;
        call();
        const double seconds = watch.seconds();
        qInfo("%s: %.1f ms", what, seconds * 1e3);
        QVERIFY2(!isFarTooSlow(seconds, most), what);
    };
    const RunStoreReader reader(file);
    measure("nextStep", 0.1, [&] { QCOMPARE(reader.nextStep(), (kBranches + 1) * kNew); });
    measure("forEachStep", 1.0, [&] {
        std::int64_t next = 0;
        reader.forEachStep([&](const StepRecord& step) { QCOMPARE(step.step, next++); });
        QCOMPARE(next, (kBranches + 1) * kNew);
    });
    measure("forEachCurveStep", 1.0, [&] {
        std::int64_t next = 0;
        reader.forEachCurveStep([&](const StepRecord& step) { QCOMPARE(step.step, next++); });
        QCOMPARE(next, (kBranches + 1) * kNew);
    });
    measure("preview", 0.5, [&] { QVERIFY(reader.lossPreview(200).size() <= 200); });
    measure("towers, events, evaluations, readings", 0.5, [&] {
        QCOMPARE(reader.towers(), 2);
        QVERIFY(reader.events().empty() && reader.evaluations().empty());
        QVERIFY(reader.lastDeviceReadings().empty());
    });
    measure("the last steps in SQL", 0.5, [&] {
        QCOMPARE(
            ask(file, "SELECT count(*) FROM (SELECT step, loss_mean, loss_last FROM current_step"
                      " ORDER BY step DESC LIMIT 10)"),
            std::string("10"));
    });
    measure("towers in SQL", 1.0, [&] {
        QCOMPARE(
            ask(file, "SELECT count(waiting_seconds) FROM current_tower_step"),
            std::to_string(2 * (kBranches + 1) * kNew));
    });
    measure("a resume", 0.5, [&] {
        RunStore store(file);
        store.startBranch(exampleBranch(2, 5000));
        store.close();
    });
}

LOCKSTEP_TEST(TestRunStoreSpeed)
#include "test_run_store_speed.moc"
