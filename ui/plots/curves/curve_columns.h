// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"
#include "plots/axes/plot_scale.h"

#include <QColor>
#include <QImage>

#include <vector>

namespace lockstep::ui {

/// Where an edge of a pixel column lies in a timeline.
struct ColumnEdge
{
    std::int64_t row = 0; ///< the first at or behind it
    float share = 0.0F;   ///< of the way from the row before it to that row
};

/// The left edge of each column, then the right one of the last: which rows of a timeline fall into
/// which column, worked out once for all of its curves.
using ColumnGrid = std::vector<ColumnEdge>;

ColumnGrid columnGrid(const Timeline& timeline, const PlotScale& scale, int columns);

/// What a curve covers within one pixel column.
struct ColumnValues
{
    float low = 0.0F;
    float high = -1.0F;
    bool hasNotFinite = false;
    bool hasNotPositive = false; ///< on a logarithmic scale: values that it cannot show

    [[nodiscard]] bool isEmpty() const noexcept { return low > high; }
    void add(float value) noexcept;
};

/// The extent of the curve in each column: of all values in it, none left out, and of the straight
/// lines that join them to their neighbours, so that columns meet. Values that cannot be shown are
/// reported and take nothing of the others away.
std::vector<ColumnValues> curveColumns(
    const Series& series, const ColumnGrid& grid, bool isLogarithmic);

/// One curve as vertical strokes, one for each column of an image: rows [top, end).
struct ColumnLayer
{
    struct Stroke
    {
        int top = 0;
        int end = 0;
    };
    std::vector<Stroke> strokes; ///< one for each column, none where top >= end
    QColor color;                ///< with its opacity
};

/// Paints the layers over each other, the first lowest. A pixel is written once, however many
/// layers cover it: opacities are put together per stretch, not per pixel, so that the time depends
/// little on the number of curves. Any thread.
void paintColumns(QImage& image, const std::vector<ColumnLayer>& layers);

} // namespace lockstep::ui
