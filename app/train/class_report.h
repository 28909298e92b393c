// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "console.h"
#include "json_format.h"

#include <filesystem>
#include <string>

namespace lockstep::train {

// What `evaluate` says of a network that classifies.

/// "cat", or the number of a class without a name; "none" where an image was taken for none.
std::string className(const CheckpointEvaluation& evaluation, std::int32_t number);

/// `macro recall 0.7312`, the classes of the lowest recall and the pairs that are confused most,
/// each a line.
void printClasses(Console& console, const CheckpointEvaluation& evaluation);

/// A line for every image, those of the largest loss first: `loss 4.1023  cat taken for dog (0.91,
/// cat 0.02)  1234`.
void printClassifiedImages(Console& console, const CheckpointEvaluation& evaluation);

/// Adds `macro_recall`, `classes` (label, name, images, correct) and `confusion` (the cells that
/// are not zero: [label, predicted, images]) and, if wanted, `images`.
void addClasses(Json& json, const CheckpointEvaluation& evaluation, bool withImages);

/// The confusion matrix as CSV: a row for each label, a column for each prediction, both by name.
/// The file appears complete or not at all; Error(Io) names it.
void writeConfusion(const CheckpointEvaluation& evaluation, const std::filesystem::path& file);

/// Every image as CSV: `example,name,label,prediction,probability,label_probability,rank,loss`, as
/// above.
void writeClassifiedImages(
    const CheckpointEvaluation& evaluation, const std::filesystem::path& file);

} // namespace lockstep::train
