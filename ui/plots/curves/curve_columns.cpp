// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_columns.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

bool isShown(float value, bool isLogarithmic)
{
    return std::isfinite(value) && (!isLogarithmic || value > 0.0F);
}

/// Where the curve crosses the edge of a column; not a number where it does not.
float valueAtEdge(const Series& series, std::int64_t row, float share, bool isLogarithmic)
{
    if (row <= 0 || row >= series.size()) {
        return NAN;
    }
    const float before = series.at(row - 1);
    const float behind = series.at(row);
    if (!isShown(before, isLogarithmic) || !isShown(behind, isLogarithmic)) {
        return NAN;
    }
    return isLogarithmic ? before * std::pow(behind / before, share)
                         : before + share * (behind - before);
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
    grid.rows.reserve(static_cast<std::size_t>(columns) + 1);
    grid.shares.reserve(static_cast<std::size_t>(columns) + 1);
    for (int column = 0; column <= columns; ++column) {
        const double edge = static_cast<double>(column) / columns;
        const double position = scale.positionAt(edge);
        const std::int64_t row = timeline.firstRowFrom(scale.axis, position);
        grid.rows.push_back(row);
        double share = 0.0;
        if (row > 0 && row < timeline.size()) {
            const double before = scale.shareOf(timeline.positionAt(scale.axis, row - 1));
            const double width = scale.shareOf(timeline.positionAt(scale.axis, row)) - before;
            share = width > 0.0 ? (edge - before) / width : 1.0;
        }
        grid.shares.push_back(static_cast<float>(share));
    }
    return grid;
}

std::vector<ColumnValues> curveColumns(
    const Series& series, const ColumnGrid& grid, bool isLogarithmic)
{
    std::vector<ColumnValues> columns;
    columns.reserve(grid.rows.size());
    float atLeftEdge = valueAtEdge(series, grid.rows.front(), grid.shares.front(), isLogarithmic);
    for (std::size_t column = 0; column + 1 < grid.rows.size(); ++column) {
        const std::int64_t end = grid.rows[column + 1];
        const float atRightEdge = valueAtEdge(series, end, grid.shares[column + 1], isLogarithmic);
        ColumnValues values = valuesOf(series.extent(grid.rows[column], end), isLogarithmic);
        values.add(atLeftEdge);
        values.add(atRightEdge);
        columns.push_back(values);
        atLeftEdge = atRightEdge;
    }
    return columns;
}

} // namespace lockstep::ui
