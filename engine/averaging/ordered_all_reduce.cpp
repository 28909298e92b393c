// SPDX-License-Identifier: Apache-2.0
#include "averaging/ordered_all_reduce.h"

#include <algorithm>
#include <utility>

namespace lockstep {

OrderedAllReduce::OrderedAllReduce(
    const HostDevice& device, const ParameterLayout& layout, AveragingPlan plan,
    const std::vector<LaneGradient>& lanes, const float* sumBefore)
    : m_device(device), m_plan(std::move(plan)),
      m_chunks(chunkParameters(layout, m_plan.isAveraged)), m_lanes(layout.offsets.size()),
      m_isFinite(m_chunks.size())
{
    for (std::size_t parameter = 0; parameter < m_lanes.size(); ++parameter) {
        if (sumBefore != nullptr) {
            m_lanes[parameter].push_back({sumBefore, 1.0F});
        }
        for (const LaneGradient& lane : lanes) {
            const auto tower = static_cast<std::size_t>(lane.tower);
            if (m_plan.isPresent[tower][parameter]) {
                m_lanes[parameter].push_back({lane.values, m_plan.weightOf(tower, parameter)});
            }
        }
    }
}

bool OrderedAllReduce::averageChunk(std::size_t number, float* dst) const
{
    const ParameterChunk& chunk = m_chunks[number];
    const auto& lanes = m_lanes[static_cast<std::size_t>(chunk.parameter)];
    return m_device.average(lanes, chunk.offset, chunk.count, dst + chunk.offset);
}

int OrderedAllReduce::run(ThreadTeam& threads, float* dst)
{
    shareOut(threads, m_chunks.size(), [&](std::size_t i) {
        m_isFinite[i] = static_cast<char>(averageChunk(i, dst));
    });
    const auto bad = std::ranges::find(m_isFinite, char{0});
    return bad == m_isFinite.end()
               ? -1
               : m_chunks[static_cast<std::size_t>(bad - m_isFinite.begin())].parameter;
}

} // namespace lockstep
