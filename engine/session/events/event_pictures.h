// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"
#include "network/network_spec.h"
#include "storage/events/png_image.h"

#include <cstdint>
#include <optional>
#include <span>

namespace lockstep {

/// An image as the network sees it (row, column, channel), made visible as TensorFlow's image
/// summaries do it: where there are negative values, 0 becomes the grey 127 and the value furthest
/// from it black or white; else 0 stays black and the largest value becomes white. What is not
/// finite is grey, 127, and changes nothing for the rest.
/// Error(Internal) unless it has 1 or 3 channels.
PngImage pictureOf(std::span<const float> values, const Shape& shape);

/// The number of the weights whose filters can be looked at: those of the first convolution, if it
/// reads 1 or 3 channels.
std::optional<int> visibleFilters(const NetworkSpec& network);

/// Where the filters of a convolution lie on the sheet that filterSheet() makes: filter i in column
/// i % columns and row i / columns.
struct FilterSheetPlan
{
    /// Pixels of the sheet for a weight, in both directions, and between filters.
    static constexpr std::int64_t kCell = 4;
    static constexpr std::int64_t kGap = 2;

    /// [out, in, height, width]
    explicit FilterSheetPlan(std::span<const std::int64_t> shape);

    std::int64_t columns;
    std::int64_t rows;
    std::int64_t stepY; ///< pixels from one filter to the one below
    std::int64_t stepX;
};

/// The filters of a convolution, [out, in, height, width] with in = 1 or 3, side by side on one
/// sheet, magnified, all to one scale: 0 and what is not finite is grey, 127, the largest finite
/// magnitude of all black or white.
PngImage filterSheet(std::span<const float> weights, std::span<const std::int64_t> shape);

} // namespace lockstep
