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

/// The curve's average at those rows, in pixels. Where it has no value, or none that the
/// scale can show, there is a point that is not a number, at which a line breaks.
QList<QPointF> curvePoints(const Curve& curve, const PlotScale& scale, const RowRange& rows);

} // namespace lockstep::ui
