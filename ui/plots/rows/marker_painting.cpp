// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/marker_row.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kHalf = 4.0;
constexpr double kDotRadius = 2.4;
constexpr double kStroke = 1.6;

/// Through the whole chart: what is left and right of it is not alike.
bool hasLine(PlotMarker::Kind kind)
{
    return kind == PlotMarker::Kind::LearningRate || kind == PlotMarker::Kind::Branch;
}

void paintGlyph(QPainter& painter, QPointF centre, PlotMarker::Kind kind, const ThemeColors& theme)
{
    painter.setPen(QPen(theme.card, 1.0));
    switch (kind) {
    case PlotMarker::Kind::Fault:
        painter.setPen(QPen(theme.alert, kStroke + 0.4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(
            centre - QPointF(kHalf, kHalf) * 0.8, centre + QPointF(kHalf, kHalf) * 0.8);
        painter.drawLine(
            centre - QPointF(kHalf, -kHalf) * 0.8, centre + QPointF(kHalf, -kHalf) * 0.8);
        break;
    case PlotMarker::Kind::LearningRate: // a diamond
        painter.setBrush(theme.accent);
        painter.drawPolygon(QPolygonF{
            centre + QPointF(0, -kHalf - 1), centre + QPointF(kHalf + 1, 0),
            centre + QPointF(0, kHalf + 1), centre + QPointF(-kHalf - 1, 0)});
        break;
    case PlotMarker::Kind::Branch: // a square
        painter.setBrush(theme.mutedText);
        painter.drawRect(QRectF(centre - QPointF(kHalf, kHalf) * 0.9, QSizeF(7.2, 7.2)));
        break;
    case PlotMarker::Kind::Evaluation:
        painter.setBrush(theme.mutedText);
        painter.drawEllipse(centre, kDotRadius + 0.5, kDotRadius + 0.5);
        break;
    }
}

} // namespace

void paintMarkers(
    QPainter& painter, const PlotScale& scale, const MarkerRow& row, const ThemeColors& theme)
{
    const std::vector<MarkerGroup> groups = row.groups(scale);
    painter.save();
    for (const MarkerGroup& group : groups) {
        const PlotMarker& marker = row.markers()[group.members.front()];
        const bool isMarked = row.marked() == group.members.front();
        if (isMarked || hasLine(marker.kind)) {
            const double x = std::floor(group.x) + 0.5;
            painter.setPen(QPen(isMarked ? theme.accent : theme.mutedText, 1.0, Qt::DotLine));
            painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const MarkerGroup& group : groups) {
        paintGlyph(
            painter, {std::floor(group.x) + 0.5, scale.area.bottom()},
            row.markers()[group.members.front()].kind, theme);
    }
    painter.restore();
}

} // namespace lockstep::ui
