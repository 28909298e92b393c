// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "device/parameter_chunks.h"
#include "metrics/gradient_record.h"
#include "network/network_spec.h"
#include "tower/tower_team.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// What a step did to the parameters that are trained, statistics left out, given the sums over the
/// chunks of the update with the own towers. Several ranks: all call it, and all get all towers.
GradientRecord gradientRecordOf(
    const NetworkSpec& network, const std::vector<ParameterChunk>& chunks,
    const std::vector<ParameterGradientRecord>& byChunk, std::int64_t step, const TowerShape& shape,
    Ranks* ranks);

/// Measures the towers' gradients of a step on a host device, while they are there: between
/// averaging and update, and once more after the update. Changes nothing that the training uses.
/// Sums are taken chunk by chunk, so that they do not depend on the number of threads. Cost: one
/// pass over all lanes, gradient and weights, one over the weights; it keeps a copy of those.
class GradientMeter
{
public:
    /// `chunks`: what is averaged and updated. Everything must outlive this object, lanes included.
    /// Several ranks all measure, see gradientRecordOf().
    GradientMeter(
        const HostDevice& device, const NetworkSpec& network, const ParameterArena& arena,
        const TowerTeam& team, const std::vector<ParameterChunk>& chunks, Ranks* ranks = nullptr);

    void beforeUpdate();
    [[nodiscard]] GradientRecord afterUpdate(std::int64_t step);

private:
    void measureChunk(std::size_t number);

    const HostDevice& m_device;
    const NetworkSpec& m_network;
    const ParameterArena& m_arena;
    const TowerTeam& m_team;
    std::vector<ParameterChunk> m_chunks;
    Ranks* m_ranks;
    std::vector<std::vector<const float*>> m_lanes; ///< by own tower
    DeviceMemory m_weightsBefore;
    std::vector<ParameterGradientRecord> m_sums; ///< of the own towers, by chunk, without names
};

} // namespace lockstep
