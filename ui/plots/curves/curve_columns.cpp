// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

bool isShown(float value, bool isLogarithmic)
{
    return std::isfinite(value) && (!isLogarithmic || value > 0.0F);
}

/// Where the curve crosses the edge of a column; not a number where it does not.
float valueAtEdge(const Series& series, const ColumnEdge& edge, bool isLogarithmic)
{
    if (edge.row <= 0 || edge.row >= series.size()) {
        return NAN;
    }
    const float before = series.at(edge.row - 1);
    const float behind = series.at(edge.row);
    if (!isShown(before, isLogarithmic) || !isShown(behind, isLogarithmic)) {
        return NAN;
    }
    return isLogarithmic ? before * std::pow(behind / before, edge.share)
                         : before + edge.share * (behind - before);
}

ColumnValues valuesOf(const Extent& extent, bool isLogarithmic)
{
    ColumnValues values;
    values.hasNotFinite = extent.notFinite > 0;
    values.hasNotPositive = isLogarithmic && extent.hasValues() && extent.minimum <= 0.0F;
    if (isLogarithmic ? extent.hasPositive() : extent.hasValues()) {
        values.low = isLogarithmic ? extent.minimumPositive : extent.minimum;
        values.high = extent.maximum;
    }
    return values;
}

QRgb over(QRgb upper, QRgb lower)
{
    const auto rest = static_cast<quint32>(255 - qAlpha(upper));
    const auto channel = [rest](int above, int below) {
        return static_cast<int>(
            static_cast<quint32>(above) + (static_cast<quint32>(below) * rest + 127U) / 255U);
    };
    return qRgba(
        channel(qRed(upper), qRed(lower)), channel(qGreen(upper), qGreen(lower)),
        channel(qBlue(upper), qBlue(lower)), channel(qAlpha(upper), qAlpha(lower)));
}

using InkStroke = std::pair<ColumnLayer::Stroke, QRgb>;

/// Of the strokes over each other, the first lowest.
QRgb colorAt(int y, const std::vector<InkStroke>& strokes)
{
    QRgb color = 0;
    for (const auto& [stroke, ink] : strokes) {
        if (stroke.top <= y && y < stroke.end) {
            color = over(ink, color);
        }
    }
    return color;
}

} // namespace

void ColumnValues::add(float value) noexcept
{
    if (std::isnan(value)) {
        return;
    }
    const bool isFirst = isEmpty();
    low = isFirst ? value : std::min(low, value);
    high = isFirst ? value : std::max(high, value);
}

ColumnGrid columnGrid(const Timeline& timeline, const PlotScale& scale, int columns)
{
    ColumnGrid grid;
    grid.reserve(static_cast<std::size_t>(columns) + 1);
    for (int column = 0; column <= columns; ++column) {
        const double edge = static_cast<double>(column) / columns;
        const std::int64_t row = timeline.firstRowFrom(scale.axis, scale.positionAt(edge));
        double share = 0.0;
        if (row > 0 && row < timeline.size()) {
            const double before = scale.shareOf(timeline.positionAt(scale.axis, row - 1));
            const double width = scale.shareOf(timeline.positionAt(scale.axis, row)) - before;
            share = width > 0.0 ? (edge - before) / width : 1.0;
        }
        grid.push_back({row, static_cast<float>(share)});
    }
    return grid;
}

std::vector<ColumnValues> curveColumns(
    const Series& series, const ColumnGrid& grid, bool isLogarithmic)
{
    std::vector<ColumnValues> columns;
    columns.reserve(grid.size());
    float atLeftEdge = valueAtEdge(series, grid.front(), isLogarithmic);
    for (std::size_t column = 0; column + 1 < grid.size(); ++column) {
        const ColumnEdge& right = grid[column + 1];
        const float atRightEdge = valueAtEdge(series, right, isLogarithmic);
        ColumnValues values = valuesOf(series.extent(grid[column].row, right.row), isLogarithmic);
        values.add(atLeftEdge);
        values.add(atRightEdge);
        columns.push_back(values);
        atLeftEdge = atRightEdge;
    }
    return columns;
}

void paintColumns(QImage& image, const std::vector<ColumnLayer>& layers)
{
    auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
    const qsizetype stride = image.bytesPerLine() / 4;
    std::vector<QRgb> inks;
    for (const ColumnLayer& layer : layers) {
        inks.push_back(qPremultiply(layer.color.rgba()));
    }
    std::vector<InkStroke> strokes; // of one column, as are their ends
    std::vector<int> edges;
    for (int column = 0; column < image.width(); ++column) {
        strokes.clear();
        edges.clear();
        for (std::size_t i = 0; i < layers.size(); ++i) {
            ColumnLayer::Stroke stroke = layers[i].strokes[static_cast<std::size_t>(column)];
            stroke.top = std::clamp(stroke.top, 0, image.height());
            stroke.end = std::clamp(stroke.end, 0, image.height());
            if (stroke.top < stroke.end) {
                strokes.emplace_back(stroke, inks[i]);
                edges.insert(edges.end(), {stroke.top, stroke.end});
            }
        }
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
            const QRgb color = edges[i] < edges[i + 1] ? colorAt(edges[i], strokes) : 0U;
            QRgb* pixel = pixels + edges[i] * stride + column;
            for (int y = edges[i]; color != 0U && y < edges[i + 1]; ++y, pixel += stride) {
                *pixel = color;
            }
        }
    }
}

} // namespace lockstep::ui
