// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr int kTowers = 3;
constexpr std::int64_t kBlock = 4096;
constexpr std::int64_t kFull = 512;
constexpr std::int64_t kNoEnd = RunStoreReader::kNoEnd;

/// What a curve has of a step: rounded, and less.
StepRecord curveOf(StepRecord record)
{
    const auto rounded = [](double value) {
        return static_cast<double>(static_cast<float>(value));
    };
    record.learningRate = rounded(record.learningRate);
    record.lossMean = rounded(record.lossMean);
    record.lossLast = rounded(record.lossLast);
    record.weightDecayLoss = rounded(record.weightDecayLoss);
    record.inputSeconds = record.queueFilled = 0.0;
    record.computeSeconds = record.averagingSeconds = record.updateSeconds = -1.0;
    for (TowerRecord& tower : record.towers) {
        tower.loss = rounded(tower.loss);
        tower.startSeconds = tower.copySeconds = -1.0;
        tower.forwardSeconds = tower.backwardSeconds = -1.0;
    }
    return record;
}

/// What a reader gives for [first, end), as steps in full and steps for curves.
struct Curve
{
    Curve(const std::filesystem::path& file, std::int64_t first = 0, std::int64_t end = kNoEnd)
    {
        const RunStoreReader reader(file);
        reader.forEachCurveStep([&](const StepRecord& step) { steps.push_back(step); }, first, end);
    }

    /// Whether it has steps [first, end) of this seed from its `place` on, all in full or all for
    /// curves.
    [[nodiscard]] bool has(
        std::size_t place, std::int64_t first, std::int64_t end, bool isFull,
        std::uint64_t seed = 1) const
    {
        bool isRight = place + static_cast<std::size_t>(end - first) <= steps.size();
        for (std::int64_t step = first; isRight && step < end; ++step) {
            const StepRecord whole = exampleStep(step, kTowers, seed);
            isRight = sameStep(steps[place++], isFull ? whole : curveOf(whole));
        }
        return isRight;
    }

    std::vector<StepRecord> steps;
};

/// Two whole blocks and a tail.
constexpr std::int64_t kEnd = 2 * kBlock + 1000;

std::filesystem::path writeRun(const TemporaryFolder& folder)
{
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(kTowers));
    writeSteps(store, 0, kEnd, kTowers);
    store.close();
    return folder / "run.db";
}

} // namespace

/// The steps that come from blocks must be those of the rows.
class TestRunStoreCurves : public QObject
{
    Q_OBJECT
private slots:
    static void Curve_isTheRowsRounded_andFullAtTheEnd();
    static void Curve_ofARange_isCut_data();
    static void Curve_ofARange_isCut();
    static void Curve_withoutTheRows_isStillThere();
    static void Curve_shortRun_isTheRows();
    static void Curve_acrossBranches_takesEachOnesBlocks();
    static void Curve_writtenByTwoProcesses_hasOneBlock();
    static void Curve_valuesThatFloatLacks_comeThrough();
    static void Curve_damagedBlock_isReadFromRows_data();
    static void Curve_damagedBlock_isReadFromRows();
};

void TestRunStoreCurves::Curve_isTheRowsRounded_andFullAtTheEnd()
{
    const TemporaryFolder folder;
    const Curve curve(writeRun(folder));
    QCOMPARE(curve.steps.size(), static_cast<std::size_t>(kEnd));
    QVERIFY(curve.has(0, 0, 2 * kBlock, false));
    QVERIFY(curve.has(2 * kBlock, 2 * kBlock, kEnd, true));
}

void TestRunStoreCurves::Curve_ofARange_isCut_data()
{
    QTest::addColumn<std::int64_t>("first");
    QTest::addColumn<std::int64_t>("end");
    QTest::newRow("within a block") << std::int64_t{100} << std::int64_t{3000};
    QTest::newRow("over a border") << std::int64_t{4000} << std::int64_t{5000};
    QTest::newRow("exactly a block") << kBlock << 2 * kBlock;
    QTest::newRow("less than is full") << std::int64_t{4000} << std::int64_t{4100};
    QTest::newRow("one step") << std::int64_t{4095} << std::int64_t{4096};
    QTest::newRow("none") << std::int64_t{17} << std::int64_t{17};
}

void TestRunStoreCurves::Curve_ofARange_isCut()
{
    QFETCH(std::int64_t, first);
    QFETCH(std::int64_t, end);
    const TemporaryFolder folder;
    const Curve curve(writeRun(folder), first, end);
    QCOMPARE(curve.steps.size(), static_cast<std::size_t>(end - first));
    const std::int64_t full = std::max(first, end - kFull);
    QVERIFY(curve.has(0, first, full, false));
    QVERIFY(curve.has(static_cast<std::size_t>(full - first), full, end, true));
}

// So the test above is one of blocks, and not of rows that are rounded somewhere.
void TestRunStoreCurves::Curve_withoutTheRows_isStillThere()
{
    const TemporaryFolder folder;
    const auto file = writeRun(folder);
    QCOMPARE(
        ask(file, "DELETE FROM step WHERE step < 8192; DELETE FROM tower_step WHERE step < 8192"),
        std::string());
    const Curve curve(file, 0, 2 * kBlock + kFull);
    QVERIFY(curve.has(0, 0, 2 * kBlock, false));
}

void TestRunStoreCurves::Curve_shortRun_isTheRows()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    QVERIFY(Curve(folder / "run.db").steps.empty());
    store.startBranch(exampleBranch(kTowers));
    store.flush();
    QVERIFY(Curve(folder / "run.db").steps.empty());
    writeSteps(store, 0, 700, kTowers);
    store.flush();
    const Curve curve(folder / "run.db");
    QCOMPARE(curve.steps.size(), 700U);
    QVERIFY(curve.has(0, 0, 700, true));
}

