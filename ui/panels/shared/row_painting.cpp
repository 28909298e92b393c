// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/row_painting.h"

#include "models/table_model.h"
#include "theme/palette.h"
#include "widgets/forms/note_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kWidth = 1.3;
constexpr double kBarSide = 6.0;
constexpr double kBarHeight = 8.0;
constexpr double kBarRadius = 2.0;

/// From the first step to the last, and from the least loss to the greatest, of all curves.
struct CurveExtent
{
    double first = std::numeric_limits<double>::infinity();
    double last = -first;
    double low = first;
    double high = last;
};

CurveExtent extentOf(const std::vector<std::vector<SmallCurvePoint>>& curves)
{
    CurveExtent extent;
    for (const std::vector<SmallCurvePoint>& curve : curves) {
        for (const SmallCurvePoint& point : curve) {
            extent.first = std::min(extent.first, point.step);
            extent.last = std::max(extent.last, point.step);
            if (std::isfinite(point.loss)) {
                extent.low = std::min(extent.low, point.loss);
                extent.high = std::max(extent.high, point.loss);
            }
        }
    }
    return extent;
}

/// A line for each stretch without a value that is not a number.
QList<QPolygonF> linesOf(
    const std::vector<SmallCurvePoint>& curve, const CurveExtent& extent, const QRectF& area)
{
    const double height = std::max(extent.high - extent.low, 1e-9);
    const double width = std::max(extent.last - extent.first, 1.0);
    QList<QPolygonF> lines(1);
    for (const SmallCurvePoint& point : curve) {
        if (!std::isfinite(point.loss)) {
            lines.append(QPolygonF());
            continue;
        }
        lines.back() << QPointF(
            area.left() + area.width() * (point.step - extent.first) / width,
            area.bottom() - area.height() * (point.loss - extent.low) / height);
    }
    return lines;
}

} // namespace

void WarningDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(WarningRole).toBool()) {
        option->palette.setColor(QPalette::Text, alertTextColor(option->palette));
    }
    if (index.data(WarningRole).toBool() || index.data(EmphasisRole).toBool()) {
        option->font.setWeight(QFont::DemiBold);
    }
}

void BarDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    WarningDelegate::paint(painter, option, index);
    const double share = index.data(BarRole).toDouble();
    const int figures = option.fontMetrics.horizontalAdvance(m_widest);
    const QRectF room = QRectF(option.rect).adjusted(kBarSide, 0.0, -2.0 * kBarSide - figures, 0.0);
    if (share <= 0.0 || room.width() <= 0.0) {
        return;
    }
    const QRectF bar(
        room.left(), room.center().y() - kBarHeight / 2.0, room.width() * share, kBarHeight);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    fillRounded(
        *painter, bar, kBarRadius,
        isSelected ? option.palette.color(QPalette::HighlightedText)
                   : themeColors(option.palette).accent);
}

void fillRounded(QPainter& painter, const QRectF& area, double radius, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(area, radius, radius);
    painter.restore();
}

void paintSmallCurves(
    QPainter& painter, const std::vector<std::vector<SmallCurvePoint>>& curves, const QRectF& area,
    const std::vector<QColor>& colors)
{
    const CurveExtent extent = extentOf(curves);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < curves.size(); ++i) {
        painter.setPen(QPen(colors[i], kWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        for (const QPolygonF& line : linesOf(curves[i], extent, area)) {
            painter.drawPolyline(line);
        }
    }
    painter.restore();
}

} // namespace lockstep::ui
