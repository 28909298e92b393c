// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

namespace lockstep::test {

/// A network that detects, small enough to train in a moment: masks of 8 x 4 cells, and a decision
/// from their features.
inline std::filesystem::path writeMaskModel(const std::filesystem::path& folder)
{
    std::filesystem::path file = folder / "detector.toml";
    std::ofstream(file) << R"(
name = "detector"
classes = 2
input = { height = 64, width = 32, channels = 1 }
mask = { height = 8, width = 4 }
[[layer]]
name = "conv1"
type = "conv2d"
channels = 4
kernel = [5, 5]
stride = [4, 4]
activation = "relu"
stddev = 0.2
group = "segmentation"
[[layer]]
name = "pool1"
type = "max_pool"
[[layer]]
name = "mask_logits"
type = "conv2d"
channels = 1
kernel = [1, 1]
stddev = 0.2
group = "segmentation"
[[layer]]
name = "mask"
type = "elementwise"
activation = "sigmoid"
[[layer]]
name = "strongest"
type = "global_pool"
reduction = "max"
from = "pool1"
[[layer]]
name = "decision"
type = "dense"
units = 1
group = "decision"
[[output]]
name = "mask_probabilities"
layer = "mask"
[[output]]
name = "decision_logits"
layer = "decision"
[[objective]]
name = "segmentation"
logits = "mask_logits"
target = "mask"
groups = ["segmentation"]
[[objective]]
name = "decision"
logits = "decision"
target = "mask_sum"
groups = ["decision"]
)";
    return file;
}

} // namespace lockstep::test
