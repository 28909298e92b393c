// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/codecs/colour_image.h"
#include "dataset/examples/dataset.h"

#include <cstdint>

namespace lockstep {

/// An example's image in its own size, as it lies in the data set, or on disk, where it is decoded
/// whole: before anything is done to it on its way into a batch. Grey becomes three equal channels.
/// Needs 0 <= index < size(); throws what reading and decoding throw, naming the image.
/// Thread-safe.
[[nodiscard]] ColourImage originalImage(const Dataset& dataset, std::int64_t index);

} // namespace lockstep
