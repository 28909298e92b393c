// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "dataset/examples/data_account.h"
#include "session/evaluation/image_predictor.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// What a network says of an image file, without the image. A plain value.
struct FilePrediction
{
    std::filesystem::path file;
    /// Of a network that classifies: the most probable ones first, five at most.
    std::vector<ClassProbability> classes = {};
    /// Of one that detects; see PredictedImage.
    ImageScore score = {};
    Shape maskShape = {};
    std::string problem = {}; ///< why nothing is said of it; else empty, as all others are then
};

/// Whether what went wrong is the file's fault: anything else would with every file.
bool isOfTheFile(const Error& error);

FilePrediction filePrediction(std::filesystem::path file, const PredictedImage& tried);

/// Files as they are named, whatever they hold; of a folder the images in it and below, as a
/// training finds them (isImageFile, walkFolder), by their paths; `account` is told what is left
/// out. Error(Io) names what is not there or can't be listed, Error(BadInput) a folder without any
/// image.
std::vector<std::filesystem::path> imageFilesOf(
    std::span<const std::filesystem::path> places, DataAccount& account);

/// Told of each file as soon as it is done, in any order but one at a time, on any thread, and how
/// many are by then; false cancels.
using FileProgress = std::function<bool(const FilePrediction& done, std::size_t count)>;

/// Asks the network about every file, `threads` (none: one a processor, 8 at most) at a time, each
/// with a network of its own: what it says is what ImagePredictor::imageFile() does. In the order
/// of the files. One that can't be read, or is damaged, has the reason. Errors of ImagePredictor;
/// Error(Cancelled).
std::vector<FilePrediction> predictFiles(
    const PredictionRequest& request, std::span<const std::filesystem::path> files,
    std::optional<int> threads, const std::function<void(const std::string&)>& onNote,
    const FileProgress& progress);

} // namespace lockstep
