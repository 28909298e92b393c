// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "network/network_spec.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Where each parameter lies: end to end in the order in which the backward pass makes the
/// gradients (last layer first), each at a multiple of 64 floats. Between parameters lie zeros.
struct ParameterLayout
{
    /// Every parameter as PyTorch lays it out.
    explicit ParameterLayout(const NetworkSpec& network);
    /// As the device keeps it, which may take more room.
    ParameterLayout(const Device& device, const NetworkSpec& network, Precision precision);

    std::vector<std::int64_t> offsets; ///< by number of the parameter, in floats
    std::vector<std::int64_t> counts;  ///< as stored
    std::vector<StoredOrder> orders;
    std::int64_t elements = 0; ///< of the whole arena, gaps included

    /// Number of the parameter that value `offset` belongs to; -1: a gap.
    [[nodiscard]] int parameterAt(std::int64_t offset) const;

private:
    void place(const NetworkSpec& network);
};

/// The parameters of a network on one device: [weights | averaged gradient | moving average | slots
/// of the optimizer], and, where the device multiplies with rounded copies, those of the weights
/// and of the moving average. Not synchronised: threads that work at once take disjoint ranges.
class ParameterArena
{
public:
    ParameterArena(
        const Device& device, const NetworkSpec& network, Precision precision = Precision::Float32,
        UpdateKind optimizer = UpdateKind::Sgd);

    /// Of float32 values, rounded copies aside.
    static std::size_t partsFor(UpdateKind optimizer);

    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }
    // Addresses of the device's memory.
    [[nodiscard]] float* weights() const { return part(0); }
    [[nodiscard]] float* gradient() const { return part(1); }
    [[nodiscard]] float* movingAverage() const { return part(2); }
    /// What the optimizer keeps from step to step, in the order of slotSpecs().
    [[nodiscard]] float* slot(std::size_t number) const;
    [[nodiscard]] std::span<const SlotSpec> slotSpecs() const { return m_slots; }
    /// All parts that a training goes on from: weights, moving average, slots.
    [[nodiscard]] std::vector<float*> stateParts() const;
    /// By number; null where there are fewer.
    [[nodiscard]] std::array<float*, kMostSlots> slotPlaces() const;
    /// The copy that is multiplied with; null where there is none.
    [[nodiscard]] std::byte* operands() const { return m_operands.data(); }

    /// The weights for ops. Whoever changes them keeps operands() up to date.
    [[nodiscard]] WeightsView weightsView() const { return {weights(), operands()}; }
    /// The moving averages for ops; their rounded copies are made anew by roundOperands().
    [[nodiscard]] WeightsView movingAverageView() const
    {
        return {movingAverage(), m_averageOperands.data()};
    }
    /// What an update from value `offset` on works on. Host devices.
    [[nodiscard]] UpdateArrays updateArrays(std::int64_t offset) const;
    /// Makes the rounded copies of weights and moving averages. Nothing may be in flight.
    void roundOperands() const;

    /// The values of one parameter within one of the parts above, where they lie.
    [[nodiscard]] std::span<float> of(float* part, int parameter) const;
    /// A copy of those values in host memory, in PyTorch's order.
    [[nodiscard]] std::vector<float> read(const float* part, int parameter) const;
    /// Overwrites one parameter by values in PyTorch's order.
    void write(float* part, int parameter, std::span<const float> values) const;

    /// Draws the initial weights; the moving averages begin at them, the slots at their own values.
    void initialize(const NetworkSpec& network, std::uint64_t seed) const;

private:
    [[nodiscard]] float* part(int index) const;

    const Device& m_device;
    Precision m_precision;
    std::span<const SlotSpec> m_slots;
    std::size_t m_operandBytes; ///< of one weight's rounded copy
    ParameterLayout m_layout;
    std::vector<std::int64_t> m_elements; ///< by parameter, padding not counted
    DeviceMemory m_memory;
    DeviceMemory m_operands;
    DeviceMemory m_averageOperands;
};

} // namespace lockstep
