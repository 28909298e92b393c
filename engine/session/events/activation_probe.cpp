// SPDX-License-Identifier: Apache-2.0
#include "session/events/activation_probe.h"

#include "base/error.h"
#include "device/registry/device_registry.h"

#include <algorithm>

namespace lockstep {
namespace {

NetworkSpec withOutputs(NetworkSpec network)
{
    network.outputs.clear();
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        if (!network.layers[i].parameters.empty()) {
            network.outputs.push_back({network.layers[i].name, static_cast<int>(i)});
        }
    }
    return network;
}

} // namespace

ActivationProbe::ActivationProbe(const NetworkSpec& network, std::int64_t rows)
    : m_network(withOutputs(network)), m_device(openDevice("cpu")), m_layout(m_network),
      m_weights(m_device->allocate(static_cast<std::size_t>(m_layout.elements) * sizeof(float))),
      m_thread("probe", 1, false)
{
    m_thread.run([&](int) {
        m_device->enterThread(1);
        ReplicaSettings settings;
        settings.examples = rows;
        m_replica.emplace(*m_device, m_network, m_layout, settings);
    });
}

void ActivationProbe::setWeights(int parameter, std::span<const float> values)
{
    const auto number = static_cast<std::size_t>(parameter);
    require(
        std::ssize(values) == m_layout.counts[number], "a parameter of another size than planned");
    auto* start = reinterpret_cast<float*>(m_weights.data()) + m_layout.offsets[number];
    std::ranges::copy(values, start);
}

std::vector<LayerActivations> ActivationProbe::run(const Batch& batch)
{
    std::vector<LayerActivations> activations;
    m_thread.run([&](int) {
        const WeightsView weights(reinterpret_cast<const float*>(m_weights.data()));
        m_replica->forward(weights, {batch.images, batch.labels, batch.masks});
        for (const NamedOutput& output : m_network.outputs) {
            activations.push_back({output.layer, m_replica->output(output.name)});
        }
    });
    return activations;
}

} // namespace lockstep
