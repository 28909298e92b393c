// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <string>
#include <vector>

// For model files; includes the TOML library, so no other header includes this one.
namespace lockstep {

/// The [[layer]] tables of a model file with the layers of a [[block]] in the place of each that
/// has the block's name as its type, `repeat` times from `first` on; "$name" stands for what the
/// layer, or the block's `defaults`, say of that name, and "$classes" for the number of classes.
/// The last layer of a block gets the layer's name, the others theirs behind it: "stage1.0.conv1".
/// Error(BadInput) names the block.
std::vector<toml::table> expandedLayers(
    const toml::table& file, std::int64_t classes, const std::string& origin);

} // namespace lockstep
