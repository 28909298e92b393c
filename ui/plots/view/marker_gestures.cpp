// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/marker_gestures.h"

#include "plots/view/plot_view.h"

#include <QKeyEvent>

namespace lockstep::ui {

bool MarkerGestures::mark(QPointF point)
{
    MarkerRow* const markers = m_view.shared().markers;
    if (markers == nullptr) {
        return false;
    }
    const auto group = markers->groupAt(m_view.xScale(), point);
    if (group || m_isAtMarker) {
        markers->mark(group ? std::optional(group->members.front()) : std::nullopt);
    }
    m_isAtMarker = group.has_value();
    return m_isAtMarker;
}

bool MarkerGestures::pressKey(const QKeyEvent& event)
{
    MarkerRow* const markers = m_view.shared().markers;
    if (markers == nullptr || markers->markers().empty()) {
        return false;
    }
    const bool isLeft = event.key() == Qt::Key_Left;
    if ((isLeft || event.key() == Qt::Key_Right)
        && event.modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        m_view.range().crossHair().setRow(std::nullopt);
        if (PinRow* const pins = m_view.shared().pins) {
            pins->mark(std::nullopt);
        }
        markers->moveMark(m_view.xScale(), isLeft ? -1 : 1);
        return true;
    }
    const bool isLeaving = isLeft || event.key() == Qt::Key_Right || event.key() == Qt::Key_Escape;
    if (isLeaving && markers->marked()) {
        markers->mark(std::nullopt);
        return event.key() == Qt::Key_Escape;
    }
    return false;
}

} // namespace lockstep::ui
