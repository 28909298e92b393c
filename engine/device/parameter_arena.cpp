// SPDX-License-Identifier: Apache-2.0
#include "device/parameter_arena.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::int64_t kAlignment = 64;
constexpr std::int64_t kParts = 3;

} // namespace

ParameterLayout::ParameterLayout(const NetworkSpec& network)
    : offsets(network.parameters.size()), counts(network.parameters.size())
{
    for (auto layer = network.layers.rbegin(); layer != network.layers.rend(); ++layer) {
        for (const int parameter : layer->parameters) {
            const auto index = static_cast<std::size_t>(parameter);
            offsets[index] = elements;
            counts[index] = network.parameters[index].elements();
            elements += (counts[index] + kAlignment - 1) / kAlignment * kAlignment;
        }
    }
}

ParameterArena::ParameterArena(const Device& device, const NetworkSpec& network)
    : m_layout(network), m_memory(device.allocate(
                             static_cast<std::size_t>(kParts * m_layout.elements) * sizeof(float)))
{
}

float* ParameterArena::part(int index) const
{
    return reinterpret_cast<float*>(m_memory.data()) + index * m_layout.elements;
}

std::span<float> ParameterArena::of(float* part, int parameter) const
{
    const auto index = static_cast<std::size_t>(parameter);
    return {part + m_layout.offsets[index], static_cast<std::size_t>(m_layout.counts[index])};
}

void ParameterArena::initialize(const NetworkSpec& network, std::uint64_t seed) const
{
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        const auto number = static_cast<int>(i);
        lockstep::initialize(
            network.parameters[i].initializer, seed, static_cast<std::uint32_t>(i),
            of(weights(), number));
        std::ranges::copy(of(weights(), number), of(movingAverage(), number).begin());
    }
}

} // namespace lockstep
