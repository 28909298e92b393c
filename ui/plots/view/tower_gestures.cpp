// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/tower_gestures.h"

#include "plots/curves/cursor_row.h"
#include "plots/parts/color_menu.h"
#include "plots/view/plot_view.h"

#include <QContextMenuEvent>

namespace lockstep::ui {

void TowerGestures::point(QPointF point)
{
    if (TowerHighlight* const highlight = m_view.shared().highlight) {
        highlight->point(towerAt(point));
    }
}

void TowerGestures::leave()
{
    if (TowerHighlight* const highlight = m_view.shared().highlight) {
        highlight->point(std::nullopt);
    }
}

std::optional<int> TowerGestures::towerAt(QPointF point) const
{
    if (const auto owner = m_view.legend().ownerAt(point)) {
        return owner->kind == ColorOwner::Kind::Tower ? std::optional(owner->number) : std::nullopt;
    }
    const std::optional<Moment> moment = m_view.range().crossHair().moment();
    if (!moment || !m_view.xScale().area.contains(point)) {
        return std::nullopt;
    }
    return towerNear(m_view.legend().shown(m_view.curves()), m_view.scale(), *moment, point.y());
}

/// Where a pin is, the press has opened the menu of its checkpoints already.
bool TowerGestures::openMenu(const QContextMenuEvent& event)
{
    if (event.reason() != QContextMenuEvent::Mouse) {
        return false;
    }
    const PinRow* const pins = m_view.shared().pins;
    const std::optional<ColorOwner> owner = m_view.legend().ownerAt(event.pos());
    if (owner) {
        openColorMenu(*owner, event.globalPos(), m_view);
    }
    return owner || (pins != nullptr && pins->groupAt(m_view.xScale(), event.pos()));
}

} // namespace lockstep::ui
