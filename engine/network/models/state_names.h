// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// A tensor in the state_dict of the same network in torchvision.
struct StateTensor
{
    std::string name; ///< "layer1.0.bn1.running_mean"
    /// As many values in the same order as the parameter; fully connected layers of single cells
    /// are convolutions there.
    std::vector<std::int64_t> shape;
};

/// What a parameter of a built-in network is called in torchvision's model of the same name; of
/// another network the statistics of a normalisation are called as PyTorch calls them, and all else
/// as it is.
StateTensor stateTensor(const NetworkSpec& network, const ParameterSpec& parameter);

/// How pictures are to be prepared for weights of torchvision, in a sentence; empty: nothing is
/// known of the network.
std::string expectedPictures(const NetworkSpec& network);

} // namespace lockstep
