// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

#include <optional>

class QContextMenuEvent;

namespace lockstep::ui {

class PlotView;

/// What the mouse does with the towers of a chart, by their curves and keys.
class TowerGestures
{
public:
    /// The chart must outlive it.
    explicit TowerGestures(PlotView& view) : m_view(view) {}

    /// Lets the tower whose key or curve is there stand out.
    void point(QPointF point);
    void leave();
    /// The colour of a key's tower or run; returns whether the chart's own menu is not wanted.
    bool openMenu(const QContextMenuEvent& event);

private:
    [[nodiscard]] std::optional<int> towerAt(QPointF point) const;

    PlotView& m_view;
};

} // namespace lockstep::ui
