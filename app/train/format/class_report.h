// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "console.h"
#include "format/json_format.h"

namespace lockstep {
struct CheckpointEvaluation;
}

namespace lockstep::train {

// What `evaluate` says of a network that classifies.

/// `macro recall 0.7312`, the classes of the lowest recall with their precision, and the pairs that
/// are confused most, each a line.
void printClasses(Console& console, const CheckpointEvaluation& evaluation);

/// A line for every image, those of the largest loss first: `loss 4.1023  cat taken for dog (0.91,
/// cat 0.02)  1234`.
void printClassifiedImages(Console& console, const CheckpointEvaluation& evaluation);

/// Adds `macro_recall`, `classes` (label, name, images, correct, predicted, recall,
/// precision, f1) and `confusion` (the cells that
/// are not zero: [label, predicted, images]) and, if wanted, `images`.
void addClasses(Json& json, const CheckpointEvaluation& evaluation, bool withImages);

} // namespace lockstep::train
