// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/data.h"

#include <QImage>
#include <QString>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep::ui {

/// The data sets that previews are made of: both splits of the latest one stay open for the next
/// preview. One thread at a time.
class PreviewData
{
public:
    /// Opens a split, unless it is open; the reference is valid until another data set is asked
    /// for. `progress` is told of loading. Throws as openDataset; then nothing of it is open.
    const Dataset& open(const RunConfig& config, Split split, const LoadProgress& progress);

    /// What is opened for a configuration: equal where the data set need not be opened again.
    [[nodiscard]] static DatasetRequest requestFor(const RunConfig& config);

private:
    std::array<std::unique_ptr<Dataset>, 2> m_splits; ///< train, test
    DatasetRequest m_opened;
};

/// How many examples of each class a data set has.
struct ClassBalance
{
    std::vector<QString> classNames = {};
    std::vector<std::int64_t> train = {}; ///< of each class
    std::vector<std::int64_t> test = {};
    std::size_t firstClass = 0; ///< 1 where class 0 is background, which has no examples
    /// How a person's own files were understood, their sizes, and the data's account, a line each.
    QString layout = {};
    bool isTrainedBalanced = false; ///< a batch is half of each class, whatever there is of each
    QString problem = {};           ///< why nothing was counted; else empty
};

/// Counts both splits, as `lockstep-train inspect` does. Throws as PreviewData::open.
ClassBalance countClasses(const RunConfig& config, PreviewData& data, const LoadProgress& progress);

/// Values of one image, row, column, channel, as a picture: what lies beyond black and white is cut
/// off, what is no number is black. Of three channels they are red, green and blue; of fewer the
/// first is grey.
QImage inputPicture(std::span<const float> values, const Shape& shape, const PixelValues& range);

/// Of a side of an original: more than there is room for.
inline constexpr int kLongestSide = 640;
/// The picture of a data set's image, scaled down where a side has more than `longest` pixels.
QImage originalPicture(const ColourImage& image, int longest);

/// One image as the network sees it: by the input's known values of black and white, or, where
/// images are standardised, from its own least value to its greatest. What is marked on an image
/// with a mask is outlined.
struct PreviewImage
{
    /// Of images that no tower trains on: those of an evaluation.
    static constexpr int kNoTower = -1;

    QImage image;
    int label = 0;     ///< as it is trained with
    QString className; ///< of the label; of a mixed image of both
    int tower = 0;
    Visit visit;  ///< its number in the data set, and in which epoch
    QString name; ///< what the data set calls it
    /// Of data with masks: how many of the tower's whole batch are clean, and how many defective.
    QString batchText = {};
};

/// What to show of a batch.
struct BatchRequest
{
    RunConfig config;
    /// Train: the batch of a step, as the towers get it. Test: what an evaluation sees, in order.
    Split split = Split::Train;
    /// Of the first example. Train: place of the batch in the stream of examples, 0 for the first
    /// step, StepRecord::examples for the one after that step. Test: its number.
    std::int64_t position = 0;
    int images = 8; ///< of each tower; of a test set in all
};

/// What is shown of a batch.
struct PreviewBatch
{
    Split split = Split::Train;
    std::int64_t position = 0;
    std::int64_t examples = 0;             ///< of the data set
    bool isStretched = false;              ///< each image between its own extremes
    bool isWhole = false;                  ///< images are resized, none is cropped
    std::vector<PreviewImage> images = {}; ///< the first ones of each tower, tower by tower
    QString problem = {};                  ///< why there are none; else empty
};

/// Makes a batch as the run does, by the same function; only what is shown of it. Throws what the
/// pipeline throws.
PreviewBatch makePreviewBatch(
    const BatchRequest& request, PreviewData& data, const LoadProgress& progress);

/// One row of a batch as a picture, with the outline of what is marked.
QImage rowPicture(const Batch& batch, std::size_t row, const DistortionSettings& distortion);

} // namespace lockstep::ui
