// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/y_range.h"

#include "plots/axes/ticks.h"

#include <algorithm>
#include <cmath>

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

constexpr double kAir = 0.04;
/// Ends lie on multiples of about this share of the range.
constexpr int kRoundSteps = 25;
constexpr double kRoundStepsPerDecade = 5.0;

/// Fewer rows are all shown.
constexpr std::int64_t kFewestToCut = 40;

/// Rows of a smoothed line that are looked at.
constexpr std::int64_t kMostSmoothedRows = 512;

/// Of an average with its uncertainty, and of what that came from as it is drawn: without the wild
/// beginning, so that the band can be seen.
void addCut(Extent& extent, const Curve& curve, RowRange rows, bool isLogarithmic)
{
    rows.first += (rows.end - rows.first) / 4;
    if (curve.kind == CurveKind::Faint && curve.isUnsmoothed()) {
        extent.add(robustExtent(curve.series(), rows.first, rows.end, isLogarithmic));
        return;
    }
    if (curve.kind == CurveKind::Faint) {
        const std::int64_t stride =
            std::max<std::int64_t>(1, (rows.end - rows.first) / kMostSmoothedRows);
        for (std::int64_t row = rows.first; row < rows.end; row += stride) {
            extent.add(curve.series().smoothedAt(row));
        }
        return;
    }
    extent.add(curve.series().extent(rows.first, rows.end));
    if (curve.band) {
        extent.add(curve.store->series(curve.band->first).extent(rows.first, rows.end));
        extent.add(curve.store->series(curve.band->second).extent(rows.first, rows.end));
    }
}

Extent extentOf(
    const std::vector<Curve>& curves, const PlotScale& scale, bool isRobust, bool isBeside)
{
    Extent extent;
    for (const Curve& curve : curves) {
        if ((curve.isAbandoned || curve.isForeign) != isBeside) {
            continue;
        }
        const RowRange rows = visibleRows(curve.store->timeline(), scale, 1 << 30);
        if (isRobust && curve.isCutOffScale() && rows.end - rows.first >= kFewestToCut) {
            addCut(extent, curve, rows, scale.isLogarithmic);
            continue;
        }
        extent.add(
            isRobust ? robustExtent(curve.series(), rows.first, rows.end, scale.isLogarithmic)
                     : curve.series().extent(rows.first, rows.end));
    }
    return extent;
}

/// What a run has left behind has no part in it, unless there is nothing else: it may have gone
/// anywhere before it was left. Nor has a run that trained something else.
Extent visibleExtent(const std::vector<Curve>& curves, const PlotScale& scale, bool isRobust)
{
    const Extent extent = extentOf(curves, scale, isRobust, false);
    return extent.hasValues() ? extent : extentOf(curves, scale, isRobust, true);
}

std::pair<double, double> linearRange(double low, double high, const YLimits& limits)
{
    low = std::min(low, limits.floor.value_or(low));
    high = std::max(high, limits.ceiling.value_or(high));
    if (!(high > low)) {
        const double around = std::max(std::abs(low) * 0.1, 1e-6);
        low -= around;
        high += around;
    }
    const double air = kAir * (high - low);
    const double step = niceStep((high - low) / kRoundSteps);
    const bool isAtFloor = limits.floor && low >= *limits.floor;
    const bool isAtCeiling = limits.ceiling && high <= *limits.ceiling;
    return {
        isAtFloor ? *limits.floor : std::floor((low - air) / step) * step,
        isAtCeiling ? *limits.ceiling : std::ceil((high + air) / step) * step};
}

std::pair<double, double> logarithmicRange(double low, double high)
{
    const double decades = std::max(0.05, std::log10(high / low));
    const double parts =
        std::max(1.0, std::round(kRoundStepsPerDecade / std::max(decades, 0.2) * 3.0));
    const double air = kAir * decades;
    return {
        std::pow(10.0, std::floor((std::log10(low) - air) * parts) / parts),
        std::pow(10.0, std::ceil((std::log10(high) + air) * parts) / parts)};
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

std::pair<double, double> fittingYRange(
    const std::vector<Curve>& curves, const PlotScale& scale, const YLimits& limits)
{
    Extent extent = visibleExtent(curves, scale, limits.isRobust);
    if (limits.expected) {
        extent.add(static_cast<float>(*limits.expected));
    }
    if (scale.isLogarithmic) {
        return extent.hasPositive() ? logarithmicRange(extent.minimumPositive, extent.maximum)
                                    : std::pair(0.1, 1.0);
    }
    return extent.hasValues() ? linearRange(extent.minimum, extent.maximum, limits)
                              : std::pair(limits.floor.value_or(0.0), limits.ceiling.value_or(1.0));
}

} // namespace lockstep::ui
