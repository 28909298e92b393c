// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <string>
#include <vector>

namespace lockstep {

/// Of the objectives of a network, in their order: names of the losses of a record.
inline std::vector<std::string> objectiveNames(const NetworkSpec& network)
{
    std::vector<std::string> names;
    for (const Objective& objective : network.objectives) {
        names.push_back(objective.name);
    }
    return names;
}

} // namespace lockstep
