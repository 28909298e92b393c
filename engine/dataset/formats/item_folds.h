// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
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

/// Deals items to folds: in an order drawn from PhiloxStream(seed, Folds, 0, 0), those with the
/// most defective images first, each to the fold that has the fewest defective images so far, of
/// these the fewest images. A function of the names and counts, not of the order in which they are
/// given. No fold has more defective images than another by more than the most that one item has.
/// Throws Error(BadInput) if there are fewer items than folds.
ItemFolds dealItems(std::vector<Item> items, int folds, std::uint64_t seed);

/// Reads folds from a text file: a line "kos01 0" for each item, blank lines and what follows a #
/// left out. Items that the data set does not have are ignored, so that one file does for a part of
/// the data. Throws Error(BadInput) that names the file and line for an item that is in two folds
/// or in none, and for a fold that there is not; Error(Io) if it can't be read.
ItemFolds readItemFolds(
    const std::filesystem::path& file, const std::vector<Item>& items, int folds);

} // namespace lockstep
