// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "network/network_spec.h"
#include "network/reference.h"
#include "tower/replica.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lockstep {

/// Random rows for a network: images of mean 0 and deviation 1, labels of all classes.
struct TrialRows
{
    TrialRows(
        const NetworkSpec& network, std::int64_t rows, PhiloxStream random, bool areMixed = false);

    std::vector<float> images;
    std::vector<std::int32_t> labels;
    std::vector<float> masks; ///< 0 to 1, where the network needs them

    std::vector<MixedLabel> mixed;

    [[nodiscard]] BatchSlice all(std::int64_t step) const
    {
        return {images, labels, masks, step, 0, mixed};
    }
};

/// Norm of the difference over the norm of what is expected; infinite where sizes differ or a value
/// is not a number.
template<class Got, class Expected>
double relativeError(const Got& got, const Expected& expected)
{
    double difference = 0.0;
    double norm = 0.0;
    if (std::size(got) != std::size(expected)) {
        return std::numeric_limits<double>::infinity();
    }
    for (std::size_t i = 0; i < std::size(got); ++i) {
        const double distance = static_cast<double>(got[i]) - static_cast<double>(expected[i]);
        difference += distance * distance;
        norm += static_cast<double>(expected[i]) * static_cast<double>(expected[i]);
    }
    const double error = std::sqrt(norm > 0.0 ? difference / norm : difference);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// A part of the arena, or a gradient laid out like one, in host memory.
std::vector<float> partOf(const Device& device, const ParameterLayout& layout, const float* start);

/// One pass of a network with its initial weights on a device, forward and backward, and the same
/// in the float64 reference. The device must outlive it.
class Trial
{
public:
    /// Of `settings` examples, seed, precision and algorithms are taken.
    Trial(
        const Device& device, NetworkSpec network, const ReplicaSettings& settings,
        bool areRowsMixed = false);

    [[nodiscard]] double outputError(const std::string& output) const;
    [[nodiscard]] double lossError() const;
    [[nodiscard]] double gradientError(int parameter) const;

    /// Derivative of the loss along the gradient, central difference against analytic, both of the
    /// device.
    double directionalError();

    [[nodiscard]] const NetworkSpec& network() const { return m_network; }

private:
    void clearStatistics();
    [[nodiscard]] double lossAt(const std::vector<float>& weights);

    const Device& m_device;
    NetworkSpec m_network;
    TrialRows m_rows;
    DropoutDraw m_draw;
    ParameterArena m_arena;
    Replica m_replica;
    std::vector<float> m_weights;   ///< laid out as the arena
    std::vector<float> m_gradients; ///< 0 for statistics
    double m_lossSum = 0.0;
    ReferencePass m_reference;
};

} // namespace lockstep
