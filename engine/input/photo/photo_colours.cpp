// SPDX-License-Identifier: Apache-2.0
#include "input/photo/photo_colours.h"

#include "input/photo/photo_colour_kernels.h"

#include <cstddef>

namespace lockstep {
namespace {

constexpr std::size_t kChannels = 3;

/// As they will be once the brightness is added.
std::array<float, kChannels> meansOf(
    const std::array<double, kChannels>& sums, std::size_t values, float brightness)
{
    const std::size_t pixels = values / kChannels;
    const auto count = static_cast<double>(pixels);
    std::array<float, kChannels> means{};
    for (std::size_t c = 0; c < kChannels; ++c) {
        means[c] = static_cast<float>(sums[c] / count + static_cast<double>(brightness));
    }
    return means;
}

void apply(const ColourChange& change, bool isMapped, std::span<float> pixels)
{
    ColourPass last{change.brightness, change.contrast, {},
                    change.saturation, change.hue,      isMapped};
    if (change.contrast != 1.0F) {
        // The contrast needs the means of all pixels as they are before it.
        ColourPass first;
        if (change.order == ColourOrder::ContrastLast) {
            first = {change.brightness, 1.0F, {}, change.saturation, change.hue, false};
            last = {0.0F, change.contrast, {}, 1.0F, 0.0F, isMapped};
        }
        last.means = meansOf(passColours(first, pixels), pixels.size(), last.brightness);
    }
    passColours(last, pixels);
}

} // namespace

void changeColours(const ColourChange& change, std::span<float> pixels)
{
    apply(change, false, pixels);
}

void changeAndMapColours(const ColourChange& change, PhotoPixels mapped, std::span<float> pixels)
{
    apply(change, true, pixels);
    for (std::size_t i = 0; mapped == PhotoPixels::ImageNet && i < pixels.size(); ++i) {
        pixels[i] = mappedColour(0.5F * pixels[i] + 0.5F, i % 3);
    }
}

} // namespace lockstep
