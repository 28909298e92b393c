// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

// The loops of changeColours over the pixels of an image, compiled for several instruction sets;
// the best one is taken at run time. All of them give the same bits: every product and sum is
// rounded by itself, and sums are taken in an order that does not depend on the vectors' length.
namespace lockstep {

/// One way through an image, of what is done in this order. A member's default leaves it out.
struct ColourPass
{
    float brightness = 0.0F; ///< is added
    float contrast = 1.0F;   ///< factor of the distance to `means`
    std::array<float, 3> means{};
    float saturation = 1.0F; ///< factor, cut off at 0 and 1
    float hue = 0.0F;        ///< turns of the circle of hues
    bool isMapped = false;   ///< clipped to 0 to 1, then mapped to -1 to 1
};

/// Changes pixels of red, green and blue, side by side, in place. The sums of each channel
/// afterwards.
std::array<double, 3> passColours(const ColourPass& pass, std::span<float> pixels);

} // namespace lockstep
