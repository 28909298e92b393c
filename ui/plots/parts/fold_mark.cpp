// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/fold_mark.h"

#include <QPainter>

namespace lockstep::ui {

void paintFoldMark(QPainter& painter, const QRectF& place, bool isFolded, const ThemeColors& theme)
{
    constexpr double kHalf = 3.5;
    const QPointF middle = place.center();
    const QPointF down[] = {{-kHalf, -kHalf / 2}, {kHalf, -kHalf / 2}, {0.0, kHalf / 2 + 1.0}};
    const QPointF right[] = {{-kHalf / 2, -kHalf}, {-kHalf / 2, kHalf}, {kHalf / 2 + 1.0, 0.0}};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(middle);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.mutedText);
    painter.drawConvexPolygon(isFolded ? right : down, 3);
    painter.restore();
}

} // namespace lockstep::ui
