// SPDX-License-Identifier: Apache-2.0
#include "tower/branch_streams.h"

namespace lockstep {

void BranchStreams::open(const Accelerator& device, const BranchPlan& plan, bool overlapsKernels)
{
    m_plan = plan;
    m_streams = {m_main};
    m_fork = device.makeEvent();
    while (static_cast<int>(m_streams.size()) < plan.branches()) {
        m_others.push_back(device.makeStream());
        m_joins.push_back(device.makeEvent());
        m_streams.push_back(m_others.back().get());
        if (overlapsKernels) {
            m_others.back()->overlapKernels();
        }
    }
    m_ends.resize(static_cast<std::size_t>(plan.moments()));
    m_isOfPart.resize(m_ends.size());
    for (int moment = 0; moment < plan.moments(); ++moment) {
        for (const int awaited : plan.waits(moment)) {
            m_ends[static_cast<std::size_t>(awaited)] = device.makeEvent();
        }
    }
}

void BranchStreams::fork()
{
    if (m_others.empty()) {
        return;
    }
    m_isOfPart.assign(m_ends.size(), false);
    m_main->record(*m_fork);
    for (const auto& stream : m_others) {
        stream->waitFor(*m_fork);
    }
}

void BranchStreams::join()
{
    for (std::size_t i = 0; i < m_others.size(); ++i) {
        m_others[i]->record(*m_joins[i]);
        m_main->waitFor(*m_joins[i]);
    }
}

void BranchStreams::begin(int node, int moment)
{
    if (m_others.empty()) {
        return;
    }
    for (const int awaited : m_plan.waits(moment)) {
        const auto place = static_cast<std::size_t>(awaited);
        if (m_isOfPart[place]) {
            of(node)->waitFor(*m_ends[place]);
        }
    }
}

void BranchStreams::end(int node, int moment)
{
    const auto place = static_cast<std::size_t>(moment);
    if (!m_others.empty() && m_ends[place] != nullptr) {
        of(node)->record(*m_ends[place]);
        m_isOfPart[place] = true;
    }
}

} // namespace lockstep
