// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

namespace lockstep::ui {

/// Fusion, whose check boxes have a frame that is darker than the window: in a dark palette there
/// is next to nothing to be seen of it. Here it stands out.
class WindowStyle : public QProxyStyle
{
    Q_OBJECT

public:
    WindowStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

    void drawPrimitive(
        PrimitiveElement element, const QStyleOption* option, QPainter* painter,
        const QWidget* widget) const override;
};

} // namespace lockstep::ui
