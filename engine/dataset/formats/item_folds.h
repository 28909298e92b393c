// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One thing that several images show: all of them belong in the same fold, or a net would be
/// tested on what it has seen.
struct Item
{
    std::string name; ///< "kos01"
    std::int64_t images = 0;
    std::int64_t defective = 0; ///< of these
};

/// The fold, from 0, of each item by name.
using ItemFolds = std::map<std::string, int>;

/// Deals items to folds, those with a defective image apart from the clean ones: of both kinds, and
/// of all items, no fold has more than another by more than one. Within this folds are made alike:
/// those with the most defective images, then with the most images, are dealt first, each to the
/// fold that has the fewest defective images so far, then the
/// fewest images, so that folds differ in defective images by the most that one item has. Of equal
/// items the order is drawn from PhiloxStream(seed, Folds, 0, 0). A function of the names and
/// counts, not of the order in which they are given. Throws Error(BadInput) if there are fewer
/// items than folds.
ItemFolds dealItems(std::vector<Item> items, int folds, std::uint64_t seed);

/// The largest number of folds, from 2 to `most`, with which every fold that dealItems deals, and
/// what is outside of it, has both defective and clean images; none if there is no such number.
std::optional<int> usableFolds(const std::vector<Item>& items, int most, std::uint64_t seed);

/// Reads folds from a text file: a line "kos01 0" for each item, blank lines and what follows a #
/// left out. Items that the data set does not have are ignored, so that one file does for a part of
/// the data. Throws Error(BadInput) that names the file and line for an item that is in two folds
/// or in none, and for a fold that there is not; Error(Io) if it can't be read.
ItemFolds readItemFolds(
    const std::filesystem::path& file, const std::vector<Item>& items, int folds);

} // namespace lockstep
