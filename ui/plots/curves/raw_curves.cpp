// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_columns.h"
#include "plots/curves/curve_style.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::ui {
namespace {

constexpr double kBandOpacity = 0.17;
/// Of the values themselves, behind their averages.
constexpr double kRawBandOpacity = 0.07;
constexpr double kUncertaintyOpacity = 0.3;
constexpr double kOverlayOpacity = 0.10;
/// The bands of more runs only cover each other.
constexpr std::ptrdiff_t kMostBands = 3;
constexpr double kMarkDistance = 10.0;
/// Of an image; beyond it a place is only far away.
constexpr double kFarRow = 1e6;

struct CurveInColumns
{
    const Curve* curve;
    std::vector<ColumnValues> columns;
};

QColor withOpacity(QColor color, double opacity)
{
    color.setAlphaF(static_cast<float>(opacity));
    return color;
}

/// At least a pixel of the screen high, whatever its scale.
ColumnLayer::Stroke strokeOf(
    const ColumnValues& values, const PlotScale& scale, double devicePixelRatio)
{
    if (values.isEmpty()) {
        return {};
    }
    const auto row = [&](double value) {
        return static_cast<int>(
            std::floor((scale.pixelY(value) - scale.area.top()) * devicePixelRatio));
    };
    const int top = row(values.high);
    const int least = std::max(1, static_cast<int>(std::lround(devicePixelRatio)));
    return {top, std::max(row(values.low) + 1, top + least)};
}

ColumnLayer layerOf(
    const std::vector<ColumnValues>& columns, const PlotScale& scale, double devicePixelRatio,
    const QColor& color)
{
    ColumnLayer layer{{}, color};
    layer.strokes.reserve(columns.size());
    for (const ColumnValues& values : columns) {
        layer.strokes.push_back(strokeOf(values, scale, devicePixelRatio));
    }
    return layer;
}

/// So that it covers the columns, too.
void widen(std::vector<ColumnValues>& band, const std::vector<ColumnValues>& columns)
{
    band.resize(columns.size());
    for (std::size_t column = 0; column < band.size(); ++column) {
        if (!columns[column].isEmpty()) {
            band[column].add(columns[column].low);
            band[column].add(columns[column].high);
        }
    }
}

/// From the least to the greatest of all towers, column by column.
std::vector<ColumnValues> bandOf(const std::vector<CurveInColumns>& curves)
{
    std::vector<ColumnValues> band;
    for (const CurveInColumns& entry : curves) {
        if (entry.curve->isOfTower()) {
            widen(band, entry.columns);
        }
    }
    return band;
}

bool isMarked(
    const CurveInColumns& entry, std::size_t column, PlotMark::Kind kind, const PlotScale& scale)
{
    const ColumnValues& values = entry.columns[column];
    switch (kind) {
    case PlotMark::Kind::NotFinite:
        return values.hasNotFinite && entry.curve->isMarkingFaults;
    case PlotMark::Kind::NotPositive:
        return values.hasNotPositive && !entry.curve->isAbandoned;
    case PlotMark::Kind::AboveScale:
        return !values.isEmpty() && values.high > scale.top && !entry.curve->isCutOffScale();
    case PlotMark::Kind::BelowScale:
        return !values.isEmpty() && values.low < scale.bottom && !entry.curve->isCutOffScale();
    }
    return false;
}

/// Of all curves. What would run into each other is one stretch with one mark, in its middle, or
/// where it begins: that is what a person looks for where values are not numbers.
void addMarks(
    std::vector<PlotMark>& marks, const std::vector<CurveInColumns>& entries,
    const PlotScale& scale, double devicePixelRatio)
{
    using Kind = PlotMark::Kind;
    const std::size_t columns = entries.empty() ? 0 : entries.front().columns.size();
    for (const Kind kind :
         {Kind::NotFinite, Kind::NotPositive, Kind::AboveScale, Kind::BelowScale}) {
        double free = -1.0; // from here on a mark is one of its own
        for (std::size_t column = 0; column < columns; ++column) {
            const bool isHere = std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
                return isMarked(entry, column, kind, scale);
            });
            const double left = static_cast<double>(column) / devicePixelRatio;
            const double right = static_cast<double>(column + 1) / devicePixelRatio;
            if (!isHere) {
                continue;
            }
            if (left > free) {
                marks.push_back({kind, 0.5 * (left + right), left, right});
            }
            PlotMark& mark = marks.back();
            mark.right = right;
            mark.x = kind == Kind::NotFinite ? mark.x : 0.5 * (mark.left + right);
            free = right + kMarkDistance;
        }
    }
}

std::vector<CurveInColumns> inColumns(
    const std::vector<Curve>& curves, const PlotScale& scale, int columns)
{
    std::map<const SeriesStore*, ColumnGrid> grids;
    std::vector<CurveInColumns> result;
    for (const Curve& curve : curves) {
        if (curve.isOverlay() && !curve.isAbandoned) {
            continue;
        }
        const auto [grid, isNew] = grids.try_emplace(curve.store);
        if (isNew) {
            grid->second = columnGrid(curve.store->timeline(), scale, columns);
        }
        result.push_back({&curve, curveColumns(curve.series(), grid->second, scale.isLogarithmic)});
    }
    return result;
}

