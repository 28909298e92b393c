// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/small_curve.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kWidth = 1.3;

struct Bounds
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

Bounds boundsOf(const std::vector<SmallCurvePoint>& curve)
{
    Bounds bounds;
    for (const SmallCurvePoint& point : curve) {
        if (std::isfinite(point.loss)) {
            bounds.low = std::min(bounds.low, point.loss);
            bounds.high = std::max(bounds.high, point.loss);
        }
    }
    return bounds;
}

/// A line for each stretch without a value that is not a number.
QList<QPolygonF> linesOf(const std::vector<SmallCurvePoint>& curve, const QRectF& area)
{
    const Bounds bounds = boundsOf(curve);
    const double height = std::max(bounds.high - bounds.low, 1e-9);
    const double first = curve.front().step;
    const double width = std::max(curve.back().step - first, 1.0);
    QList<QPolygonF> lines(1);
    for (const SmallCurvePoint& point : curve) {
        if (!std::isfinite(point.loss)) {
            lines.append(QPolygonF());
            continue;
        }
        lines.back() << QPointF(
            area.left() + area.width() * (point.step - first) / width,
            area.bottom() - area.height() * (point.loss - bounds.low) / height);
    }
    return lines;
}

} // namespace

void paintSmallCurve(
    QPainter& painter, const std::vector<SmallCurvePoint>& curve, const QRectF& area,
    const QColor& color)
{
    if (curve.empty()) {
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, kWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& line : linesOf(curve, area)) {
        painter.drawPolyline(line);
    }
    painter.restore();
}

} // namespace lockstep::ui
