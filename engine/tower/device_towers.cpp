// SPDX-License-Identifier: Apache-2.0
#include "tower/device_towers.h"

#include "base/error.h"

#include <algorithm>

namespace lockstep {
namespace {

std::span<float> valuesOf(const DeviceMemory& memory)
{
    return {reinterpret_cast<float*>(memory.data()), memory.bytes() / sizeof(float)};
}

} // namespace

DeviceTowers::DeviceTowers(
    const Accelerator& device, const NetworkSpec& network, const ParameterLayout& layout,
    const TowerRange& towers, const TowerShape& shape, const ReplicaSettings& settings)
    : m_device(device), m_towers(towers), m_shape(shape),
      m_results(device.allocate(
          static_cast<std::size_t>(towers.count * shape.passes) * network.objectives.size()
          * sizeof(ObjectiveResult))),
      m_lanes(
          device.allocate(2 * static_cast<std::size_t>(towers.count) * sizeof(WeightedGradient))),
      m_stream(device.makeStream()), m_fork(device.makeEvent())
{
    for (int i = 1; i < towers.count; ++i) {
        m_branches.push_back(device.makeStream());
        m_joins.push_back(device.makeEvent());
    }
    if (settings.features.has(StepFeature::DependentLaunch)) {
        m_stream->overlapKernels();
        std::ranges::for_each(m_branches, [](const auto& branch) { branch->overlapKernels(); });
    }
    makeReplicas(network, layout, settings);
    planSyncPoints();
}

void DeviceTowers::makeReplicas(
    const NetworkSpec& network, const ParameterLayout& layout, ReplicaSettings settings)
{
    settings.isTraining = true;
    settings.examples = m_shape.rowsPerPass();
    settings.syncTowers = m_shape.towers;
    auto* const results = reinterpret_cast<ObjectiveResult*>(m_results.data());
    TowerStamps* const stamps = settings.stamps;
    for (int i = 0; i < m_towers.count; ++i) {
        const auto number = static_cast<std::size_t>(i);
        settings.firstRow = (m_towers.first + i) * m_shape.batchPerTower;
        settings.stream = i == 0 ? m_stream.get() : m_branches[number - 1].get();
        settings.results =
            results + number * static_cast<std::size_t>(m_shape.passes) * network.objectives.size();
        settings.stamps = stamps == nullptr ? nullptr : stamps + number;
        try {
            m_replicas.push_back(std::make_unique<Replica>(m_device, network, layout, settings));
        } catch (const Error& error) {
            fail(error.code(), "tower {}: {}", m_towers.first + i, error.what());
        }
        for (const OpReport& op : m_replicas.front()->report()) {
            settings.algorithms[op.layer] = op.algorithm;
        }
        if (m_shape.passes > 1) {
            m_kept.push_back(
                m_device.allocate(static_cast<std::size_t>(layout.elements) * sizeof(float)));
        }
    }
}

void DeviceTowers::planSyncPoints()
{
    const Replica& first = *m_replicas.front();
    for (std::size_t part = 0; part + 1 < first.parts(Direction::Forward); ++part) {
        m_forwardSyncPoints.push_back(makeSyncPoint(
            [&](const Replica& replica) { return replica.sumsAfter(Direction::Forward, part); }));
    }
    for (const BackwardPart& part : first.backwardParts(first.allLayers())) {
        if (part.beginsNode >= 0) {
            m_backwardSyncPoints.emplace(
                part.beginsNode,
                makeSyncPoint([&](const Replica& replica) { return replica.sumsAfter(part); }));
        }
    }
}

template<class SumsOf>
DeviceTowers::SyncPoint DeviceTowers::makeSyncPoint(SumsOf sumsOf) const
{
    std::vector<double*> sums;
    for (const auto& replica : m_replicas) {
        sums.push_back(sumsOf(*replica).data());
    }
    SyncPoint point{
        m_device.allocate(sums.size() * sizeof(double*)), sums.front(),
        static_cast<std::int64_t>(sumsOf(*m_replicas.front()).size())};
    m_device.copyIn(point.sums.data(), sums.data(), point.sums.bytes());
    return point;
}

void DeviceTowers::addUp(const SyncPoint& point)
{
    m_stream->label("towers", "sums");
    shareSum(point, m_towers.count);
    if (m_sumOverDevices) {
        m_sumOverDevices(point.first, point.count);
        m_stream->label("towers", "sums"); // a capture that begins anew has none
        shareSum(point, 1);
    }
}

/// All towers of the device get the sum of the first ones.
void DeviceTowers::shareSum(const SyncPoint& point, int terms)
{
    if (m_towers.count > 1) {
        m_device.enqueueTowerSum(
            *m_stream, {reinterpret_cast<double* const*>(point.sums.data()), m_towers.count,
                        point.count, terms});
    }
}

void DeviceTowers::setWeights(
    const std::vector<float>& towerWeights, const std::vector<float>& momentWeights)
{
    std::vector<WeightedGradient> lanes;
    for (const std::vector<float>* weights : {&towerWeights, &momentWeights}) {
        for (std::size_t i = 0; i < m_replicas.size(); ++i) {
            const auto tower = static_cast<std::size_t>(m_towers.first) + i;
            lanes.push_back({m_replicas[i]->gradients(), (*weights)[tower]});
        }
    }
    m_device.copyIn(m_lanes.data(), lanes.data(), lanes.size() * sizeof(WeightedGradient));
}

template<class Work>
void DeviceTowers::branch(Work work)
{
    m_stream->record(*m_fork);
    for (std::size_t i = 0; i < m_replicas.size(); ++i) {
        if (i > 0) {
            m_branches[i - 1]->waitFor(*m_fork);
        }
        work(i);
        if (i > 0) {
            m_branches[i - 1]->record(*m_joins[i - 1]);
        }
    }
    for (const auto& join : m_joins) {
        m_stream->waitFor(*join);
    }
}

/// The first one of several fills what is kept, to which the others' gradients are added.
void DeviceTowers::beginPass(int number)
{
    for (std::size_t i = 0; i < m_replicas.size(); ++i) {
        const bool isKept = number == 0 && m_shape.passes > 1;
        m_replicas[i]->beginPass(
            number,
            isKept ? reinterpret_cast<float*>(m_kept[i].data()) : m_replicas[i]->gradients());
    }
}

void DeviceTowers::enqueueEarlierPasses(
    const WeightsView& weights, const DeviceInput& input, double lossScale)
{
    for (int pass = 0; pass + 1 < m_shape.passes; ++pass) {
        beginPass(pass);
        enqueueForward(weights, input, lossScale, m_replicas.front()->allLayers());
        if (pass > 0) {
            m_stream->label("towers", "passes");
            branch([&](std::size_t i) {
                m_device.enqueueAdd(
                    *m_replicas[i]->settings().stream, valuesOf(m_kept[i]),
                    m_replicas[i]->gradients());
            });
        }
    }
    beginPass(m_shape.passes - 1);
}

void DeviceTowers::addEarlierPasses(std::int64_t offset, std::int64_t count)
{
    if (m_shape.passes == 1) {
        return;
    }
    m_stream->label("towers", "passes");
    branch([&](std::size_t i) {
        m_device.enqueueAdd(
            *m_replicas[i]->settings().stream,
            {m_replicas[i]->gradients() + offset, static_cast<std::size_t>(count)},
            valuesOf(m_kept[i]).data() + offset);
    });
}

Lane DeviceTowers::lane(int index) const
{
    const ReplicaSettings& rows = replica(index).settings();
    return {
        m_towers.first + index, rows.firstRow + (m_shape.passes - 1) * rows.examples,
        rows.examples};
}

std::size_t DeviceTowers::bytes(int index) const
{
    return replica(index).bytes()
           + (m_kept.empty() ? 0 : m_kept[static_cast<std::size_t>(index)].bytes());
}

void DeviceTowers::enqueueForward(
    const WeightsView& weights, const DeviceInput& input, double lossScale,
    const LayerRange& layers)
{
    const auto backward = m_replicas.front()->backwardParts(layers);
    for (std::size_t part = 0; part <= m_forwardSyncPoints.size(); ++part) {
        const bool isLast = part == m_forwardSyncPoints.size();
        branch([&](std::size_t i) {
            DeviceInput own = input;
            own.firstRow = m_replicas[i]->settings().firstRow - input.firstRow;
            m_replicas[i]->enqueueForwardPart(part, weights, own);
            if (isLast) {
                enqueueTower(i, weights, lossScale, backward.front());
            }
        });
        if (!isLast) {
            addUp(m_forwardSyncPoints[part]);
        }
    }
    enqueueRest(weights, lossScale, backward);
}

void DeviceTowers::enqueueBackward(
    const WeightsView& weights, double lossScale, const LayerRange& layers)
{
    const auto parts = m_replicas.front()->backwardParts(layers);
    branch([&](std::size_t i) { enqueueTower(i, weights, lossScale, parts.front()); });
    enqueueRest(weights, lossScale, parts);
}

/// The parts after the first one.
void DeviceTowers::enqueueRest(
    const WeightsView& weights, double lossScale, const std::vector<BackwardPart>& parts)
{
    for (std::size_t part = 1; part < parts.size(); ++part) {
        addUp(m_backwardSyncPoints.at(parts[part - 1].beginsNode));
        branch([&](std::size_t i) { enqueueTower(i, weights, lossScale, parts[part]); });
    }
}

/// A part of a backward pass. The last kernel of a pass is a library's, which notes no time; the
/// average after an only tower does it instead.
void DeviceTowers::enqueueTower(
    std::size_t tower, const WeightsView& weights, double lossScale, const BackwardPart& part)
{
    const Replica& replica = *m_replicas[tower];
    m_replicas[tower]->enqueueBackward(weights, lossScale, part);
    const bool isLast = part.layers.first == 0;
    if (isLast && m_towers.count > 1 && replica.settings().stamps != nullptr) {
        m_device.enqueueStamp(*replica.settings().stream, &replica.settings().stamps->arrival);
    }
}

} // namespace lockstep
