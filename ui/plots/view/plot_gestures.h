// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/marker_gestures.h"
#include "plots/view/pin_gestures.h"
#include "plots/view/tower_gestures.h"
#include "plots/view/zoom_drag.h"

#include <QObject>
#include <QPointF>

#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace lockstep::ui {

class PlotView;

/// What mouse, wheel and keyboard do on a chart. A child of the chart, which it watches.
class PlotGestures : public QObject
{
    Q_OBJECT

public:
    explicit PlotGestures(PlotView& view);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Select, Pan };

    bool press(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release();
    void moveCursorTo(QPointF point);
    void leave();
    bool pressDouble(const QMouseEvent& event);
    bool turnWheel(const QWheelEvent& event);
    void zoomValues(double factor, double at);
    bool pressKey(const QKeyEvent& event);
    bool moveByKey(int key, bool isFar);
    void setSpaceHeld(bool isHeld);
    bool pressLetter(const QKeyEvent& event);

    PlotView& m_view;
    PinGestures m_pins;
    MarkerGestures m_markers;
    TowerGestures m_towers;
    ZoomDrag m_zoom;
    Drag m_drag = Drag::None;
    bool m_isSpaceHeld = false;
    QPointF m_panned; // where the pointer was last
    /// Where the cross-hair is kept as the axis moves; not after a key has moved it.
    std::optional<QPointF> m_pointer;
};

} // namespace lockstep::ui
