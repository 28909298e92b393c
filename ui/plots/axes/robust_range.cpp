// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/robust_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::ui {
namespace {

/// Which values are taken for ordinary: the share at each end that may be anything, and how far
/// beyond the others it may lie, in distances of theirs.
struct Ordinary
{
    double tail;
    double margin;
};
constexpr Ordinary kOfMany{0.005, 0.75};
constexpr Ordinary kOfFew{0.25, 10.0}; // a fall from the first losses is no outlier
constexpr std::size_t kFewestOfMany = 40;
constexpr std::size_t kFewestValues = 6;
constexpr std::int64_t kMostRows = 4096;

std::vector<float> sampleOf(
    const Series& series, std::int64_t first, std::int64_t end, bool isLogarithmic)
{
    const std::int64_t stride =
        std::max<std::int64_t>(1, (end - first + kMostRows - 1) / kMostRows);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>((end - first) / stride + 1));
    for (std::int64_t row = first; row < end; row += stride) {
        const float value = series.at(row);
        if (std::isfinite(value) && (!isLogarithmic || value > 0.0F)) {
            values.push_back(isLogarithmic ? std::log(value) : value);
        }
    }
    return values;
}

/// The value with so many others below it.
double ranked(std::vector<float>& values, std::size_t below)
{
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(below);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

} // namespace

Extent robustExtent(const Series& series, std::int64_t first, std::int64_t end, bool isLogarithmic)
{
    Extent extent = series.extent(first, end);
    std::vector<float> values = sampleOf(series, first, end, isLogarithmic);
    if (values.size() < kFewestValues) {
        return extent;
    }
    const Ordinary ordinary = values.size() < kFewestOfMany ? kOfFew : kOfMany;
    const auto tail = std::max<std::size_t>(
        1, static_cast<std::size_t>(ordinary.tail * static_cast<double>(values.size())));
    const double low = ranked(values, tail);
    const double high = ranked(values, values.size() - 1 - tail);
    const double margin = ordinary.margin * (high - low);
    const auto valueOf = [isLogarithmic](double place) {
        return static_cast<float>(isLogarithmic ? std::exp(place) : place);
    };
    const float top = valueOf(high + margin);
    const float bottom = valueOf(low - margin);
    if (extent.maximum > top) {
        extent.maximum = series.greatestUpTo(first, end, top);
    }
    float& least = isLogarithmic ? extent.minimumPositive : extent.minimum;
    if (least < bottom) {
        least = series.leastFrom(first, end, bottom);
    }
    return extent;
}

} // namespace lockstep::ui
