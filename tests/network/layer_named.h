// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lockstep::test {

inline const Layer& layerNamed(const NetworkSpec& network, const std::string& name)
{
    const auto found = std::ranges::find(network.layers, name, &Layer::name);
    if (found == network.layers.end()) {
        throw std::runtime_error("no layer " + name);
    }
    return *found;
}

} // namespace lockstep::test
