// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/evaluation/evaluate_checkpoint.h"
#include "session/evaluation/file_predictions.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace lockstep {

// What an evaluation says of a network that classifies, and what any says of image files, as CSV.
// Names with commas or quotes stand in quotes. A file appears complete or not at all; Error(Io)
// names it.

/// "cat", or the number of a class without a name; "none" where an image was taken for none.
std::string className(const CheckpointEvaluation& evaluation, std::int32_t number);

/// The confusion matrix: a row for each label, a column for each prediction, both by name; a column
/// "none" first, if there are such images.
void writeConfusion(const CheckpointEvaluation& evaluation, const std::filesystem::path& file);

/// Every image, in the order of the data set:
/// `example,name,label,prediction,probability,label_probability,rank,loss`.
void writeClassifiedImages(
    const CheckpointEvaluation& evaluation, const std::filesystem::path& file);

/// `path,prediction,probability,prediction_2,probability_2,...,problem`, for networks that detect
/// `path,score,peak,peak_row,peak_column,mask_height,mask_width,problem`: a row for each file; of
/// those with a problem all others are empty.
void writePredictions(
    std::span<const FilePrediction> predictions, const std::filesystem::path& file);

} // namespace lockstep
