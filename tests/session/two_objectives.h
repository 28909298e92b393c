// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run_witness.h"

#include <filesystem>
#include <fstream>

namespace lockstep::test {

/// A network with two heads, each with an objective and parameters of its own: the second one's
/// pass no gradient into the first one's convolution.
inline std::filesystem::path writeTwoObjectives(const std::filesystem::path& folder)
{
    std::filesystem::path file = folder / "two.toml";
    std::ofstream(file) << R"(
name = "two"
classes = 10
input = { height = 24, width = 24, channels = 3 }
[[layer]]
name = "conv1"
type = "conv2d"
channels = 8
kernel = [5, 5]
stride = [2, 2]
activation = "relu"
stddev = 0.1
group = "trunk"
[[layer]]
name = "pool1"
type = "max_pool"
[[layer]]
name = "dropped1"
type = "dropout"
keep = 0.8
[[layer]]
name = "first"
type = "dense"
units = 10
weight_decay = 0.01
group = "trunk"
[[layer]]
name = "hidden"
type = "dense"
from = "dropped1"
units = 12
activation = "relu"
group = "head"
[[layer]]
name = "second"
type = "dense"
units = 10
group = "head"
[[objective]]
name = "coarse"
logits = "first"
groups = ["trunk"]
[[objective]]
name = "fine"
logits = "second"
groups = ["head"]
)";
    return file;
}

/// Ten steps of the first objective, ten of the second.
inline RunConfig phasedConfig(const std::filesystem::path& folder)
{
    RunConfig config = smallConfig(20);
    config.model.name = writeTwoObjectives(folder).string();
    config.phases = {{"coarse", 10, 0.05, {}}, {"fine", 10, 0.02, {"trunk"}}};
    return config;
}

} // namespace lockstep::test
