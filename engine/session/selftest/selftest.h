// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// One line of the self-test's table.
struct SelftestLine
{
    std::string name;   ///< "bfloat16 conv2d 5x5 64->64, gradient of weights"
    double error = 0.0; ///< relative to the norm of the reference
    double tolerance = 0.0;
    std::string failure = {}; ///< what a check threw instead; empty: it came to its end
    [[nodiscard]] bool isPassed() const { return failure.empty() && error <= tolerance; }
};

/// What is tested, and how.
struct SelftestSettings
{
    /// In this order; none: all that the device has, of an accelerator the roughest first.
    std::vector<Precision> precisions = {};
    std::string only = {}; ///< checks whose name holds it
    /// By layer; see ReplicaSettings.
    std::map<std::string, std::string> algorithms = {};
};

/// Who watches; both may be empty.
struct SelftestWatcher
{
    std::function<void(const std::string& name)> onCheck = {}; ///< before it runs
    std::function<void(const SelftestLine&)> onLine = {};      ///< as soon as it is known
};

/// Proves a device on the user's own machine: every op, forward and backward, on random shapes and
/// on one that takes several blocks, against the float64 reference; the whole cifar10 network
/// (gradients, directional derivative of the loss); N towers against one; replayed steps against
/// those enqueued anew, first of all. A check that throws is a line, and the next one goes on; if
/// the device doesn't answer any more, those that follow are lines that say so. Error(BadInput) for
/// a precision that the device has not, or if no check's name holds `only`.
std::vector<SelftestLine> runSelftest(
    const Device& device, const SelftestSettings& settings, const SelftestWatcher& watcher = {});

} // namespace lockstep
