// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// The same, then clipped to 0 to 1, and mapped to -1 to 1.
void changeAndMapColours(const ColourChange& change, std::span<float> pixels);

} // namespace lockstep
