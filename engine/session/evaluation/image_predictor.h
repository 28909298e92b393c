// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "dataset/codecs/colour_image.h"
#include "metrics/evaluation_record.h"
#include "metrics/scores/image_score.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// An image as a network saw it, and what that said of it. A plain value.
struct PredictedImage
{
    /// Of an image without a label `isPositive`, `loss` and `isPeakInside` mean nothing. Of a
    /// network that classifies: example and name alone.
    ImageScore score;
    bool hasLabel = false;
    Shape inputShape;
    /// inputShape: what the network reads, black 0 to white 1. Of images that are standardised the
    /// least of their values is 0 and the largest 1.
    std::vector<float> input;
    // Of a network that classifies.
    std::vector<float> classProbabilities; ///< of each class; else empty
    std::int32_t classLabel = 0;           ///< where the image has a label
    std::vector<std::string> classNames;   ///< label by label; there may be fewer than classes
    // Of a network that detects.
    Shape maskShape;
    std::vector<float> probabilities; ///< maskShape: of each cell that it is marked
    std::vector<float> label;         ///< maskShape, 0 to 1; empty where the image has no label
};

/// A class, and how probable a network calls it.
struct ClassProbability
{
    std::int32_t number = 0;
    std::string name; ///< its number where it has none
    double probability = 0.0;
};

/// The most probable classes of an image that a network classified, `most` or fewer; of the same
/// probability the first. What is not a number comes last.
std::vector<ClassProbability> likeliestClasses(const PredictedImage& tried, std::size_t most);

/// What to try images on.
struct PredictionRequest
{
    std::filesystem::path checkpoint; ///< file, run folder or folder of checkpoints
    std::string dataPath = {};        ///< folder of the data set; empty: the one of the training
    WeightsKind weights = WeightsKind::Average;
    std::vector<std::string> settings = {}; ///< of the data, see readDataAs()
};

/// A network that detects or classifies with the weights of a checkpoint, opened once to look at
/// one image after another. It computes on the processor, in float32, on one thread of its own, as
/// an evaluation there does, with the same result. One caller at a time.
class ImagePredictor
{
public:
    /// `onNote` is told, one line each, of damaged checkpoints that were skipped.
    /// Error(BadInput) if the model does neither, if the checkpoint has no configuration or not
    /// the weights asked for; errors of readCheckpoint(). The data set is left alone until it is
    /// asked for.
    explicit ImagePredictor(
        const PredictionRequest& request,
        const std::function<void(const std::string&)>& onNote = {});
    ~ImagePredictor();
    ImagePredictor(const ImagePredictor&) = delete;
    ImagePredictor& operator=(const ImagePredictor&) = delete;

    /// The file that was read, and the updates that its weights had seen.
    [[nodiscard]] const std::filesystem::path& checkpoint() const;
    [[nodiscard]] std::int64_t step() const;

    /// How images are read.
    [[nodiscard]] PixelRules pixelRules() const;

    /// An example of the test set of the training. Error(BadInput) if there is no such example;
    /// errors of the data set.
    [[nodiscard]] PredictedImage testImage(std::int64_t example);
    /// A JPEG, PNG or BMP of any size, which is resized as those of the training are, or, where
    /// those have one size, cut to their proportions and brought to it; it has no label. Error(Io)
    /// if it can't be read, Error(Data) if it is no such image, is damaged, or has a side of less
    /// than 8 pixels of a network that detects; they name the file. The data set is needed for
    /// images of one size, and where the checkpoint does not note the names of the classes.
    [[nodiscard]] PredictedImage imageFile(const std::filesystem::path& file);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace lockstep
