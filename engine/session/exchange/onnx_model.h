// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"
#include "storage/checkpoint/checkpoint.h"

#include <filesystem>
#include <span>

namespace lockstep {

/// Version of ONNX's operators that the model is written in.
inline constexpr int kOnnxOpset = 17;

/// Writes what a network computes in an evaluation as an ONNX model: input "image", float32
/// [batch, channels, height, width] with any number of rows, prepared as the network's input is
/// here; the outputs have the names of the network's outputs: [batch, values] of a fully connected
/// layer, else [batch, channels, height, width]. `weights` are those of all parameters. The file
/// appears complete or not at all. Error(BadInput) names a parameter without weights; Error(Io).
void writeOnnx(
    const NetworkSpec& network, std::span<const NamedTensor> weights,
    const std::filesystem::path& path);

} // namespace lockstep
