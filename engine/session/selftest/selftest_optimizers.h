// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "session/step/stepper.h"
#include "update/optimizer_settings.h"

#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// Constants of each kind that show: all of them matter to the first steps.
OptimizerSettings selftestOptimizer(UpdateKind kind);

/// Makes a few steps and follows them in the float64 reference with the device's own gradients, so
/// that the update alone is compared. Returns what is compared, and by how much it is off: the
/// norm of the difference over that of what is expected, for the change of the weights and for each
/// slot. `stepper` is at step 0, and its schedule gives what updateAt() makes of `learningRate`.
std::vector<std::pair<std::string, double>> optimizerErrors(
    const Device& device, const NetworkSpec& network, Stepper& stepper,
    const OptimizerSettings& optimizer, double learningRate);

} // namespace lockstep
