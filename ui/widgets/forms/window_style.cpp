// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/window_style.h"

#include "theme/palette.h"

#include <QPainter>
#include <QStyleOption>

namespace lockstep::ui {

void WindowStyle::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element != PE_IndicatorCheckBox) {
        return;
    }
    painter->save();
    painter->setPen(themeColors(option->palette).frame);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    painter->restore();
}

} // namespace lockstep::ui
