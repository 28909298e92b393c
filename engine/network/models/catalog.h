// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <string>
#include <vector>

namespace lockstep {

/// TensorFlow's CIFAR-10 tutorial network, 1,068,298 parameters.
NetworkSpec cifar10Network();

/// For the generated pictures (dataset/formats/synthetic.h), 117,914 parameters: with Adam at
/// 0.003 and 64 examples a step it tells nine of ten shapes after about a thousand steps.
NetworkSpec shapesNetwork();

/// A built-in network by name, with its default settings. Error(BadInput) lists the known names.
NetworkSpec networkByName(const std::string& name);

/// Names that networkByName knows.
std::vector<std::string> networkNames();

} // namespace lockstep