void TestRunStoreCurves::Curve_acrossBranches_takesEachOnesBlocks()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(kTowers));
    writeSteps(store, 0, 2 * kBlock, kTowers, 1);
    store.startBranch(exampleBranch(kTowers, 5000)); // within a block of its parent
    writeSteps(store, 5000, 3 * kBlock, kTowers, 2);
    store.startBranch(exampleBranch(kTowers, 9000));
    writeSteps(store, 9000, 9100, kTowers, 3);
    store.startBranch({9050, 2, kTowers, kExampleBatch, kExampleTrainingSet}); // not of the last
    writeSteps(store, 9050, 10'000, kTowers, 4);
    store.close();
    QCOMPARE(
        ask(folder / "run.db",
            "SELECT group_concat(branch || ':' || first_step || '+' || steps, ' ')"
            " FROM curve_block"),
        std::string("1:0+4096 1:4096+4096 2:5000+3192 2:8192+4096"));
    const Curve curve(folder / "run.db");
    QCOMPARE(curve.steps.size(), 10'000U);
    QVERIFY(curve.has(0, 0, 5000, false, 1));
    QVERIFY(curve.has(5000, 5000, 9050, false, 2));
    QVERIFY(curve.has(9050, 9050, 10'000, true, 4));
}

void TestRunStoreCurves::Curve_writtenByTwoProcesses_hasOneBlock()
{
    const TemporaryFolder folder;
    {
        RunStore store(folder / "run.db");
        store.startBranch(exampleBranch(kTowers));
        writeSteps(store, 0, 3000, kTowers);
    }
    RunStore store(folder / "run.db");
    QCOMPARE(store.branch(), 1);
    writeSteps(store, 3000, 6000, kTowers);
    store.close();
    QCOMPARE(
        ask(folder / "run.db", "SELECT first_step || '+' || steps FROM curve_block"),
        std::string("0+4096"));
    QVERIFY(Curve(folder / "run.db").has(0, 0, kBlock, false));
}

void TestRunStoreCurves::Curve_valuesThatFloatLacks_comeThrough()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(1));
    const double infinity = std::numeric_limits<double>::infinity();
    for (std::int64_t step = 0; step < kBlock + kFull; ++step) {
        StepRecord record = exampleStep(step, 1);
        record.lossMean = step == 1 ? std::numeric_limits<double>::quiet_NaN() : 1e300;
        record.towers[0].loss = step == 1 ? infinity : -infinity;
        record.towers[0].correct = step == 2 ? std::numeric_limits<std::int64_t>::max() : -step;
        record.stepSeconds = step == 3 ? -1.0 : 1e-9;
        store.append(record);
    }
    store.close();
    const auto steps = Curve(folder / "run.db").steps;
    const auto most = static_cast<double>(std::numeric_limits<float>::max());
    QVERIFY(std::isnan(steps[1].lossMean));
    QCOMPARE(steps[0].lossMean, most); // what is finite stays so
    QCOMPARE(steps[1].towers[0].loss, infinity);
    QCOMPARE(steps[2].lossLast, -infinity);
    QCOMPARE(steps[2].towers[0].correct, std::numeric_limits<std::int64_t>::max());
    QCOMPARE(steps[4000].towers[0].correct, -4000);
    QCOMPARE(steps[3].examplesPerSecond, 0.0);
    QVERIFY(std::abs(steps[4].examplesPerSecond / (kExampleBatch * 1e9) - 1.0) < 1e-9);
}

void TestRunStoreCurves::Curve_damagedBlock_isReadFromRows_data()
{
    QTest::addColumn<std::string>("damage");
    QTest::newRow("flipped") << std::string(
        R"(UPDATE curve_block SET "values" = CAST(substr("values", 1, 3000) || x'5a' ||
            substr("values", 3002) AS BLOB) WHERE first_step = 4096)");
    QTest::newRow("cut") << std::string(
        R"(UPDATE curve_block SET "values" = substr("values", 1, 5000) WHERE first_step = 4096)");
    QTest::newRow("empty") << std::string(
        R"(UPDATE curve_block SET "values" = x'' WHERE first_step = 4096)");
    QTest::newRow("another's") << std::string(
        R"(UPDATE curve_block SET "values" = (SELECT "values" FROM curve_block WHERE first_step = 0)
            WHERE first_step = 4096)");
    QTest::newRow("moved") << std::string(
        "UPDATE curve_block SET first_step = 4097 WHERE first_step = 4096");
    QTest::newRow("endless") << std::string(
        "UPDATE curve_block SET steps = 9223372036854775807 WHERE first_step = 4096");
    QTest::newRow("gone") << std::string("DELETE FROM curve_block WHERE first_step = 4096");
}

void TestRunStoreCurves::Curve_damagedBlock_isReadFromRows()
{
    QFETCH(std::string, damage);
    const TemporaryFolder folder;
    const auto file = writeRun(folder);
    QCOMPARE(ask(file, damage), std::string());
    const Curve curve(file);
    QCOMPARE(curve.steps.size(), static_cast<std::size_t>(kEnd));
    QVERIFY(curve.has(0, 0, kBlock, false));
    QVERIFY(curve.has(kBlock, kBlock, kEnd, true));
}

LOCKSTEP_TEST(TestRunStoreCurves)
#include "test_run_store_curves.moc"
