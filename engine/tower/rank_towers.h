// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ranks/ranks.h"
#include "tower/placement.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace lockstep {

/// Of every tower `perTower` values, in tower order, given those of the own ones. T: bytes without
/// pointers. Collective.
template<class T>
std::vector<T> ofAllTowers(Ranks& ranks, int towers, std::span<const T> own, std::size_t perTower)
{
    std::vector<std::size_t> begins{0};
    for (const TowerRange& place : placeTowers(towers, ranks.size())) {
        begins.push_back(begins.back() + static_cast<std::size_t>(place.count) * perTower);
    }
    std::vector<T> all(begins.back());
    const auto first = begins[static_cast<std::size_t>(ranks.rank())];
    std::ranges::copy(own, all.begin() + static_cast<std::ptrdiff_t>(first));
    shareSlices<T>(ranks, all, begins);
    return all;
}

} // namespace lockstep
