// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

namespace lockstep::ui {

/// Fusion, whose check boxes have a frame that is darker than the window: in a dark palette there
/// is next to nothing to be seen of it. Here it stands out.
class WindowStyle : public QProxyStyle
{
public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    void drawPrimitive(
        PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element == PE_IndicatorCheckBox) {
            painter->save();
            painter->setPen(themeColors(option->palette).frame);
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
            painter->restore();
        }
    }
};

} // namespace lockstep::ui
