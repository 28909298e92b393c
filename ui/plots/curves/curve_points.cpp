// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

const QPointF kBreak(
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());

} // namespace

RowRange visibleRows(const Timeline& timeline, const PlotScale& scale, int most)
{
    RowRange rows;
    rows.first = std::max<std::int64_t>(0, timeline.firstRowFrom(scale.axis, scale.first) - 1);
    rows.end = std::min(timeline.size(), timeline.firstRowFrom(scale.axis, scale.last) + 1);
    const std::int64_t count = rows.end - rows.first;
    rows.stride = std::max<std::int64_t>(1, (count + most - 1) / std::max(1, most));
    rows.first -= rows.first % rows.stride;
    return rows;
}

QList<QPointF> curvePoints(const Curve& curve, const PlotScale& scale, const RowRange& rows)
{
    const Series& series = curve.series();
    QList<QPointF> points;
    points.reserve((rows.end - rows.first) / rows.stride + 2);
    const auto add = [&](std::int64_t row) {
        const double value = series.smoothedAt(row);
        const bool isShown = std::isfinite(value) && (!scale.isLogarithmic || value > 0.0);
        const double x = scale.pixelX(curve.store->timeline().positionAt(scale.axis, row));
        points << (isShown ? QPointF(x, scale.pixelY(value)) : kBreak);
    };
    for (std::int64_t row = rows.first; row < rows.end; row += rows.stride) {
        add(row);
    }
    if (rows.first < rows.end && (rows.end - 1 - rows.first) % rows.stride != 0) {
        add(rows.end - 1);
    }
    return points;
}

} // namespace lockstep::ui
