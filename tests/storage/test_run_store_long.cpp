// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"
#include "support/time_limit.h"

#include <algorithm>
#include <fstream>
#include <string>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kSteps = kIsSanitized ? 100'000 : 1'000'000;
constexpr int kTowers = 8;

/// Most memory that this process has ever had, in bytes.
double peakMemory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmHWM:") {
            double kilobytes = 0.0;
            status >> kilobytes;
            return kilobytes * 1024.0;
        }
    }
    return 0.0;
}

/// A long run as it would be written, faster than any training: out of a few example steps.
void write(const std::filesystem::path& file)
{
    std::vector<StepRecord> examples;
    for (int i = 0; i < 1000; ++i) {
        examples.push_back(exampleStep(i, kTowers));
    }
    RunStore store(file);
    store.startBranch(exampleBranch(kTowers));
    for (std::int64_t step = 0; step < kSteps; ++step) {
        StepRecord record = examples[static_cast<std::size_t>(step) % examples.size()];
        record.step = step;
        record.examples = (step + 1) * kExampleBatch * kTowers;
        record.wallSeconds += 0.02 * static_cast<double>(step);
        store.append(std::move(record));
    }
    store.close();
}

} // namespace

/// A million steps of eight towers, with the figures that were promised.
class TestRunStoreLong : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void Store_isWrittenInTime() const;
    void Curve_ofAMillionSteps_isReadAtOnce() const;
    void LossPreview_ofAMillionSteps_isThereAtOnce() const;

private:
    TemporaryFolder m_folder;
    double m_writing = 0.0;
    double m_memory = 0.0;
};

void TestRunStoreLong::initTestCase()
{
    const Stopwatch watch;
    write(m_folder / "run.db");
    m_writing = watch.seconds();
    m_memory = peakMemory();
}

void TestRunStoreLong::Store_isWrittenInTime() const
{
    const double bytes = static_cast<double>(std::filesystem::file_size(m_folder / "run.db"));
    qInfo(
        "%.0f steps/s, %.1f bytes per tower and step, %.0f MB of memory",
        static_cast<double>(kSteps) / m_writing, bytes / (kSteps * kTowers), m_memory / 1e6);
    QVERIFY(bytes <= 150.0 * kSteps * kTowers);
    QVERIFY(!isFarTooSlow(m_writing / static_cast<double>(kSteps), 1e-4));
    QVERIFY(kIsSanitized || m_memory < 300e6);
}

void TestRunStoreLong::Curve_ofAMillionSteps_isReadAtOnce() const
{
    const Stopwatch watch;
    std::int64_t next = 0;
    double sum = 0.0;
    RunStoreReader(m_folder / "run.db").forEachCurveStep([&](const StepRecord& step) {
        QCOMPARE(step.step, next++);
        sum += step.towers[kTowers - 1].loss;
    });
    const double seconds = watch.seconds();
    QCOMPARE(next, kSteps);
    double expected = 0.0;
    for (int i = 0; i < 1000; ++i) {
        expected += exampleStep(i, kTowers).lossLast * (static_cast<double>(kSteps) / 1000.0);
    }
    QVERIFY(std::abs(sum / expected - 1.0) < 1e-6);
    qInfo("in %.0f ms", seconds * 1e3);
    QVERIFY(!isFarTooSlow(seconds, 1.0));
}

void TestRunStoreLong::LossPreview_ofAMillionSteps_isThereAtOnce() const
{
    const Stopwatch watch;
    const RunStoreReader reader(m_folder / "run.db");
    const auto preview = reader.lossPreview(2000);
    const std::int64_t nextStep = reader.nextStep();
    const double seconds = watch.seconds();
    QCOMPARE(nextStep, kSteps);
    QVERIFY(preview.size() > 1000 && preview.size() <= 2000);
    QCOMPARE(preview.front().firstStep, 0);
    QCOMPARE(preview.back().endStep, kSteps);
    qInfo("%zu nodes in %.1f ms", preview.size(), seconds * 1e3);
    QVERIFY(!isFarTooSlow(seconds, 0.5));
}

LOCKSTEP_TEST(TestRunStoreLong)
#include "test_run_store_long.moc"
