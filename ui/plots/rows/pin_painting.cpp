// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rows/pin_row.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace lockstep::ui {
namespace {

constexpr double kHeight = 5.0; // of the markers' middles above the plot area
constexpr double kRadius = 3.4;
constexpr double kStarRadius = 5.6;
constexpr double kStem = 3.0; // into the plot area
constexpr double kPillHeight = 11.0;
constexpr double kPillPadding = 4.0;
constexpr double kPillFontShare = 0.78;
constexpr double kOutline = 1.4;

/// How a marker is drawn: what the pins behind it have in common.
struct Look
{
    bool isKept = false;
    bool isBest = false;
    bool isMarked = false;
    std::size_t count = 1;
};

Look lookOf(const PinRow& row, const PinGroup& group)
{
    Look look;
    look.count = group.end - group.first;
    for (std::size_t i = group.first; i < group.end; ++i) {
        look.isKept = look.isKept || row.pins()[i].isKept;
        look.isBest = look.isBest || row.pins()[i].isBest;
        look.isMarked = look.isMarked || row.marked() == i;
    }
    return look;
}

QPolygonF star(QPointF centre)
{
    constexpr int kCorners = 10;
    constexpr double kInnerShare = 0.45;
    QPolygonF shape;
    for (int i = 0; i < kCorners; ++i) {
        const double radius = kStarRadius * (i % 2 == 0 ? 1.0 : kInnerShare);
        const double angle = std::numbers::pi * (i / 5.0 - 0.5);
        shape << centre + QPointF(radius * std::cos(angle), radius * std::sin(angle));
    }
    return shape;
}

void paintCount(QPainter& painter, QPointF centre, const Look& look, const ThemeColors& theme)
{
    const QString text = QLocale().toString(static_cast<qulonglong>(look.count));
    const double width =
        std::max(kPillHeight, painter.fontMetrics().horizontalAdvance(text) + 2 * kPillPadding);
    QRectF pill(0, 0, width, kPillHeight);
    pill.moveCenter(centre);
    painter.drawRoundedRect(pill, kPillHeight / 2, kPillHeight / 2);
    painter.setPen(look.isKept ? theme.card : theme.text);
    painter.drawText(pill, Qt::AlignCenter, text);
}

void paintMarker(QPainter& painter, QPointF centre, const Look& look, const ThemeColors& theme)
{
    const bool isProminent = look.isKept || look.isBest || look.isMarked;
    const QColor color = isProminent ? theme.accent : theme.mutedText;
    painter.setPen(QPen(color, kOutline));
    painter.drawLine(centre + QPointF(0, kHeight), centre + QPointF(0, kHeight + kStem));
    painter.setPen(QPen(color, kOutline, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(look.isKept ? color : theme.card);
    if (look.count > 1) {
        paintCount(painter, centre, look, theme);
    } else if (look.isBest) {
        painter.drawPolygon(star(centre));
    } else {
        painter.drawEllipse(centre, kRadius, kRadius);
    }
}

} // namespace

void paintPins(
    QPainter& painter, const PlotScale& scale, const PinRow& row, const QFont& font,
    const ThemeColors& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QFont small(font);
    small.setPointSizeF(small.pointSizeF() * kPillFontShare);
    small.setWeight(QFont::DemiBold);
    painter.setFont(small);
    for (const PinGroup& group : row.groups(scale)) {
        const Look look = lookOf(row, group);
        const double x = std::floor(group.x) + 0.5;
        if (look.isMarked) {
            painter.setPen(QPen(theme.accent, 1.0, Qt::DotLine));
            painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
        }
        paintMarker(painter, {x, scale.area.top() - kHeight}, look, theme);
    }
    painter.restore();
}

} // namespace lockstep::ui
