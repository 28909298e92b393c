// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/line_curve.h"

#include "theme/tower_colors.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kLineWidth = 1.5;
constexpr double kDotRadius = 3.5;
/// So few points get a dot each: one alone makes no line.
constexpr qsizetype kMostDots = 3;
constexpr double kSmallDotRadius = 1.2;

/// Far outside it ends where painting still can count.
QPointF placeOf(const PlotScale& scale, double x, double y)
{
    constexpr double kFar = 1e6;
    const double height =
        scale.isLogarithmic && y <= 0.0 ? scale.area.bottom() + kFar : scale.pixelY(y);
    return {std::clamp(scale.pixelX(x), -kFar, kFar), std::clamp(height, -kFar, kFar)};
}

void paintDots(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const QColor& color)
{
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const QPointF point = curve.points[i];
        if (i < curve.ranges.size()) {
            const QPointF from = placeOf(scale, point.x(), curve.ranges[i].first);
            const QPointF to = placeOf(scale, point.x(), curve.ranges[i].second);
            const double middle = std::floor(from.x()) + 0.5; // of a column of pixels: sharp
            painter.setPen(QPen(color, 1.0));
            painter.drawLine(QPointF(middle, from.y()), QPointF(middle, to.y()));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(placeOf(scale, point.x(), point.y()), kDotRadius, kDotRadius);
    }
}

void paintStroke(QPainter& painter, const QPolygonF& line, const QColor& color)
{
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    if (line.size() <= kMostDots) {
        painter.setBrush(color);
        for (const QPointF& point : line) {
            painter.drawEllipse(point, kSmallDotRadius, kSmallDotRadius);
        }
    }
}

void paintLine(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const QColor& color)
{
    QPen pen(color, kLineWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    if (curve.style == LineCurve::Style::Dashes) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({4.0, 3.0});
    }
    painter.setPen(pen);
    QPolygonF line;
    for (const QPointF& point : curve.points) {
        if (std::isnan(point.y())) {
            paintStroke(painter, line, color);
            line.clear();
        } else {
            line << placeOf(scale, point.x(), point.y());
        }
    }
    paintStroke(painter, line, color);
}

} // namespace

QColor lineColor(const LineCurve& curve, const ThemeColors& theme)
{
    switch (curve.ink) {
    case Ink::Text:
        return theme.text;
    case Ink::Muted:
        return theme.mutedText;
    case Ink::Accent:
        return theme.accent;
    case Ink::Tower:
    case Ink::Overlay:
        break;
    }
    return towerColor(curve.color, theme);
}

LegendKey lineKey(const LineCurve& curve, const ThemeColors& theme)
{
    const KeyShape shape = curve.style == LineCurve::Style::Dots     ? KeyShape::Dot
                           : curve.style == LineCurve::Style::Dashes ? KeyShape::Dashes
                                                                     : KeyShape::Line;
    return {curve.name, shape, {lineColor(curve, theme)}};
}

void paintLineCurve(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const ThemeColors& theme)
{
    const QColor color = lineColor(curve, theme);
    const double edge = curve.style == LineCurve::Style::Dots ? kDotRadius + 1.0 : 2.0;
    painter.save();
    painter.setClipRect(scale.area.adjusted(-edge, -edge, edge, edge));
    if (curve.style == LineCurve::Style::Dots) {
        paintDots(painter, scale, curve, color);
    } else {
        paintLine(painter, scale, curve, color);
    }
    painter.restore();
}

} // namespace lockstep::ui
