// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <filesystem>
#include <memory>

namespace lockstep {

// A JPEG, PNG or BMP of a person's own as a data set of one example without a label (its label says
// 0), for the input pipeline of a training. All throw Error(Io) if the file can't be read and
// Error(Data) if it is no such image or is damaged; they name the file.

/// For networks that read images with masks: grey, of any size from 8 pixels a side on.
std::unique_ptr<Dataset> maskedImageFile(
    const std::filesystem::path& file, const PixelRules& rules);

/// For networks that read encoded photographs: as it lies on disk.
std::unique_ptr<Dataset> photographFile(const std::filesystem::path& file, const PixelRules& rules);

/// For networks that read images of one size: the largest part around the centre that has the
/// proportions of the images of `info`, brought to their size; made smaller, each pixel is the mean
/// of what it covers. Error(BadInput) unless those are in colours.
std::unique_ptr<Dataset> resizedImageFile(
    const std::filesystem::path& file, const DatasetInfo& info, const PixelRules& rules);

} // namespace lockstep
