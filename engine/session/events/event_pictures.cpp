// SPDX-License-Identifier: Apache-2.0
#include "session/events/event_pictures.h"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

namespace lockstep {
namespace {

constexpr std::uint8_t kGrey = 127;
constexpr std::uint8_t kWhite = 255;

/// value -> value * scale + zero, as a byte. In double, where the scale of the least magnitudes is
/// finite. What is not finite has no place on it: it is grey.
struct GreyScale
{
    double scale = 0.0;
    std::uint8_t zero = kGrey;

    [[nodiscard]] std::uint8_t operator()(float value) const
    {
        if (!std::isfinite(value)) {
            return kGrey;
        }
        const double grey = std::round(double{value} * scale + zero);
        return static_cast<std::uint8_t>(std::clamp(grey, 0.0, double{kWhite}));
    }
};

/// The scale on which the largest finite magnitude is as far from `zero` as `span`; of zeros alone
/// any will do.
GreyScale scaleTo(std::span<const float> values, std::uint8_t zero, std::uint8_t span)
{
    double largest = 0.0;
    for (const float value : values) {
        if (std::isfinite(value)) {
            largest = std::max(largest, std::abs(double{value}));
        }
    }
    return {largest > 0.0 ? span / largest : 0.0, zero};
}

GreyScale scaleFor(std::span<const float> values)
{
    const bool hasNegative = std::ranges::any_of(
        values, [](float value) { return std::isfinite(value) && value < 0.0F; });
    const std::uint8_t zero = hasNegative ? kGrey : 0;
    return scaleTo(values, zero, kWhite - zero);
}

} // namespace

PngImage pictureOf(std::span<const float> values, const Shape& shape)
{
    const GreyScale grey = scaleFor(values);
    std::vector<std::uint8_t> pixels(values.size());
    std::ranges::transform(values, pixels.begin(), grey);
    return encodePng(shape, pixels);
}

std::optional<int> visibleFilters(const NetworkSpec& network)
{
    const auto isConvolution = [](const Layer& layer) {
        return std::holds_alternative<Conv2d>(layer.spec);
    };
    const auto first = std::ranges::find_if(network.layers, isConvolution);
    if (first == network.layers.end()) {
        return std::nullopt;
    }
    const int weights = first->parameters.front();
    const std::int64_t channels = network.parameters[static_cast<std::size_t>(weights)].shape[1];
    return channels == 1 || channels == 3 ? std::optional(weights) : std::nullopt;
}

FilterSheetPlan::FilterSheetPlan(std::span<const std::int64_t> shape)
    : columns(static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(shape[0]))))),
      rows((shape[0] + columns - 1) / columns), stepY(shape[2] * kCell + kGap),
      stepX(shape[3] * kCell + kGap)
{
}

PngImage filterSheet(std::span<const float> weights, std::span<const std::int64_t> shape)
{
    const std::int64_t channels = shape[1];
    const std::int64_t height = shape[2];
    const std::int64_t width = shape[3];
    const FilterSheetPlan plan(shape);
    const Shape sheet{
        plan.rows * plan.stepY - FilterSheetPlan::kGap,
        plan.columns * plan.stepX - FilterSheetPlan::kGap, channels};
    const GreyScale grey = scaleTo(weights, kGrey, kGrey);
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(sheet.elements()), kWhite);
    for (std::int64_t i = 0; i < std::ssize(weights); ++i) {
        const std::int64_t x = i % width;
        const std::int64_t y = i / width % height;
        const std::int64_t channel = i / (width * height) % channels;
        const std::int64_t filter = i / (width * height * channels);
        const std::int64_t top = filter / plan.columns * plan.stepY + y * FilterSheetPlan::kCell;
        const std::int64_t left = filter % plan.columns * plan.stepX + x * FilterSheetPlan::kCell;
        const std::uint8_t value = grey(weights[static_cast<std::size_t>(i)]);
        for (std::int64_t cell = 0; cell < FilterSheetPlan::kCell * FilterSheetPlan::kCell;
             ++cell) {
            const std::int64_t row = top + cell / FilterSheetPlan::kCell;
            const std::int64_t column = left + cell % FilterSheetPlan::kCell;
            pixels[static_cast<std::size_t>((row * sheet.width + column) * channels + channel)] =
                value;
        }
    }
    return encodePng(sheet, pixels);
}

} // namespace lockstep
