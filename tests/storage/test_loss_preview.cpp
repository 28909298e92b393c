// SPDX-License-Identifier: Apache-2.0
#include "storage/sql.h"
#include "storage/steps.h"
#include "storage/store/run_store.h"
#include "storage/store/run_store_reader.h"
#include "support/lockstep_test.h"
#include "support/temporary_folder.h"

#include <array>
#include <cmath>
#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Now and then a loss that is none.
StepRecord stepWithFaults(std::int64_t step, std::uint64_t seed)
{
    StepRecord record = exampleStep(step, 2, seed);
    if (step % 97 == 0) {
        record.lossMean = std::numeric_limits<double>::quiet_NaN();
    } else if (step % 89 == 0) {
        record.lossMean = std::numeric_limits<double>::infinity();
    }
    return record;
}

void writeFaultySteps(RunStore& store, std::int64_t first, std::int64_t end, std::uint64_t seed = 1)
{
    for (std::int64_t step = first; step < end; ++step) {
        store.append(stepWithFaults(step, seed));
    }
}

/// A node, computed from the steps of the rows.
LossPreviewNode expectedNode(const LossPreviewNode& node, const std::vector<StepRecord>& line)
{
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    LossPreviewNode expected{node.firstStep, node.endStep, 0.0, 0.0, kNone, kNone, kNone, 0, 0};
    double sum = 0.0;
    int finite = 0;
    for (std::int64_t step = node.firstStep; step < node.endStep; ++step) {
        const StepRecord& record = line[static_cast<std::size_t>(step - line[0].step)];
        expected.epoch = record.epoch;
        expected.wallSeconds = record.wallSeconds;
        expected.examples = record.examples;
        const double crossed = crossEntropy(record);
        if (!std::isfinite(crossed)) {
            ++expected.notFinite;
            continue;
        }
        const auto loss = static_cast<float>(crossed);
        expected.minimum = finite == 0 ? loss : std::min(expected.minimum, loss);
        expected.maximum = finite == 0 ? loss : std::max(expected.maximum, loss);
        sum += crossed;
        expected.mean = static_cast<float>(sum / ++finite);
    }
    return expected;
}

bool same(float a, float b, float tolerance)
{
    return (std::isnan(a) && std::isnan(b))
           || std::abs(a - b) <= tolerance * std::max(1.0F, std::abs(b));
}

bool sameNode(const LossPreviewNode& a, const LossPreviewNode& b)
{
    return a.epoch == b.epoch && a.wallSeconds == b.wallSeconds && a.examples == b.examples
           && a.notFinite == b.notFinite
           && same(a.minimum, b.minimum, 1e-6F) // of two that are rounded
           && same(a.maximum, b.maximum, 1e-6F) && same(a.mean, b.mean, 1e-6F);
}

/// Holds a preview against the steps: every one is in a node, and each node says what they say.
void check(const std::filesystem::path& file, std::size_t mostNodes, std::size_t leastNodes)
{
    const RunStoreReader reader(file);
    std::vector<StepRecord> line;
    reader.forEachStep([&](const StepRecord& step) { line.push_back(step); });
    const LossPreview preview = reader.lossPreview(mostNodes);
    QVERIFY(!line.empty() && !preview.empty());
    QVERIFY2(preview.size() <= mostNodes, qPrintable(QString::number(preview.size())));
    QVERIFY2(preview.size() >= leastNodes, qPrintable(QString::number(preview.size())));
    std::int64_t next = line.front().step;
    for (const LossPreviewNode& node : preview) {
        QCOMPARE(node.firstStep, next);
        QVERIFY(node.endStep > node.firstStep && node.endStep <= line.back().step + 1);
        QVERIFY(sameNode(node, expectedNode(node, line)));
        next = node.endStep;
    }
    QCOMPARE(next, line.back().step + 1);
}

} // namespace

/// The mean loss in a few nodes.
class TestLossPreview : public QObject
{
    Q_OBJECT
private slots:
    static void Preview_anyNumberOfNodes_saysWhatTheStepsSay_data();
    static void Preview_anyNumberOfNodes_saysWhatTheStepsSay();
    static void Preview_acrossBranches_isThatOfTheLine();
    static void Preview_withoutTheRows_comesFromTheBlocks();
    static void Preview_damagedBlock_isReadFromRows();
    static void Preview_withoutSteps_isEmpty();
    static void Abandoned_afterTwoReturns_isWhatTheLineLacks();
};

