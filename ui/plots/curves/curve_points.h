// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <QList>
#include <QPointF>

namespace lockstep::ui {

/// The rows of a curve's line: every `stride`th, on multiples of it, so that the line does not
/// shimmer as the chart moves, and the newest one.
struct RowRange
{
    std::int64_t first = 0;
    std::int64_t end = 0;
    std::int64_t stride = 1;
};

/// Rows that the scale shows and one to each side, thinned to about `most`.
RowRange visibleRows(const Timeline& timeline, const PlotScale& scale, int most);

/// The curve's moving average at those rows, in pixels. Where it has no value, or none that the
/// scale can show, there is a point that is not a number, at which a line breaks.
QList<QPointF> curvePoints(const Curve& curve, const PlotScale& scale, const RowRange& rows);

/// The line cut into dashes by points that are not a number. A solid line with gaps is painted many
/// times faster than one with a dash pattern, and its cost does not grow with the height of a
/// spike.
QList<QPointF> dashed(const QList<QPointF>& points, double dash, double gap);

} // namespace lockstep::ui
