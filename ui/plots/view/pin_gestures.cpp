// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/pin_gestures.h"

#include "plots/view/plot_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <optional>

namespace lockstep::ui {

bool PinGestures::mark(QPointF point)
{
    PinRow* const pins = m_view.shared().pins;
    if (pins == nullptr) {
        return false;
    }
    const auto group = pins->groupAt(m_view.xScale(), point);
    if (group || m_isAtPin) {
        pins->mark(group ? std::optional(group->first) : std::nullopt);
        m_view.setCursor(group ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    m_isAtPin = group.has_value();
    return m_isAtPin;
}

bool PinGestures::press(const QMouseEvent& event)
{
    PinRow* const pins = m_view.shared().pins;
    const bool isMeant = event.button() == Qt::LeftButton || event.button() == Qt::RightButton;
    if (pins == nullptr || !isMeant) {
        return false;
    }
    const auto group = pins->groupAt(m_view.xScale(), event.position());
    if (group) {
        pins->choose(*group, event.globalPosition().toPoint());
    }
    return group.has_value();
}

bool PinGestures::pressKey(const QKeyEvent& event)
{
    PinRow* const pins = m_view.shared().pins;
    const PlotScale scale = m_view.xScale();
    const bool isLeft = event.key() == Qt::Key_Left;
    if (pins == nullptr || pins->pins().empty()) {
        return false;
    }
    if ((isLeft || event.key() == Qt::Key_Right) && event.modifiers() == Qt::ControlModifier) {
        m_view.range().crossHair().setRow(std::nullopt);
        pins->moveMark(scale, isLeft ? -1 : 1);
        return true;
    }
    const auto group = pins->markedGroup(scale);
    if (!group) {
        return false;
    }
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Menu:
        pins->choose(*group, m_view.mapToGlobal(QPointF(group->x, scale.area.top()).toPoint()));
        return true;
    case Qt::Key_Escape:
        pins->mark(std::nullopt);
        return true;
    case Qt::Key_Left: // the cross-hair moves instead
    case Qt::Key_Right:
        pins->mark(std::nullopt);
        return false;
    default:
        return false;
    }
}

} // namespace lockstep::ui
