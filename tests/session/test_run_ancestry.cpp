// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_ancestry.h"
#include "support/lockstep_test.h"

using namespace lockstep;

namespace {

RunBranchInfo branch(std::int64_t id, std::optional<std::int64_t> parent, std::int64_t fromStep)
{
    RunBranchInfo info;
    info.id = id;
    info.parent = parent;
    info.fromStep = fromStep;
    return info;
}

/// 1 ──────┬────── (to 100)
///         ├ 2 (from 40) ──┬──
///         │               └ 4 (from 60)
///         └ 3 (from 20)
std::vector<RunBranchInfo> tree()
{
    return {branch(1, std::nullopt, 0), branch(2, 1, 40), branch(3, 1, 20), branch(4, 2, 60)};
}

} // namespace

class TestRunAncestry : public QObject
{
    Q_OBJECT

private slots:
    static void Line_holdsStatesUpToWhereItLeft();
    static void Lines_inCommon_endWhereTheyPart();
    static void Line_ofNoBranch_isEmpty();
    static void Line_ofACircle_ends();
};

void TestRunAncestry::Line_holdsStatesUpToWhereItLeft()
{
    const RunAncestry line(tree(), 4);
    QVERIFY(line.holds(1, 0) && line.holds(1, 40) && !line.holds(1, 41));
    QVERIFY(line.holds(2, 60) && !line.holds(2, 61));
    QVERIFY(line.holds(4, 1'000'000));
    QVERIFY(!line.holds(3, 0) && !line.holds(7, 0) && !line.holds(0, 0));
}

void TestRunAncestry::Lines_inCommon_endWhereTheyPart()
{
    const auto branches = tree();
    const auto common = [&](std::int64_t a, std::int64_t b) {
        const std::int64_t forth = RunAncestry(branches, a).commonWith(RunAncestry(branches, b));
        const std::int64_t back = RunAncestry(branches, b).commonWith(RunAncestry(branches, a));
        return forth == back ? forth : -1;
    };
    QCOMPARE(common(3, 4), 20);
    QCOMPARE(common(1, 4), 40);
    QCOMPARE(common(2, 4), 60);
    QCOMPARE(common(1, 3), 20);
}

void TestRunAncestry::Line_ofNoBranch_isEmpty()
{
    const RunAncestry line(tree(), 9);
    QVERIFY(!line.holds(1, 0));
    QCOMPARE(line.commonWith(RunAncestry(tree(), 4)), 0);
}

void TestRunAncestry::Line_ofACircle_ends()
{
    const RunAncestry line({branch(1, 2, 0), branch(2, 1, 10)}, 2);
    QVERIFY(line.holds(2, 5) && line.holds(1, 10) && !line.holds(1, 11));
}

LOCKSTEP_TEST(TestRunAncestry)
#include "test_run_ancestry.moc"
