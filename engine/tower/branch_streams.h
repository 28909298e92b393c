// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "tower/branch_plan.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lockstep {

/// Streams of the branches of a replica, the first of which is the replica's own. A part of a pass
/// lies between fork() and join(). One thread at a time.
class BranchStreams
{
public:
    /// `main` is null on a host device: there is nothing to do then.
    explicit BranchStreams(Stream* main = nullptr) : m_main(main) {}
    /// Makes what several branches need; see Stream::overlapKernels().
    void open(const Accelerator& device, const BranchPlan& plan, bool overlapsKernels);

    [[nodiscard]] Stream* of(int node) const
    {
        return m_streams.empty() ? m_main
                                 : m_streams[static_cast<std::size_t>(m_plan.branchOf(node))];
    }
    /// All branches begin after what the main stream has.
    void fork();
    /// The main stream goes on after all of them.
    void join();
    /// The node's stream goes on after what the moment waits for.
    void begin(int node, int moment);
    /// Those that wait for the moment may go on.
    void end(int node, int moment);

private:
    Stream* m_main;
    BranchPlan m_plan;
    std::vector<Stream*> m_streams; ///< by branch; none: there is but one
    std::vector<std::unique_ptr<Stream>> m_others;
    std::unique_ptr<Event> m_fork;
    std::vector<std::unique_ptr<Event>> m_joins; ///< of branches 1, 2 …
    std::vector<std::unique_ptr<Event>> m_ends;  ///< by moment; null: nobody waits for it
    /// By moment: it has ended since fork(). What ended before is over anyway, and may have been
    /// captured into another graph.
    std::vector<bool> m_isOfPart;
};

} // namespace lockstep