void TestLossPreview::Preview_anyNumberOfNodes_saysWhatTheStepsSay_data()
{
    QTest::addColumn<int>("mostNodes");
    QTest::addColumn<int>("leastNodes");
    QTest::newRow("one") << 1 << 1;
    QTest::newRow("few") << 7 << 4;
    QTest::newRow("many") << 150 << 70;
    QTest::newRow("finer than the blocks' nodes") << 1000 << 500;
    QTest::newRow("a node per step") << 20'000 << 9'970;
}

void TestLossPreview::Preview_anyNumberOfNodes_saysWhatTheStepsSay()
{
    QFETCH(int, mostNodes);
    QFETCH(int, leastNodes);
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2, 30)); // a run that went on with the state of another
    writeFaultySteps(store, 30, 10'000);
    store.close();
    check(
        folder / "run.db", static_cast<std::size_t>(mostNodes),
        static_cast<std::size_t>(leastNodes));
}

void TestLossPreview::Preview_acrossBranches_isThatOfTheLine()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeFaultySteps(store, 0, 9000);
    store.startBranch(exampleBranch(2, 5003));
    writeFaultySteps(store, 5003, 13'000, 2);
    store.startBranch(exampleBranch(2, 12'500));
    writeFaultySteps(store, 12'500, 13'100, 3);
    store.flush();
    for (const std::size_t nodes : {5U, 100U, 300U, 5000U}) {
        check(folder / "run.db", nodes, nodes / 4);
    }
}

void TestLossPreview::Preview_withoutTheRows_comesFromTheBlocks()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeFaultySteps(store, 0, 8500);
    store.close();
    const auto before = RunStoreReader(folder / "run.db").lossPreview(100);
    QCOMPARE(
        ask(folder / "run.db", "DELETE FROM step WHERE step < 8192; DELETE FROM tower_step"),
        std::string());
    const auto after = RunStoreReader(folder / "run.db").lossPreview(100);
    QCOMPARE(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        QVERIFY(sameNode(before[i], after[i]));
    }
}

void TestLossPreview::Preview_damagedBlock_isReadFromRows()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeFaultySteps(store, 0, 8500);
    store.close();
    QCOMPARE(
        ask(folder / "run.db", "UPDATE curve_block SET extents = substr(extents, 1, 500)"
                               " WHERE first_step = 0;"
                               " UPDATE curve_block SET extents = zeroblob(length(extents))"
                               " WHERE first_step = 4096"),
        std::string());
    check(folder / "run.db", 100, 50);
}

void TestLossPreview::Preview_withoutSteps_isEmpty()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    QVERIFY(RunStoreReader(folder / "run.db").lossPreview(10).empty());
    store.startBranch(exampleBranch(2, 30));
    store.flush();
    QVERIFY(RunStoreReader(folder / "run.db").lossPreview(10).empty());
}

void TestLossPreview::Abandoned_afterTwoReturns_isWhatTheLineLacks()
{
    const TemporaryFolder folder;
    RunStore store(folder / "run.db");
    store.startBranch(exampleBranch(2));
    writeFaultySteps(store, 0, 9000);
    QVERIFY(RunStoreReader(folder / "run.db").abandoned(100).empty());
    store.startBranch(exampleBranch(2, 5003));
    writeFaultySteps(store, 5003, 6000, 2);
    store.startBranch(exampleBranch(2, 5500));
    writeFaultySteps(store, 5500, 5600, 3);
    store.startBranch(exampleBranch(2, 5600)); // went on where it stood: nothing is lost
    store.flush();
    const RunStoreReader reader(folder / "run.db");
    const auto abandoned = reader.abandoned(100);
    QCOMPARE(abandoned.size(), 2U);
    const std::array<std::array<std::int64_t, 3>, 2> expected{{{1, 5003, 9000}, {2, 5500, 6000}}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const AbandonedStretch& stretch = abandoned[i];
        QCOMPARE((std::array{stretch.branch, stretch.firstStep, stretch.endStep}), expected[i]);
        std::vector<StepRecord> steps;
        reader.forEachBranchStep([&](std::int64_t branch, const StepRecord& step) {
            if (branch == stretch.branch) {
                steps.push_back(step);
            }
        });
        QVERIFY(!stretch.lossPreview.empty() && stretch.lossPreview.size() <= 101);
        QCOMPARE(stretch.lossPreview.front().firstStep, stretch.firstStep);
        QCOMPARE(stretch.lossPreview.back().endStep, stretch.endStep);
        for (const LossPreviewNode& node : stretch.lossPreview) {
            QVERIFY(sameNode(node, expectedNode(node, steps)));
        }
    }
}

LOCKSTEP_TEST(TestLossPreview)
#include "test_loss_preview.moc"
