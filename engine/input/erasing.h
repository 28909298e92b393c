// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "dataset/codecs/image_size.h"
#include "input/order/sampler.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lockstep {

/// Draws what is erased of an example's image, as the network sees it, from PhiloxStream(seed,
/// Erasing, epoch, example): with this probability a box of 2 % to 33.3 % of the area, of an aspect
/// ratio of 0.3 to 3.3 (evenly on a scale of logarithms), in a random place; a box that does not
/// fit is drawn anew, ten times at most, then nothing is erased (Zhong et al., "Random erasing data
/// augmentation", 2017; torchvision's RandomErasing). The other distortions stay as they were.
std::optional<CropBox> drawErasing(
    double probability, const Shape& image, std::uint64_t seed, const Visit& visit);

/// Gives all pixels of the box this colour, a value a channel. `values` are the image's, row,
/// column, channel.
void erase(
    const CropBox& box, const Shape& image, std::span<const float> colour, std::span<float> values);

} // namespace lockstep
