// SPDX-License-Identifier: Apache-2.0
#include "session/step/gradient_meter.h"

#include "tower/rank_towers.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

void add(const ParameterGradientRecord& part, ParameterGradientRecord& sum)
{
    sum.gradientSquares += part.gradientSquares;
    sum.weightSquares += part.weightSquares;
    sum.updateSquares += part.updateSquares;
    for (std::size_t tower = 0; tower < part.towers.size(); ++tower) {
        sum.towers[tower].squares += part.towers[tower].squares;
        sum.towers[tower].dotMean += part.towers[tower].dotMean;
    }
}

/// Moments are no gradients: as such they would outweigh all others.
bool isGradient(const NetworkSpec& network, const ParameterChunk& chunk)
{
    return !network.parameters[static_cast<std::size_t>(chunk.parameter)].isStatistic();
}

std::vector<ParameterChunk> gradientsOf(
    const NetworkSpec& network, std::vector<ParameterChunk> chunks)
{
    std::erase_if(chunks, [&](const ParameterChunk& each) { return !isGradient(network, each); });
    return chunks;
}

void addOtherRanks(Ranks& ranks, int allTowers, std::vector<ParameterGradientRecord>& parameters)
{
    std::vector<TowerGradientRecord> own; // tower by tower
    for (std::size_t tower = 0; tower < parameters.front().towers.size(); ++tower) {
        for (const ParameterGradientRecord& parameter : parameters) {
            own.push_back(parameter.towers[tower]);
        }
    }
    const auto all = ofAllTowers<TowerGradientRecord>(ranks, allTowers, own, parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        parameters[i].towers.clear();
        for (std::size_t place = i; place < all.size(); place += parameters.size()) {
            parameters[i].towers.push_back(all[place]);
        }
    }
}

} // namespace

GradientRecord gradientRecordOf(
    const NetworkSpec& network, const std::vector<ParameterChunk>& chunks,
    const std::vector<ParameterGradientRecord>& byChunk, std::int64_t step, const TowerShape& shape,
    Ranks* ranks)
{
    std::vector<ParameterGradientRecord> all(network.parameters.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const auto number = static_cast<std::size_t>(chunks[i].parameter);
        if (isGradient(network, chunks[i])) {
            all[number].name = network.parameters[number].name;
            all[number].towers.resize(byChunk[i].towers.size());
            add(byChunk[i], all[number]);
        }
    }
    std::erase_if(all, [](const ParameterGradientRecord& parameter) {
        return parameter.name.empty(); // it is not trained
    });
    if (ranks != nullptr) {
        addOtherRanks(*ranks, shape.towers, all);
    }
    return {step, shape.batchPerTower, std::move(all)};
}

GradientMeter::GradientMeter(
    const HostDevice& device, const NetworkSpec& network, const ParameterArena& arena,
    const TowerTeam& team, const std::vector<ParameterChunk>& chunks, Ranks* ranks)
    : m_device(device), m_network(network), m_arena(arena), m_team(team),
      m_chunks(gradientsOf(network, chunks)), m_ranks(ranks),
      m_lanes(static_cast<std::size_t>(team.towers().count)),
      m_weightsBefore(
          device.allocate(static_cast<std::size_t>(arena.layout().elements) * sizeof(float))),
      m_sums(m_chunks.size())
{
    for (const LaneGradient& lane : team.gradients()) {
        m_lanes[static_cast<std::size_t>(lane.tower - team.towers().first)].push_back(lane.values);
    }
    for (ParameterGradientRecord& sums : m_sums) {
        sums.towers.resize(m_lanes.size());
    }
}

void GradientMeter::beforeUpdate()
{
    shareOut(m_team.threads(), m_chunks.size(), [this](std::size_t i) { measureChunk(i); });
}

void GradientMeter::measureChunk(std::size_t number)
{
    const ParameterChunk& chunk = m_chunks[number];
    const auto count = static_cast<std::size_t>(chunk.count);
    const float* const weights = m_arena.weights() + chunk.offset;
    const float* const mean = m_arena.gradient() + chunk.offset;
    ParameterGradientRecord& sums = m_sums[number];
    sums.gradientSquares = m_device.sumOfSquares({mean, count});
    sums.weightSquares = m_device.sumOfSquares({weights, count});
    for (std::size_t tower = 0; tower < m_lanes.size(); ++tower) {
        const GradientProducts products =
            m_device.gradientProducts(m_lanes[tower], chunk.offset, chunk.count, mean);
        sums.towers[tower] = {products.squares, products.dotMean};
    }
    std::copy_n(weights, count, reinterpret_cast<float*>(m_weightsBefore.data()) + chunk.offset);
}

GradientRecord GradientMeter::afterUpdate(std::int64_t step)
{
    const auto* const before = reinterpret_cast<const float*>(m_weightsBefore.data());
    shareOut(m_team.threads(), m_chunks.size(), [&](std::size_t i) {
        const ParameterChunk& chunk = m_chunks[i];
        m_sums[i].updateSquares = m_device.squaredDistance(
            {m_arena.weights() + chunk.offset, static_cast<std::size_t>(chunk.count)},
            before + chunk.offset);
    });
    return gradientRecordOf(m_network, m_chunks, m_sums, step, m_team.shape(), m_ranks);
}

} // namespace lockstep
