// SPDX-License-Identifier: Apache-2.0
// Which nodes run beside each other: what is needed is over, branches end in few, and memory is
// shared only where one use is over before the other begins, in whatever order things run.
#include "device/memory_plan.h"
#include "support/lockstep_test.h"
#include "support/random_network.h"
#include "tower/branch_plan.h"

#include <algorithm>

using namespace lockstep;

namespace {

using Needs = std::vector<std::vector<int>>;

int mirrored(const Needs& needs, int node)
{
    return static_cast<int>(needs.size()) - 1 - node;
}

/// Of nodes that read `sources`; backward the other way round.
Needs needsOf(const Needs& sources)
{
    Needs needs(2 * sources.size());
    for (std::size_t node = 0; node < sources.size(); ++node) {
        needs[node] = sources[node];
        for (const int source : sources[node]) {
            needs[static_cast<std::size_t>(mirrored(needs, source))].push_back(
                mirrored(needs, static_cast<int>(node)));
        }
    }
    return needs;
}

Needs randomSources(test::Random& random)
{
    Needs sources(static_cast<std::size_t>(random.integer(2, 25)));
    for (std::size_t node = 1; node < sources.size(); ++node) {
        const auto last = static_cast<std::int64_t>(node) - 1;
        for (std::int64_t i = random.integer(1, 3); i > 0; --i) {
            sources[node].push_back(
                static_cast<int>(random.integer(std::max<std::int64_t>(last - 5, 0), last)));
        }
    }
    return sources;
}

/// When each moment begins, if it begins as soon as it may and each takes `lengths`.
std::vector<int> beginnings(const BranchPlan& plan, const std::vector<int>& lengths)
{
    std::vector<int> begins;
    std::vector<int> ends;
    const int nodes = plan.moments() / 2;
    for (int moment = 0; moment < plan.moments(); ++moment) {
        const auto nodeAt = [&](int at) { return at < nodes ? at : 2 * nodes - 1 - at; };
        int begin = moment < nodes ? 0 : *std::max_element(ends.begin(), ends.begin() + nodes);
        for (int other = 0; other < moment; ++other) {
            const bool isOfBranch = plan.branchOf(nodeAt(other)) == plan.branchOf(nodeAt(moment));
            const bool isAwaited = std::ranges::count(plan.waits(moment), other) > 0;
            if (isOfBranch || isAwaited) {
                begin = std::max(begin, ends[static_cast<std::size_t>(other)]);
            }
        }
        begins.push_back(begin);
        ends.push_back(begin + lengths[static_cast<std::size_t>(moment)]);
    }
    return begins;
}

} // namespace

class TestBranchPlan : public QObject
{
    Q_OBJECT

private slots:
    static void Chain_isOneBranch()
    {
        const BranchPlan plan(needsOf({{}, {0}, {1}, {2}}));
        QCOMPARE(plan.branches(), 1);
        QVERIFY(plan.areOver({0, 2}, {3, 5}) && !plan.areOver({0, 4}, {3}));
    }

    /// Four ways from a tensor to a concat, one of them longer.
    static void Block_isAsManyBranchesAsItHas()
    {
        const BranchPlan plan(needsOf({{}, {0}, {1}, {1}, {3}, {1}, {1}, {2, 4, 5, 6}, {7}, {7}}));
        QCOMPARE(plan.branches(), 4);
        QCOMPARE(plan.branchOf(4), plan.branchOf(3));
        QCOMPARE(plan.waits(4).size(), std::size_t{0});
        QCOMPARE(plan.waits(7).size(), std::size_t{3});
        QVERIFY(!plan.areOver({2}, {3}) && plan.areOver({2, 3, 4}, {7}));
        QVERIFY(plan.areOver({9}, {10})); // backward waits for all of forward
    }

    static void NodeThatDoesNothing_takesNoBranch()
    {
        const BranchPlan plan(needsOf({{}, {}, {0}, {2}}));
        QCOMPARE(plan.branches(), 1);
        QVERIFY(!plan.areOver({1}, {2}) && !plan.areOver({2}, {1}));
    }

    /// What areOver() says holds with any lengths of the moments, and so do the needs.
    static void RandomGraphs_keepTheirOrderAtAnySpeed()
    {
        test::Random random(1);
        for (int trial = 0; trial < 300; ++trial) {
            const Needs needs = needsOf(randomSources(random));
            const BranchPlan plan(needs);
            std::vector<int> lengths;
            for (int i = 0; i < plan.moments(); ++i) {
                lengths.push_back(static_cast<int>(random.integer(1, random.oneOf<int>({1, 50}))));
            }
            const std::vector<int> begins = beginnings(plan, lengths);
            for (int later = 0; later < plan.moments(); ++later) {
                const auto place = static_cast<std::size_t>(later);
                for (const int need : needs[place]) {
                    QVERIFY(plan.areOver({need}, {later}));
                }
                for (int moment = 0; moment < plan.moments(); ++moment) {
                    const auto number = static_cast<std::size_t>(moment);
                    QVERIFY(
                        !plan.areOver({moment}, {later})
                        || begins[number] + lengths[number] <= begins[place]);
                }
                QVERIFY(plan.areOver({later}, {plan.moments()}));
            }
        }
    }
};

LOCKSTEP_TEST(TestBranchPlan)
#include "test_branch_plan.moc"
