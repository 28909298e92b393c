// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

/// The values of all curves at the cross-hair.
struct HoverCard
{
    struct Row
    {
        QString name;
        QColor color;
        QString value;
        QString smoothed; ///< empty where the chart smooths nothing
        bool isBold = false;
    };
    QString title;
    std::vector<Row> rows;
};

/// Where the card of that size goes: right of the cross-hair, or left of it where there is no room, within
/// the area. It never lies over the cross-hair: if neither side is wide enough it takes the wider one.
QRectF placeCard(QSizeF size, const QRectF& area, double crossHairX);

/// Paints the card beside the cross-hair; with more rows than fit it gets more columns.
void paintHoverCard(
    QPainter& painter, const HoverCard& card, const QRectF& area, double crossHairX, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
