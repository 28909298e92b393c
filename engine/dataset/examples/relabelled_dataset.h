// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// Whether classes of a data set of this name have no names but their numbers, as those of records
/// that tell none.
[[nodiscard]] bool isUnnamed(const std::vector<std::string>& names, const std::string& dataset);

/// Some data sets as one, one after the other, whose labels are those of a network that knows
/// classes by these names, whatever their order and their numbers in the data; the data set itself
/// where it is one and nothing differs. Without names labels stay as they are, and so they do where
/// one side has no names but numbers: those are records that tell no class. `isByNumber` is told
/// so. Throws Error(BadInput) that lists the names of both sides if an example is of a class that
/// the network does not know.
std::shared_ptr<const Dataset> relabelled(
    std::vector<std::shared_ptr<const Dataset>> parts, const std::vector<std::string>& known,
    bool& isByNumber);

} // namespace lockstep
