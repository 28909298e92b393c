// SPDX-License-Identifier: Apache-2.0
#include "device/parameter_arena.h"

#include "base/error.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::int64_t kAlignedElements = 64;
/// Weights, averaged gradient, moving average.
constexpr std::size_t kParts = 3;

std::vector<StoredOrder> storedOrders(
    const Device& device, const NetworkSpec& network, Precision precision)
{
    std::vector<StoredOrder> orders(network.parameters.size());
    for (const Layer& layer : network.layers) {
        for (const int parameter : layer.parameters) {
            const auto source = static_cast<std::size_t>(layer.inputs.front());
            const auto number = static_cast<std::size_t>(parameter);
            const bool isVector = network.parameters[number].shape.size() == 1;
            orders[number] = device.storedOrder(layer, network.layers[source], isVector, precision);
        }
    }
    return orders;
}

} // namespace

ParameterLayout::ParameterLayout(const NetworkSpec& network) : orders(network.parameters.size())
{
    place(network);
}

ParameterLayout::ParameterLayout(
    const Device& device, const NetworkSpec& network, Precision precision)
    : orders(storedOrders(device, network, precision))
{
    place(network);
}

void ParameterLayout::place(const NetworkSpec& network)
{
    offsets.resize(network.parameters.size());
    counts.resize(network.parameters.size());
    for (auto layer = network.layers.rbegin(); layer != network.layers.rend(); ++layer) {
        for (const int parameter : layer->parameters) {
            const auto index = static_cast<std::size_t>(parameter);
            offsets[index] = elements;
            counts[index] = orders[index].source.empty()
                                ? network.parameters[index].elements()
                                : static_cast<std::int64_t>(orders[index].source.size());
            elements +=
                (counts[index] + kAlignedElements - 1) / kAlignedElements * kAlignedElements;
        }
    }
}

int ParameterLayout::parameterAt(std::int64_t offset) const
{
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (offset >= offsets[i] && offset < offsets[i] + counts[i]) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

ParameterArena::ParameterArena(
    const Device& device, const NetworkSpec& network, Precision precision, UpdateKind optimizer)
    : m_device(device), m_precision(precision), m_slots(slotsOf(optimizer)),
      m_operandBytes(device.operandBytes(precision)), m_layout(device, network, precision),
      m_memory(device.allocate(
          partsFor(optimizer) * static_cast<std::size_t>(m_layout.elements) * sizeof(float)))
{
    for (const ParameterSpec& parameter : network.parameters) {
        m_elements.push_back(parameter.elements());
    }
    if (m_operandBytes > 0) {
        const std::size_t bytes = static_cast<std::size_t>(m_layout.elements) * m_operandBytes;
        m_operands = device.allocate(bytes);
        m_averageOperands = device.allocate(bytes);
    }
}

std::size_t ParameterArena::partsFor(UpdateKind optimizer)
{
    return kParts + slotsOf(optimizer).size();
}

float* ParameterArena::slot(std::size_t number) const
{
    return part(static_cast<int>(kParts + number));
}

std::vector<float*> ParameterArena::stateParts() const
{
    std::vector<float*> parts{weights(), movingAverage()};
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        parts.push_back(slot(i));
    }
    return parts;
}

std::array<float*, kMostSlots> ParameterArena::slotPlaces() const
{
    std::array<float*, kMostSlots> all{};
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        all.at(i) = slot(i);
    }
    return all;
}

float* ParameterArena::part(int index) const
{
    return reinterpret_cast<float*>(m_memory.data()) + index * m_layout.elements;
}

UpdateArrays ParameterArena::updateArrays(std::int64_t offset) const
{
    const std::size_t place = static_cast<std::size_t>(offset) * m_operandBytes;
    std::array<float*, kMostSlots> places = slotPlaces();
    for (float*& slot : places) {
        slot = slot == nullptr ? nullptr : slot + offset;
    }
    return {
        gradient() + offset, weights() + offset, movingAverage() + offset,
        operands() == nullptr ? nullptr : operands() + place, places};
}

void ParameterArena::roundOperands() const
{
    if (operands() == nullptr) {
        return;
    }
    const auto elements = static_cast<std::size_t>(m_layout.elements);
    m_device.round(m_precision, {weights(), elements}, operands());
    m_device.round(m_precision, {movingAverage(), elements}, m_averageOperands.data());
}

std::span<float> ParameterArena::of(float* part, int parameter) const
{
    const auto index = static_cast<std::size_t>(parameter);
    return {part + m_layout.offsets[index], static_cast<std::size_t>(m_layout.counts[index])};
}

std::vector<float> ParameterArena::read(const float* part, int parameter) const
{
    const auto index = static_cast<std::size_t>(parameter);
    std::vector<float> stored(static_cast<std::size_t>(m_layout.counts[index]));
    m_device.copyOut(
        stored.data(), reinterpret_cast<const std::byte*>(part + m_layout.offsets[index]),
        stored.size() * sizeof(float));
    const auto& source = m_layout.orders[index].source;
    if (source.empty()) {
        return stored;
    }
    std::vector<float> values(static_cast<std::size_t>(m_elements[index]));
    for (std::size_t i = 0; i < stored.size(); ++i) {
        if (source[i] >= 0) {
            values[static_cast<std::size_t>(source[i])] = stored[i];
        }
    }
    return values;
}

void ParameterArena::write(float* part, int parameter, std::span<const float> values) const
{
    const auto index = static_cast<std::size_t>(parameter);
    require(
        static_cast<std::int64_t>(values.size()) == m_elements[index],
        "a parameter is overwritten by another number of values");
    const auto& source = m_layout.orders[index].source;
    std::vector<float> stored;
    stored.reserve(source.size());
    for (const std::int32_t from : source) {
        stored.push_back(from < 0 ? 0.0F : values[static_cast<std::size_t>(from)]);
    }
    const float* data = source.empty() ? values.data() : stored.data();
    m_device.copyIn(
        reinterpret_cast<std::byte*>(part + m_layout.offsets[index]), data,
        static_cast<std::size_t>(m_layout.counts[index]) * sizeof(float));
}

void ParameterArena::initialize(const NetworkSpec& network, std::uint64_t seed) const
{
    for (std::size_t i = 0; i < network.parameters.size(); ++i) {
        std::vector<float> values(static_cast<std::size_t>(m_elements[i]));
        lockstep::initialize(
            network.parameters[i].initializer, seed, static_cast<std::uint32_t>(i), values);
        const auto number = static_cast<int>(i);
        write(weights(), number, values);
        write(movingAverage(), number, values);
        for (std::size_t k = 0; k < m_slots.size(); ++k) {
            std::ranges::fill(values, m_slots[k].initial);
            write(slot(k), number, values);
        }
    }
    roundOperands();
}

} // namespace lockstep
