// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/preview_data.h"
#include "engine/config.h"
#include "engine/data.h"

#include <QImage>
#include <QString>

#include <cstdint>
#include <vector>

namespace lockstep::ui {

/// One image as the network sees it: by the input's known values of black and white, or, where
/// images are standardised, from its own least value to its greatest. What is marked on an image
/// with a mask is outlined.
struct PreviewImage
{
    /// Of images that no tower trains on: those of an evaluation.
    static constexpr int kNoTower = -1;

    QImage image;
    int label = 0;     ///< as it is trained with
    QString className; ///< of the label
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
