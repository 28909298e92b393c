// SPDX-License-Identifier: Apache-2.0
#include "input/photo/crop_sampling.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockstep {
namespace {

/// A number of 0 to most, both included.
std::int64_t upTo(std::int64_t most, PhiloxStream& stream)
{
    return stream.below(static_cast<std::uint32_t>(most + 1));
}

std::int64_t rounded(double value)
{
    return std::lrint(value);
}

/// The greatest height whose width, rounded, fits into the image.
std::int64_t greatestHeight(const ImageSize& size, double mostArea, double aspect)
{
    constexpr double kLessThanHalf = 0.5 - 1e-7;
    std::int64_t height = rounded(std::sqrt(mostArea / aspect));
    if (rounded(static_cast<double>(height) * aspect) > size.width) {
        height =
            static_cast<std::int64_t>((static_cast<double>(size.width) + kLessThanHalf) / aspect);
    }
    return std::min(height, size.height);
}

/// A crop of this aspect ratio, if there is one of a permitted area.
std::optional<CropBox> cropOfAspect(
    const ImageSize& size, const CropLimits& limits, double aspect, PhiloxStream& stream)
{
    const auto whole = static_cast<double>(size.height * size.width);
    const double least = limits.leastArea * whole;
    const double most = limits.mostArea * whole;
    const std::int64_t highest = greatestHeight(size, most, aspect);
    std::int64_t height = std::min(rounded(std::sqrt(least / aspect)), highest);
    height += upTo(highest - height, stream);
    const auto widthOf = [&] { return rounded(static_cast<double>(height) * aspect); };
    const auto area = [&] { return static_cast<double>(height * widthOf()); };
    // Rounding may have carried it a pixel over a limit.
    if (area() < least) {
        ++height;
    }
    if (area() > most) {
        --height;
    }
    const std::int64_t width = widthOf();
    if (area() < least || area() > most || width > size.width || height > size.height || width < 1
        || height < 1) {
        return std::nullopt;
    }
    const std::int64_t row = upTo(size.height - height, stream);
    const std::int64_t column = upTo(size.width - width, stream);
    return CropBox{row, column, height, width};
}

bool covers(const CropBox& crop, const ObjectBox& box, const ImageSize& size, float share)
{
    const auto pixel = [](float part, std::int64_t side) {
        return static_cast<std::int64_t>(part * static_cast<float>(side));
    };
    const std::int64_t top = pixel(box.top, size.height);
    const std::int64_t bottom = pixel(box.bottom, size.height);
    const std::int64_t left = pixel(box.left, size.width);
    const std::int64_t right = pixel(box.right, size.width);
    const std::int64_t area = (bottom - top) * (right - left);
    const std::int64_t rows = std::min(bottom, crop.row + crop.height) - std::max(top, crop.row);
    const std::int64_t columns =
        std::min(right, crop.column + crop.width) - std::max(left, crop.column);
    const std::int64_t covered =
        std::max<std::int64_t>(0, rows) * std::max<std::int64_t>(0, columns);
    return area > 0 && static_cast<float>(covered) >= share * static_cast<float>(area);
}

} // namespace

CropBox sampleCrop(
    const ImageSize& size, std::span<const ObjectBox> boxes, const CropLimits& limits,
    PhiloxStream& stream)
{
    constexpr ObjectBox kWhole{};
    const auto wanted = boxes.empty() ? std::span(&kWhole, 1) : boxes;
    for (int attempt = 0; attempt < limits.attempts; ++attempt) {
        const float aspect = stream.uniform(limits.leastAspect, limits.mostAspect);
        const auto crop = cropOfAspect(size, limits, aspect, stream);
        const auto isCovered = [&](const ObjectBox& box) {
            return covers(*crop, box, size, limits.leastCovered);
        };
        if (crop && std::ranges::any_of(wanted, isCovered)) {
            return *crop;
        }
    }
    return {0, 0, size.height, size.width};
}

CropBox centralCrop(const ImageSize& size)
{
    constexpr std::int64_t kPart = 16;
    const std::int64_t row = size.height / kPart;
    const std::int64_t column = size.width / kPart;
    return {row, column, size.height - 2 * row, size.width - 2 * column};
}

} // namespace lockstep
