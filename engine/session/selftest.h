// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep {

/// One line of the self-test's table.
struct SelftestLine
{
    std::string name;   ///< "conv2d 5x5 64->64, gradient of weights"
    double error = 0.0; ///< relative to the norm of the reference
    double tolerance = 0.0;
    [[nodiscard]] bool isPassed() const { return error <= tolerance; }
};

/// Proves a device on the user's own machine: every op, forward and backward, on random shapes
/// against the float64 reference; the whole cifar10 network (gradients, directional derivative of
/// the loss); N towers against one. `report` gets each line as it is known.
std::vector<SelftestLine> runSelftest(
    const Device& device, const std::function<void(const SelftestLine&)>& report = {});

} // namespace lockstep
