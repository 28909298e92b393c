// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/averaging_plan.h"
#include "device/device.h"
#include "device/parameter_chunks.h"

#include <vector>

namespace lockstep {

/// Averages the gradients of all lanes on one device into one array, tower by tower in order, so
/// that the same run gives the same bits with any number of threads; checks every number on the
/// way. Cost: each thread reads its share of L lanes x P parameters once and writes P / threads
/// values.
class OrderedAllReduce
{
public:
    /// `lanes` in tower order. `sumBefore`, an arena part, has the weighted sum of the towers
    /// before those of the lanes; null: there are none. All memory must outlive this object.
    OrderedAllReduce(
        const HostDevice& device, const ParameterLayout& layout, AveragingPlan plan,
        const std::vector<LaneGradient>& lanes, const float* sumBefore = nullptr);

    /// Fills the averaged parameters of `dst` (an arena part) and returns the number of the first
    /// parameter, in the order of the arena, whose average is not finite; -1: all are.
    int run(ThreadTeam& threads, float* dst);

    /// The same of one chunk alone; whether all its values are finite. `dst` may be the sum before.
    bool averageChunk(std::size_t number, float* dst) const;

    /// The pieces that are averaged, and so the pieces that are updated.
    [[nodiscard]] const std::vector<ParameterChunk>& chunks() const { return m_chunks; }

private:
    const HostDevice& m_device;
    AveragingPlan m_plan;
    std::vector<ParameterChunk> m_chunks;
    std::vector<std::vector<WeightedGradient>>
        m_lanes;                  ///< by parameter: the lanes that have a gradient
    std::vector<char> m_isFinite; ///< by chunk
};

} // namespace lockstep
