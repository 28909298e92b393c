// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "console.h"
#include "format/json_format.h"

#include <cstdint>
#include <filesystem>

namespace lockstep {
struct NetworkSpec;
struct RunConfig;
} // namespace lockstep

namespace lockstep::train {

// What `inspect` shows of each kind of thing, as text or as one JSON object.

/// Layers, parameters, arithmetic and memory of a network.
void inspectModel(Console& console, const NetworkSpec& network, bool isJson);

/// What a tower that trains or evaluates the network takes, and which buffers share a place.
void inspectMemory(
    Console& console, const RunConfig& config, const NetworkSpec& network, bool isJson);

/// How long a run of the configuration that goes on from a step takes on this machine and the
/// memory of its process; where nothing is known of that yet, some steps are made.
void inspectCosts(Console& console, const RunConfig& config, std::int64_t fromStep, bool isJson);

/// Examples of each class in both splits of the data set that the configuration names, their sizes,
/// how a person's own files were understood, and the damaged images that were left out.
void inspectDataset(Console& console, const RunConfig& config, bool isJson);

/// Step, model, tensors and notes of a checkpoint, and whether it is whole.
void inspectCheckpoint(Console& console, const std::filesystem::path& file, bool isJson);

/// Configuration, steps, evaluations and checkpoints of a run, also while it is being written.
void inspectRun(Console& console, const std::filesystem::path& folder, bool isJson);

} // namespace lockstep::train
