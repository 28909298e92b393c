// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>

class QKeyEvent;
class QMouseEvent;

namespace lockstep::ui {

class PlotView;

/// What mouse and keyboard do with the pins of a chart. Each says whether it was about a pin.
class PinGestures
{
public:
    /// The chart must outlive it.
    explicit PinGestures(PlotView& view) : m_view(view) {}

    /// Lights the pin at this point.
    bool mark(QPointF point);
    /// A click opens what can be done with the checkpoint.
    bool press(const QMouseEvent& event);
    /// Ctrl and the arrows go from pin to pin, Return and the menu key do what a click does.
    bool pressKey(const QKeyEvent& event);

private:
    PlotView& m_view;
    bool m_isAtPin = false;
};

} // namespace lockstep::ui
