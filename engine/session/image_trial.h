// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "metrics/evaluation_record.h"
#include "metrics/image_score.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// An image as a network that detects saw it, and what it said of it. A plain value.
struct TriedImage
{
    /// Of an image without a label `isPositive`, `loss` and `isPeakInside` mean nothing.
    ImageScore score;
    bool hasLabel = false;
    Shape inputShape;
    std::vector<float> input; ///< inputShape: resized to what the network reads, black 0 to white 1
    Shape maskShape;
    std::vector<float> probabilities; ///< maskShape: of each cell that it is marked
    std::vector<float> label;         ///< maskShape, 0 to 1; empty where the image has no label
};

/// What to try images on.
struct ImageTrialRequest
{
    std::filesystem::path checkpoint; ///< file, run folder or folder of checkpoints
    std::string dataPath = {};        ///< folder of the data set; empty: the one of the training
    WeightsKind weights = WeightsKind::Average;
};

/// A network that detects with the weights of a checkpoint, opened once to look at one image after
/// another. It computes on the processor, in float32, on one thread of its own, as an evaluation
/// there does, with the same result. One caller at a time.
class ImageTrial
{
public:
    /// `onNote` is told, one line each, of damaged checkpoints that were skipped.
    /// Error(BadInput) if the model does not detect, if the checkpoint has no configuration or not
    /// the weights asked for; errors of readCheckpoint(). The data set is left alone until it is
    /// asked for.
    explicit ImageTrial(
        const ImageTrialRequest& request,
        const std::function<void(const std::string&)>& onNote = {});
    ~ImageTrial();
    ImageTrial(const ImageTrial&) = delete;
    ImageTrial& operator=(const ImageTrial&) = delete;

    /// The file that was read, and the updates that its weights had seen.
    [[nodiscard]] const std::filesystem::path& checkpoint() const;
    [[nodiscard]] std::int64_t step() const;

    /// An example of the test set of the training. Error(BadInput) if there is no such example;
    /// errors of the data set.
    [[nodiscard]] TriedImage testImage(std::int64_t example);
    /// A JPEG, PNG or BMP of any size, which is resized as those of the training are; it has no
    /// label. Error(Io) if it can't be read, Error(Data) if it is no such image, is damaged, or has
    /// a side of less than 8 pixels; they name the file.
    [[nodiscard]] TriedImage imageFile(const std::filesystem::path& file);

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace lockstep
