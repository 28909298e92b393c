// SPDX-License-Identifier: Apache-2.0
#include "storage/curves/curve_block.h"
#include "storage/curves/curve_extents.h"
#include "storage/steps.h"
#include "support/lockstep_test.h"

#include <sys/resource.h>

#include <limits>

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr std::int64_t kBranch = 3;
constexpr std::int64_t kMebi = std::int64_t{1024} * 1024;

/// The most memory that this process had at any time.
std::int64_t mostBytes()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

CurveBlock exampleBlock(int towers)
{
    CurveBlock block;
    for (std::int64_t step = 0; step < 200; ++step) {
        block.append(exampleStep(step, towers));
    }
    return block;
}

} // namespace

class TestCurveBlock : public QObject
{
    Q_OBJECT

private slots:
    static void Blob_tooShortForItsKey_takesNoMemory();
    static void Key_ofTooManyTowers_isRefused();
    static void Blobs_ofManyTowers_comeBack();
};

// First: what was taken once would not be seen a second time.
void TestCurveBlock::Blob_tooShortForItsKey_takesNoMemory()
{
    const CurveBlockKey key{kBranch, 0, CurveBlock::kBlockSteps, RunBranch::kMostTowers};
    ByteWriter writer;
    putKey(writer, key);
    writer.putFloats(std::vector<float>(1000));
    const auto blob = writer.take();
    const std::int64_t before = mostBytes();
    QVERIFY(!curveBlockOf(blob, key));
    QVERIFY(!curveExtentsOf(blob, key));
    // Of so many towers it would be 80 MiB.
    QVERIFY(mostBytes() - before < 20 * kMebi);
}

void TestCurveBlock::Key_ofTooManyTowers_isRefused()
{
    for (const int towers : {-1, 0, RunBranch::kMostTowers + 1, std::numeric_limits<int>::max()}) {
        const CurveBlockKey key{kBranch, 0, 1, towers};
        QVERIFY(!key.isPossible());
        ByteWriter writer;
        putKey(writer, key);
        const auto blob = writer.take();
        QVERIFY(!curveBlockOf(blob, key));
        QVERIFY(!curveExtentsOf(blob, key));
    }
}

void TestCurveBlock::Blobs_ofManyTowers_comeBack()
{
    for (const int towers : {1, RunBranch::kMostTowers}) {
        const CurveBlock block = exampleBlock(towers);
        const CurveBlockKey key = block.key(kBranch);
        const auto read = curveBlockOf(curveValues(block, kBranch), key);
        QVERIFY(read.has_value());
        QCOMPARE(read->wallNanoseconds, block.wallNanoseconds);
        QCOMPARE(read->towers.back().loss, block.towers.back().loss);
        QCOMPARE(read->towers.back().correct, block.towers.back().correct);
        const CurveExtents extents = extentsOf(block, LineageSegment{});
        const auto readExtents = curveExtentsOf(curveExtents(extents, key), key);
        QVERIFY(readExtents.has_value());
        QCOMPARE(readExtents->lossMean.mean, extents.lossMean.mean);
        QCOMPARE(readExtents->towerLoss.back().maximum, extents.towerLoss.back().maximum);
    }
}

LOCKSTEP_TEST(TestCurveBlock)
#include "test_curve_block.moc"