std::vector<ColumnLayer> bandLayers(
    const std::vector<Curve>& curves, const PlotScale& scale, int columns, double devicePixelRatio,
    const ThemeColors& theme)
{
    std::vector<ColumnLayer> layers;
    const auto isOverlaid = [](const Curve& curve) {
        return curve.kind == CurveKind::Overlay && curve.band;
    };
    const bool isCrowded = std::ranges::count_if(curves, isOverlaid) > kMostBands;
    for (const Curve& curve : curves) {
        if (!curve.band || (isCrowded && isOverlaid(curve))) {
            continue;
        }
        if (curve.kind == CurveKind::Mean) {
            layers.push_back(
                {averageBand(curve, curves, scale, devicePixelRatio),
                 withOpacity(theme.text, kBandOpacity)});
            continue;
        }
        const ColumnGrid grid = columnGrid(curve.store->timeline(), scale, columns);
        std::vector<ColumnValues> band;
        for (const int edge : {curve.band->first, curve.band->second}) {
            widen(band, curveColumns(curve.store->series(edge), grid, scale.isLogarithmic));
        }
        const double opacity = isOverlaid(curve) ? kOverlayOpacity : kUncertaintyOpacity;
        const QColor color = withOpacity(curveColor(curve, theme), opacity);
        layers.push_back(layerOf(band, scale, devicePixelRatio, color));
    }
    return layers;
}

} // namespace

std::vector<ColumnLayer::Stroke> averageBand(
    const Curve& mean, const std::vector<Curve>& curves, const PlotScale& scale,
    double devicePixelRatio)
{
    const RowRange rows = lineRows(mean, curves, scale);
    const QList<QPointF> low = curvePoints(mean, scale, rows, mean.band->first, -1.0);
    const QList<QPointF> high = curvePoints(mean, scale, rows, mean.band->second, 1.0);
    const auto columns = static_cast<std::size_t>(scale.area.width() * devicePixelRatio);
    std::vector<ColumnLayer::Stroke> strokes(columns);
    qsizetype next = 1;
    for (std::size_t column = 0; column < columns; ++column) {
        const double x = scale.area.left() + (static_cast<double>(column) + 0.5) / devicePixelRatio;
        while (next < low.size() && !(low[next].x() >= x)) {
            ++next;
        }
        if (next >= low.size() || !(low[next - 1].x() <= x)) {
            continue;
        }
        const double share = (x - low[next - 1].x()) / (low[next].x() - low[next - 1].x());
        const auto rowAt = [&](const QList<QPointF>& edge) {
            const double y = edge[next - 1].y() + share * (edge[next].y() - edge[next - 1].y());
            return std::clamp((y - scale.area.top()) * devicePixelRatio, -kFarRow, kFarRow);
        };
        const auto top = static_cast<int>(std::floor(rowAt(high)));
        strokes[column] = {top, std::max(static_cast<int>(std::ceil(rowAt(low))), top + 1)};
    }
    return strokes;
}

RawCurves rawCurves(
    const std::vector<Curve>& curves, const PlotScale& scale, double devicePixelRatio,
    const ThemeColors& theme)
{
    RawCurves raw;
    const QSize size = (scale.area.size() * devicePixelRatio).toSize();
    raw.image = QImage(size, QImage::Format_ARGB32_Premultiplied);
    raw.image.setDevicePixelRatio(devicePixelRatio);
    raw.image.fill(Qt::transparent);

    const std::vector<CurveInColumns> entries = inColumns(curves, scale, size.width());
    std::vector<ColumnLayer> layers =
        bandLayers(curves, scale, size.width(), devicePixelRatio, theme);
    const std::vector<ColumnValues> band = bandOf(entries);
    const bool isHidden = std::ranges::any_of(
        curves, [](const Curve& curve) { return curve.kind == CurveKind::Mean && !curve.band; });
    if (!band.empty() && !isHidden) {
        const bool isBehindAverages = std::ranges::any_of(curves, [&](const Curve& curve) {
            const RowRange rows = lineRows(curve, curves, scale);
            return curve.kind == CurveKind::Mean && rows.first < rows.end;
        });
        const QColor color =
            withOpacity(theme.text, isBehindAverages ? kRawBandOpacity : kBandOpacity);
        layers.push_back(layerOf(band, scale, devicePixelRatio, color));
    }
    for (const CurveInColumns& entry : entries) {
        const double opacity = rawOpacity(*entry.curve, entries.size());
        if (opacity > 0.0 && !hasDots(*entry.curve, scale)) {
            const QColor color = withOpacity(curveColor(*entry.curve, theme), opacity);
            layers.push_back(layerOf(entry.columns, scale, devicePixelRatio, color));
        }
    }
    addMarks(raw.marks, entries, scale, devicePixelRatio);
    paintColumns(raw.image, layers);
    return raw;
}

} // namespace lockstep::ui
