// SPDX-License-Identifier: Apache-2.0
#include "dataset/codecs/image_size.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockstep {

CropBox scaledCrop(const CropBox& crop, const ImageSize& from, const ImageSize& to)
{
    const auto scaled = [](std::int64_t place, std::int64_t old, std::int64_t now) {
        return (2 * place * now + old) / (2 * old);
    };
    CropBox result;
    result.row = std::min(scaled(crop.row, from.height, to.height), to.height - 1);
    result.column = std::min(scaled(crop.column, from.width, to.width), to.width - 1);
    const std::int64_t bottom = scaled(crop.row + crop.height, from.height, to.height);
    const std::int64_t right = scaled(crop.column + crop.width, from.width, to.width);
    result.height = std::max<std::int64_t>(1, bottom - result.row);
    result.width = std::max<std::int64_t>(1, right - result.column);
    return result;
}

void SizeRange::take(const ImageSize& size)
{
    const bool isFirst = most.height == 0;
    least.height = isFirst ? size.height : std::min(least.height, size.height);
    least.width = isFirst ? size.width : std::min(least.width, size.width);
    most.height = std::max(most.height, size.height);
    most.width = std::max(most.width, size.width);
}

std::string SizeRange::text() const
{
    if (most.height == 0) {
        return {};
    }
    return least == most
               ? fmt::format("{} × {} pixels", most.height, most.width)
               : fmt::format(
                   "{} × {} to {} × {} pixels", least.height, least.width, most.height, most.width);
}

} // namespace lockstep
