// SPDX-License-Identifier: Apache-2.0
#include "session/bench/step_graph.h"
#include "support/failure_of.h"
#include "support/lockstep_test.h"

#include <cstddef>
#include <vector>

using namespace lockstep;

namespace {

/// A node for each list of those that come before it.
std::vector<GraphNode> nodesAfter(const std::vector<std::vector<std::size_t>>& before)
{
    std::vector<GraphNode> nodes;
    for (const std::vector<std::size_t>& each : before) {
        nodes.push_back({"conv1", "forward", "", each});
    }
    return nodes;
}

} // namespace

class TestStepGraph : public QObject
{
    Q_OBJECT

private slots:
    static void LongestChain_ofNothing_isNone()
    {
        QCOMPARE(longestChain(std::vector<GraphNode>()), std::size_t{0});
    }

    static void LongestChain_ofAChain_isAllOfIt()
    {
        QCOMPARE(longestChain(nodesAfter({{}, {0}, {1}, {2}})), std::size_t{4});
    }

    static void LongestChain_ofADiamond_isItsLongerSide()
    {
        QCOMPARE(longestChain(nodesAfter({{}, {0}, {0}, {1, 2}})), std::size_t{3});
        QCOMPARE(longestChain(nodesAfter({{}, {0}, {0}, {2}, {1, 3}})), std::size_t{4});
        QCOMPARE(longestChain(nodesAfter({{}, {0}, {0}, {2}, {3, 1}})), std::size_t{4});
    }

    /// Alone, and where the shorter one ends last.
    static void LongestChain_ofTwoChains_isTheLongerOne()
    {
        QCOMPARE(longestChain(nodesAfter({{}, {}, {}})), std::size_t{1});
        QCOMPARE(longestChain(nodesAfter({{}, {}, {0}, {2}, {1}})), std::size_t{3});
    }

    static void LongestChain_ofANodeBeforeItsFirst_isAnError()
    {
        const QString text = test::failureOf([] {
            static_cast<void>(longestChain(nodesAfter({{1}, {}})));
        });
        QVERIFY2(text.contains("internal error"), qPrintable(text));
    }
};

LOCKSTEP_TEST(TestStepGraph)
#include "test_step_graph.moc"
