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
        QColor color; ///< of its curve; none in a card that tells of no curves
        QString value;
        QString smoothed = {}; ///< empty where the chart smooths nothing
        bool isBold = false;
        bool isBehind = false; ///< of another run
    };
    QString title;
    std::vector<Row> rows;
    bool hasSmoothed = false; ///< some row has a smoothed value
};

/// Where a card may go.
struct CardPlace
{
    QRectF room;            ///< it stays within
    double top = 0.0;       ///< where it would like to begin
    double crossHair = 0.0; ///< x of the cross-hair, on which it never lies
};

/// Where a card of that size goes: right of the cross-hair, or left of it where only there is room.
QRectF placeCard(QSizeF size, const CardPlace& place);

/// Paints the card; with more rows than fit it gets more columns, and names are elided to the room.
/// Where that leaves nothing of the names, the smoothed figures go, then the first rows: the last
/// ones, as the mean, matter most.
void paintHoverCard(
    QPainter& painter, const HoverCard& card, const CardPlace& place, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
