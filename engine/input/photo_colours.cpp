// SPDX-License-Identifier: Apache-2.0
#include "input/photo_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace lockstep {
namespace {

constexpr std::size_t kChannels = 3;

void addBrightness(float brightness, std::span<float> pixels)
{
    for (float& value : pixels) {
        value += brightness;
    }
}

void scaleContrast(float factor, std::span<float> pixels)
{
    std::array<double, kChannels> sums{};
    for (std::size_t i = 0; i < pixels.size(); i += kChannels) {
        for (std::size_t c = 0; c < kChannels; ++c) {
            sums[c] += static_cast<double>(pixels[i + c]);
        }
    }
    const std::size_t count = pixels.size() / kChannels;
    std::array<float, kChannels> means{};
    for (std::size_t c = 0; c < kChannels; ++c) {
        means[c] = static_cast<float>(sums[c] / static_cast<double>(count));
    }
    for (std::size_t i = 0; i < pixels.size(); i += kChannels) {
        for (std::size_t c = 0; c < kChannels; ++c) {
            pixels[i + c] = (pixels[i + c] - means[c]) * factor + means[c];
        }
    }
}

/// Hue in turns, 0 to 1, of a pixel whose greatest value is `most` and whose values span `range`.
float hueOf(const float* pixel, float most, float range)
{
    if (range <= 0.0F) {
        return 0.0F;
    }
    const float red = pixel[0];
    const float green = pixel[1];
    const float blue = pixel[2];
    const float sixth = 1.0F / (6.0F * range);
    if (red == most) {
        const float hue = sixth * (green - blue);
        return hue < 0.0F ? hue + 1.0F : hue;
    }
    return green == most ? sixth * (blue - red) + 2.0F / 6.0F : sixth * (red - green) + 4.0F / 6.0F;
}

/// Saturation, then hue. Between the two the way back to red, green and blue and here again would
/// change nothing.
void turnHues(float saturationFactor, float hueTurns, std::span<float> pixels)
{
    for (std::size_t i = 0; i < pixels.size(); i += kChannels) {
        float* const pixel = pixels.data() + i;
        const float most = std::max({pixel[0], pixel[1], pixel[2]});
        const float range = most - std::min({pixel[0], pixel[1], pixel[2]});
        const float saturation =
            most > 0.0F ? std::clamp(range / most * saturationFactor, 0.0F, 1.0F) : 0.0F;
        const float turned = hueOf(pixel, most, range) + hueTurns;
        const float sixths = (turned - std::floor(turned)) * 6.0F;
        const std::array<float, kChannels> pure{
            std::clamp(std::abs(sixths - 3.0F) - 1.0F, 0.0F, 1.0F),
            std::clamp(2.0F - std::abs(sixths - 2.0F), 0.0F, 1.0F),
            std::clamp(2.0F - std::abs(sixths - 4.0F), 0.0F, 1.0F)};
        for (std::size_t c = 0; c < kChannels; ++c) {
            pixel[c] = ((1.0F - saturation) + saturation * pure[c]) * most;
        }
    }
}

} // namespace

void changeColours(const ColourChange& change, std::span<float> pixels)
{
    const bool isContrastFirst = change.order == ColourOrder::ContrastFirst;
    const bool hasContrast = change.contrast != 1.0F;
    if (change.brightness != 0.0F) {
        addBrightness(change.brightness, pixels);
    }
    if (hasContrast && isContrastFirst) {
        scaleContrast(change.contrast, pixels);
    }
    if (change.saturation != 1.0F || change.hue != 0.0F) {
        turnHues(change.saturation, change.hue, pixels);
    }
    if (hasContrast && !isContrastFirst) {
        scaleContrast(change.contrast, pixels);
    }
}

} // namespace lockstep
