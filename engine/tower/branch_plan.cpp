// SPDX-License-Identifier: Apache-2.0
#include "tower/branch_plan.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace lockstep {
namespace {

/// Each has a scratchpad of its own.
constexpr int kMostBranches = 4;
constexpr int kNone = -1;

} // namespace

BranchPlan::BranchPlan(int nodes)
    : m_nodes(nodes), m_branchOf(static_cast<std::size_t>(nodes)),
      m_waits(2 * static_cast<std::size_t>(nodes))
{
}

BranchPlan::BranchPlan(const std::vector<std::vector<int>>& needs)
    : BranchPlan(static_cast<int>(needs.size() / 2))
{
    m_over.assign(needs.size(), std::vector<bool>(needs.size()));
    std::vector<int> lasts;
    for (int node = 0; node < m_nodes; ++node) {
        const auto number = static_cast<std::size_t>(node);
        if (node > 0 && needs[number].empty()) {
            continue;
        }
        m_branchOf[number] = chooseBranch(needs[number], lasts);
        lasts.resize(std::max(lasts.size(), static_cast<std::size_t>(branchOf(node)) + 1), kNone);
        order(node, needs[number], lasts);
    }
    m_branches = static_cast<int>(lasts.size());
    std::ranges::fill(lasts, kNone);
    for (int moment = m_nodes; moment < 2 * m_nodes; ++moment) {
        const auto number = static_cast<std::size_t>(moment);
        std::fill_n(m_over[number].begin(), m_nodes, true);
        order(moment, needs[number], lasts);
    }
}

int BranchPlan::nodeAt(int moment) const
{
    return moment < m_nodes ? moment : 2 * m_nodes - 1 - moment;
}

/// One that goes on with what the node needs; else one whose last node is over anyway; else a new
/// one, as long as there are few.
int BranchPlan::chooseBranch(const std::vector<int>& needs, const std::vector<int>& lasts)
{
    const auto isNeeded = [&](int last) { return std::ranges::find(needs, last) != needs.end(); };
    const auto isOverAnyway = [&](int last) {
        return std::ranges::any_of(needs, [&](int need) { return isOver(last, need); });
    };
    auto found = std::ranges::find_if(lasts, isNeeded);
    found = found != lasts.end() ? found : std::ranges::find_if(lasts, isOverAnyway);
    if (found == lasts.end() && std::ssize(lasts) == kMostBranches) {
        found = std::ranges::min_element(lasts);
    }
    return static_cast<int>(found - lasts.begin());
}

void BranchPlan::comeAfter(int moment, int earlier)
{
    std::vector<bool>& over = m_over[static_cast<std::size_t>(moment)];
    const std::vector<bool>& before = m_over[static_cast<std::size_t>(earlier)];
    for (std::size_t i = 0; i < over.size(); ++i) {
        over[i] = over[i] || before[i];
    }
    over[static_cast<std::size_t>(earlier)] = true;
}

/// Puts a moment at the end of its branch, and says what it has to wait for besides.
void BranchPlan::order(int moment, std::vector<int> needs, std::vector<int>& lasts)
{
    int& last = lasts[static_cast<std::size_t>(branchOf(nodeAt(moment)))];
    if (last != kNone) {
        comeAfter(moment, last);
    }
    last = moment;
    std::ranges::sort(needs, std::greater<>());
    for (const int need : needs) {
        if (!isOver(need, moment)) {
            comeAfter(moment, need);
            m_waits[static_cast<std::size_t>(moment)].push_back(need);
        }
    }
}

bool BranchPlan::isOver(int moment, int later) const
{
    if (m_over.empty() || later == 2 * m_nodes || moment >= later) {
        return moment < later;
    }
    return m_over[static_cast<std::size_t>(later)][static_cast<std::size_t>(moment)];
}

bool BranchPlan::areOver(const std::vector<int>& moments, const std::vector<int>& later) const
{
    return std::ranges::all_of(later, [&](int one) {
        return std::ranges::all_of(moments, [&](int moment) { return isOver(moment, one); });
    });
}

} // namespace lockstep
