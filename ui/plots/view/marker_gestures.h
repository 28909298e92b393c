// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

class QKeyEvent;

namespace lockstep::ui {

class PlotView;

/// What mouse and keyboard do with the markers of a chart. Each says whether it was about one.
class MarkerGestures
{
public:
    /// The chart must outlive it.
    explicit MarkerGestures(PlotView& view) : m_view(view) {}

    /// Lights the marker at this point.
    bool mark(QPointF point);
    /// Ctrl, Shift and the arrows go from marker to marker.
    bool pressKey(const QKeyEvent& event);

private:
    PlotView& m_view;
    bool m_isAtMarker = false;
};

} // namespace lockstep::ui
