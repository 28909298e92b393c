// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/dilation.h"

#include "base/error.h"
#include "dataset/codecs/gray_image.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace lockstep {
namespace {

void lower(std::uint8_t& distance, std::uint8_t neighbour)
{
    distance = std::min<std::uint8_t>(distance, static_cast<std::uint8_t>(neighbour + 1));
}

/// Distances down and to the right, and then back: two passes give the exact city-block distance to
/// the nearest mark (Rosenfeld and Pfaltz, "Distance functions on digital pictures", 1968), counted
/// up to `most`.
void measureDistances(GrayImage& image, std::uint8_t most)
{
    const std::int64_t width = image.width;
    const std::int64_t pixels = image.height * width;
    std::uint8_t* const distance = image.pixels.data();
    for (std::int64_t i = 0; i < pixels; ++i) {
        distance[i] = distance[i] != 0 ? 0 : most;
        if (i >= width) {
            lower(distance[i], distance[i - width]);
        }
        if (i % width > 0) {
            lower(distance[i], distance[i - 1]);
        }
    }
    for (std::int64_t i = pixels - 1; i >= 0; --i) {
        if (i + width < pixels) {
            lower(distance[i], distance[i + width]);
        }
        if (i % width < width - 1) {
            lower(distance[i], distance[i + 1]);
        }
    }
}

} // namespace

void checkDilation(int dilation)
{
    if (std::ranges::find(kDilations, dilation) == kDilations.end()) {
        fail(
            ErrorCode::BadInput, "dataset.dilation is {}, but must be one of {}", dilation,
            fmt::join(kDilations, ", "));
    }
}

void dilate(GrayImage& mask, int dilation)
{
    checkDilation(dilation);
    if (dilation == 0) {
        return;
    }
    const auto beyond = static_cast<std::uint8_t>((dilation - 1) / 2 + 1);
    measureDistances(mask, beyond);
    for (std::uint8_t& pixel : mask.pixels) {
        pixel = pixel < beyond ? 1 : 0;
    }
}

} // namespace lockstep
