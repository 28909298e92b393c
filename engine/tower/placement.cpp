// SPDX-License-Identifier: Apache-2.0
#include "tower/placement.h"

#include "ranks/ranks.h"

#include "base/error.h"

#include <fmt/core.h>

namespace lockstep {

bool RankShare::isFirst() const
{
    return ranks == nullptr || ranks->rank() == 0;
}

std::vector<TowerRange> placeTowers(int towers, int devices)
{
    require(towers > 0 && devices > 0, "towers and devices must be at least 1");
    std::vector<TowerRange> places;
    int first = 0;
    for (int device = 0; device < devices; ++device) {
        const int count = towers / devices + (device < towers % devices ? 1 : 0);
        places.push_back({first, count});
        first += count;
    }
    return places;
}

std::string towersText(const TowerRange& range)
{
    return range.count == 1
               ? fmt::format("tower {}", range.first)
               : fmt::format("towers {} to {}", range.first, range.first + range.count - 1);
}

} // namespace lockstep
