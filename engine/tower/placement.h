// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace lockstep {

/// The towers of one device: first, first + 1, …
struct TowerRange
{
    int first = 0;
    int count = 0;
};

/// Spreads towers over devices in order, as evenly as it goes; the first devices get one more. With
/// fewer towers than devices the last devices get none.
std::vector<TowerRange> placeTowers(int towers, int devices);

} // namespace lockstep
