// SPDX-License-Identifier: Apache-2.0
#include "input/erasing.h"

#include "base/philox.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

std::optional<CropBox> drawErasing(
    double probability, const Shape& image, std::uint64_t seed, const Visit& visit)
{
    constexpr int kAttempts = 10;
    constexpr float kLeastArea = 0.02F;
    constexpr float kMostArea = 0.333F;
    const float mostRatio = std::log(3.3F);
    const float leastRatio = std::log(0.3F);
    PhiloxStream stream(seed, RandomPurpose::Erasing, visit.epoch, visit.example);
    if (!(double{stream.uniform()} < probability)) {
        return std::nullopt;
    }
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
        const double area = static_cast<double>(image.height * image.width)
                            * double{stream.uniform(kLeastArea, kMostArea)};
        const double ratio = std::exp(double{stream.uniform(leastRatio, mostRatio)});
        const std::int64_t height = std::llround(std::sqrt(area * ratio));
        const std::int64_t width = std::llround(std::sqrt(area / ratio));
        if (height >= 1 && width >= 1 && height < image.height && width < image.width) {
            const auto below = [&](std::int64_t bound) {
                return std::int64_t{stream.below(static_cast<std::uint32_t>(bound))};
            };
            const std::int64_t row = below(image.height - height + 1);
            return CropBox{row, below(image.width - width + 1), height, width};
        }
    }
    return std::nullopt;
}

void erase(
    const CropBox& box, const Shape& image, std::span<const float> colour, std::span<float> values)
{
    for (std::int64_t row = box.row; row < box.row + box.height; ++row) {
        const std::int64_t first = (row * image.width + box.column) * image.channels;
        for (std::int64_t i = 0; i < box.width * image.channels; ++i) {
            values[static_cast<std::size_t>(first + i)] =
                colour[static_cast<std::size_t>(i % image.channels)];
        }
    }
}

} // namespace lockstep
