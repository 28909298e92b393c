// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "dataset/codecs/image_size.h"
#include "dataset/examples/encoded_dataset.h"

#include <span>

namespace lockstep {

/// What a random crop must be like; the defaults are Inception's.
struct CropLimits
{
    float leastCovered = 0.1F; ///< share of the area of at least one box; of the image without any
    float leastAspect = 0.75F; ///< width / height
    float mostAspect = 1.33F;
    float leastArea = 0.05F; ///< share of the image's area
    float mostArea = 1.0F;
    int attempts = 100;
};

/// A random crop, as sample_distorted_bounding_box of TensorFlow makes it: in each attempt an
/// aspect ratio, then a height between those of the least and the most area, then a place; the
/// first one that keeps to the limits is taken, the whole image if none does. Unlike there, a crop
/// may also touch the last row and column. Needs a size of at least 1 x 1.
CropBox sampleCrop(
    const ImageSize& size, std::span<const ObjectBox> boxes, const CropLimits& limits,
    PhiloxStream& stream);

/// The middle of an image for evaluation: without a sixteenth of its rows and columns, rounded
/// down, on each side (central_crop of TensorFlow, 0.875 of each side).
[[nodiscard]] CropBox centralCrop(const ImageSize& size);

} // namespace lockstep
