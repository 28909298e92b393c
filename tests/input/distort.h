// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/distortion.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::test {

constexpr Shape kImage{32, 32, 3};

/// Every distortion switched off.
inline DistortionSettings nothing()
{
    DistortionSettings settings;
    settings.crop = settings.flip = settings.brightness = settings.contrast = settings.standardize =
        false;
    return settings;
}

/// What the Distorter makes of an image.
inline std::vector<float> distortWith(
    const DistortionSettings& settings, std::span<const std::uint8_t> pixels,
    const Distortion& distortion, const Shape& image = kImage,
    PixelOrder order = PixelOrder::Planar)
{
    Distorter distorter(settings, image, order);
    std::vector<float> values(static_cast<std::size_t>(distorter.outputShape().elements()));
    distorter.apply(pixels, distortion, values);
    return values;
}

/// The same with what is drawn for an example in epoch 2 of seed 1.
inline std::vector<float> distort(
    const DistortionSettings& settings, std::span<const std::uint8_t> pixels, std::uint32_t example,
    const Shape& image = kImage, PixelOrder order = PixelOrder::Planar)
{
    return distortWith(
        settings, pixels, drawDistortion(settings, image, 1, 2, example), image, order);
}

} // namespace lockstep::test
