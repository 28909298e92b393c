// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "network/network_spec.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// Where each parameter lies: end to end in the order in which the backward pass makes the
/// gradients (last layer first), each at a multiple of 64 floats. Between parameters lie zeros.
struct ParameterLayout
{
    explicit ParameterLayout(const NetworkSpec& network);

    std::vector<std::int64_t> offsets; ///< by number of the parameter, in floats
    std::vector<std::int64_t> counts;
    std::int64_t elements = 0; ///< of the whole arena, gaps included
};

/// The parameters of a network on one device: [weights | averaged gradient | moving average].
/// Not synchronised: threads that work at once take disjoint ranges.
class ParameterArena
{
public:
    ParameterArena(const Device& device, const NetworkSpec& network);

    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }
    [[nodiscard]] float* weights() const { return part(0); }
    [[nodiscard]] float* gradient() const { return part(1); }
    [[nodiscard]] float* movingAverage() const { return part(2); }

    /// The values of one parameter within one of the parts above.
    [[nodiscard]] std::span<float> of(float* part, int parameter) const;

    /// Draws the initial weights; the moving averages begin at them.
    void initialize(const NetworkSpec& network, std::uint64_t seed) const;

private:
    [[nodiscard]] float* part(int index) const;

    ParameterLayout m_layout;
    DeviceMemory m_memory;
};

} // namespace lockstep
