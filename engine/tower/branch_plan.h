// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace lockstep {

/// Which nodes of a replica run beside each other. Moments are those of ReplicaMemory: n nodes go
/// forward at moments 0 .. n - 1 and backward, the last one first, at n .. 2n - 1; 2n is the end.
/// A node has one branch for both ways; the moments of a branch run one after the other, and the
/// backward pass begins when the whole forward pass is over.
class BranchPlan
{
public:
    /// One branch.
    explicit BranchPlan(int nodes = 0);
    /// needs[m]: the moments that must be over when moment m begins, all of them before m and on
    /// the same way. Nodes that need nothing in forward do nothing, except for node 0.
    explicit BranchPlan(const std::vector<std::vector<int>>& needs);

    [[nodiscard]] int branches() const { return m_branches; }
    [[nodiscard]] int moments() const { return 2 * m_nodes; }
    [[nodiscard]] int branchOf(int node) const
    {
        return m_branchOf[static_cast<std::size_t>(node)];
    }
    /// Moments of other branches that a moment waits for.
    [[nodiscard]] const std::vector<int>& waits(int moment) const
    {
        return m_waits[static_cast<std::size_t>(moment)];
    }
    /// Whether all of these moments are over before any of the later ones begins.
    [[nodiscard]] bool areOver(
        const std::vector<int>& moments, const std::vector<int>& later) const;

private:
    [[nodiscard]] int nodeAt(int moment) const;
    [[nodiscard]] bool isOver(int moment, int later) const;
    [[nodiscard]] int chooseBranch(const std::vector<int>& needs, const std::vector<int>& lasts);
    void comeAfter(int moment, int earlier);
    void order(int moment, std::vector<int> needs, std::vector<int>& lasts);

    int m_nodes;
    int m_branches = 1;
    std::vector<int> m_branchOf;
    std::vector<std::vector<int>> m_waits;
    std::vector<std::vector<bool>> m_over; ///< [later][moment]; empty: all in their order
};

} // namespace lockstep
