// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

namespace lockstep::test {

/// A small network for ten classes whose normalisations look at the rows of all towers.
inline std::filesystem::path writeSynchronisedModel(const std::filesystem::path& file)
{
    std::ofstream(file) << R"(
name = "synchronised"
classes = 10
input = { height = 24, width = 24, channels = 3 }
[[layer]]
name = "conv1"
type = "conv2d"
channels = 8
kernel = [5, 5]
stride = [2, 2]
[[layer]]
name = "norm1"
type = "normalization"
mode = "synchronised"
activation = "relu"
[[layer]]
name = "conv2"
type = "conv2d"
channels = 8
stride = [2, 2]
[[layer]]
name = "norm2"
type = "normalization"
mode = "synchronised"
activation = "relu"
[[layer]]
name = "logits"
type = "dense"
units = 10
[[objective]]
name = "cross_entropy"
logits = "logits"
)";
    return file;
}

} // namespace lockstep::test
