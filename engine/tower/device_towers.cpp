// SPDX-License-Identifier: Apache-2.0
#include "tower/device_towers.h"

#include "base/error.h"

namespace lockstep {

DeviceTowers::DeviceTowers(
    const Accelerator& device, const NetworkSpec& network, const ParameterLayout& layout,
    const DeviceTowersSettings& settings)
    : m_device(device), m_settings(settings),
      m_results(device.allocate(
          static_cast<std::size_t>(settings.towers.count) * network.objectives.size()
          * sizeof(ObjectiveResult))),
      m_lanes(device.allocate(
          2 * static_cast<std::size_t>(settings.towers.count) * sizeof(WeightedGradient))),
      m_stream(device.makeStream()), m_fork(device.makeEvent())
{
    for (int i = 1; i < settings.towers.count; ++i) {
        m_branches.push_back(device.makeStream());
        m_joins.push_back(device.makeEvent());
    }
    makeReplicas(network, layout);
}

void DeviceTowers::makeReplicas(const NetworkSpec& network, const ParameterLayout& layout)
{
    ReplicaSettings replica{m_settings.batchPerTower, true, 1, m_settings.precision};
    replica.algorithms = m_settings.algorithms;
    auto* const results = reinterpret_cast<ObjectiveResult*>(m_results.data());
    for (int i = 0; i < m_settings.towers.count; ++i) {
        const auto number = static_cast<std::size_t>(i);
        replica.stream = i == 0 ? m_stream.get() : m_branches[number - 1].get();
        replica.results = results + number * network.objectives.size();
        try {
            m_replicas.push_back(std::make_unique<Replica>(m_device, network, layout, replica));
        } catch (const Error& error) {
            fail(error.code(), "tower {}: {}", m_settings.towers.first + i, error.what());
        }
        for (const OpReport& op : m_replicas.front()->report()) {
            replica.algorithms[op.layer] = op.algorithm;
        }
    }
}

void DeviceTowers::setWeights(
    const std::vector<float>& towerWeights, const std::vector<float>& momentWeights)
{
    std::vector<WeightedGradient> lanes;
    for (const std::vector<float>* weights : {&towerWeights, &momentWeights}) {
        for (std::size_t i = 0; i < m_replicas.size(); ++i) {
            const auto tower = static_cast<std::size_t>(m_settings.towers.first) + i;
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

void DeviceTowers::enqueueForward(
    const WeightsView& weights, const DeviceInput& input, double lossScale,
    const LayerRange& layers)
{
    branch([&](std::size_t i) {
        DeviceInput own = input;
        const std::int64_t tower = m_settings.towers.first + static_cast<std::int64_t>(i);
        own.firstRow = tower * m_settings.batchPerTower;
        m_replicas[i]->enqueueForward(weights, own);
        m_replicas[i]->enqueueBackward(weights, lossScale, layers);
    });
}

void DeviceTowers::enqueueBackward(
    const WeightsView& weights, double lossScale, const LayerRange& layers)
{
    branch([&](std::size_t i) { m_replicas[i]->enqueueBackward(weights, lossScale, layers); });
}

} // namespace lockstep
