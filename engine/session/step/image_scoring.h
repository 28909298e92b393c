// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/batch.h"
#include "metrics/scores/image_score.h"
#include "network/network_spec.h"
#include "tower/replica.h"

#include <cstdint>

namespace lockstep {

// Outputs by which a network that detects is known: what it says of the image, one or two logits,
// and the probability of each cell of its mask.
inline constexpr const char* kDecisionOutput = "decision_logits";
inline constexpr const char* kMaskOutput = "mask_probabilities";

/// A cell of a map.
struct CellPlace
{
    std::int64_t row = 0;
    std::int64_t column = 0;
};

/// Whether the network has an output of this name.
bool hasOutput(const NetworkSpec& network, const char* name);

/// Whether the network learns from masks and gives the probability of each cell.
bool predictsMasks(const NetworkSpec& network);

/// Whether its images can be scored: it has both outputs.
bool canScoreImages(const NetworkSpec& network);

/// What the network made of the only row of `batch`, of which `replica` has done the forward pass.
ImageScore scoreImage(
    const NetworkSpec& network, const Replica& replica, const Batch& batch, const Dataset& dataset);

/// Whether a pixel of the example is marked in this cell of a map of height x width cells that is
/// laid over the image.
bool isCellMarked(
    const Dataset& dataset, std::int64_t example, const Shape& map, const CellPlace& cell);

} // namespace lockstep
