// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <cstddef>
#include <vector>

namespace lockstep {

/// What a layer or objective took, both directions.
struct NodeSeconds
{
    double forward = 0.0;
    double backward = 0.0;
};

/// Adds up, for a replica on a host device, what its nodes take. Off until start(): then it costs a
/// branch for each node.
class NodeTimer
{
public:
    void start(std::size_t nodes) { m_seconds.assign(nodes, {}); }

    /// Calls `call`, which is the pass of a node.
    template<class Call>
    void run(std::size_t node, double NodeSeconds::*pass, Call call)
    {
        if (m_seconds.empty()) {
            call();
            return;
        }
        const Stopwatch watch;
        call();
        m_seconds[node].*pass += watch.seconds();
    }

    /// Sums since start(), in the order of the nodes; empty if off.
    [[nodiscard]] const std::vector<NodeSeconds>& seconds() const { return m_seconds; }

private:
    std::vector<NodeSeconds> m_seconds;
};

} // namespace lockstep
