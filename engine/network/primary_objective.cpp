// SPDX-License-Identifier: Apache-2.0
#include "network/primary_objective.h"

#include <algorithm>

namespace lockstep {

std::size_t primaryObjective(const NetworkSpec& network)
{
    const auto& objectives = network.objectives;
    const auto answersForImage = [&](const Objective& objective) {
        const auto layer = static_cast<std::size_t>(sourceOf(objective));
        const Shape& shape = network.layers[layer].shape;
        return !objective.isReportedOnly && shape.height == 1 && shape.width == 1;
    };
    auto found = std::ranges::find_if(objectives, answersForImage);
    if (found == objectives.end()) {
        found = std::ranges::find(objectives, false, &Objective::isReportedOnly);
    }
    return static_cast<std::size_t>(std::distance(objectives.begin(), found));
}

} // namespace lockstep
