// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace lockstep {

/// The towers of one device: first, first + 1, …
struct TowerRange
{
    int first = 0;
    int count = 0;
};

class Ranks;

/// The towers that one rank trains; without ranks all are its own.
struct RankShare
{
    Ranks* ranks = nullptr;
    TowerRange towers = {};

    [[nodiscard]] TowerRange of(int all) const
    {
        return ranks == nullptr ? TowerRange{0, all} : towers;
    }
    /// Whether this process is the one that tells and chooses for all.
    [[nodiscard]] bool isFirst() const;
};

/// "tower 3", "towers 0 to 1".
std::string towersText(const TowerRange& range);

/// Spreads towers over devices in order, as evenly as it goes; the first devices get one more. With
/// fewer towers than devices the last devices get none.
std::vector<TowerRange> placeTowers(int towers, int devices);

} // namespace lockstep
