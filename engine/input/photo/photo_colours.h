// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace lockstep {

/// In which order colours are changed, after the brightness.
enum class ColourOrder {
    ContrastLast,  ///< saturation, hue, contrast
    ContrastFirst, ///< contrast, saturation, hue
};

/// What befalls the colours of an image; the defaults leave it as it is.
struct ColourChange
{
    ColourOrder order = ColourOrder::ContrastLast;
    float brightness = 0.0F; ///< added to all values
    float saturation = 1.0F; ///< factor of the saturation, cut off at 0 and 1
    float hue = 0.0F;        ///< turns of the circle of hues
    float contrast = 1.0F;   ///< factor about the mean of each channel

    bool operator==(const ColourChange&) const = default;
};

/// Changes pixels of red, green and blue, side by side, 0 to 1, in place, as the image ops of
/// TensorFlow 1 do: hue and saturation are those of rgb_to_hsv; nothing is clipped on the way, and
/// the result may lie beyond 0 and 1. The same bits on every processor.
void changeColours(const ColourChange& change, std::span<float> pixels);

/// What the values 0 to 1 of a photograph become.
enum class PhotoPixels {
    Symmetric, ///< -1 to 1
    ImageNet, ///< less the mean of ImageNet's colours, divided by their deviation, as torchvision's
              ///< networks have them
};
inline constexpr std::array kPhotoPixelsNames{"symmetric", "imagenet"};

/// What a value of red, green or blue (0 to 2) becomes by ImageNet's mean and deviation.
constexpr float mappedColour(float value, std::size_t channel)
{
    constexpr std::array kMean{0.485F, 0.456F, 0.406F};
    constexpr std::array kDeviation{0.229F, 0.224F, 0.225F};
    return (value - kMean.at(channel)) / kDeviation.at(channel);
}

/// The same, then clipped to 0 to 1, and mapped.
void changeAndMapColours(const ColourChange& change, PhotoPixels mapped, std::span<float> pixels);

} // namespace lockstep
