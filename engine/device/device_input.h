// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/mixed_label.h"
#include "base/shape.h"
#include "device/step_state.h"

#include <cstdint>

namespace lockstep {

/// A visit of an example, as the sampler gives it.
struct RowVisit
{
    std::uint32_t epoch = 0;
    std::uint32_t example = 0;
};

/// How an image becomes a row of a batch; see DistortionSettings for the meaning.
struct ImageRecipe
{
    Shape image;
    bool isPlanar = true; ///< bytes by channel, row, column; else row, column, channel
    std::int64_t cropHeight = 0;
    std::int64_t cropWidth = 0;
    bool crop = false;
    bool flip = false;
    bool brightness = false;
    bool contrast = false;
    bool standardize = true;
    float brightnessDelta = 0.0F;
    float contrastLow = 1.0F;
    float contrastHigh = 1.0F;
    std::uint64_t seed = 0;
};

/// Where the input op of an accelerator finds its rows. All addresses are of the device's memory.
/// Either `pixels` is set, and it makes the rows itself from a data set that lies there, or
/// `images` is, and the rows were made elsewhere. Step k takes slot k % slots; without a state,
/// slot 0.
struct DeviceInput
{
    const StepState* state = nullptr;
    std::int64_t slotCount = 1;
    std::int64_t slotRows = 0;
    /// Of the slot in the global batch; as a replica's op gets it: of the replica in the slot.
    std::int64_t firstRow = 0;

    const std::uint8_t* pixels = nullptr; ///< examples x image.elements() bytes
    const std::int32_t* datasetLabels = nullptr;
    const RowVisit* visits = nullptr; ///< slotCount x slotRows
    ImageRecipe recipe;

    const float* images = nullptr;             ///< slotCount x slotRows x height x width x channels
    const std::int32_t* imageLabels = nullptr; ///< slotCount x slotRows
    /// slotCount x slotRows x maskCells; null: rows have no masks. Only beside `images`.
    const float* masks = nullptr;
    std::int64_t maskCells = 0;

    const MixedLabel* mixed = nullptr; ///< slotCount x slotRows, beside `images`; null: none is

    // Written by the input op: labels and masks of the replica's rows, for the objectives.
    std::int32_t* rowLabels = nullptr;
    float* rowMasks = nullptr;      ///< null: not wanted
    MixedLabel* rowMixed = nullptr; ///< where there are `mixed`
    std::int64_t* begins = nullptr; ///< takes the device's clock as it begins; null: not wanted
};

} // namespace lockstep
