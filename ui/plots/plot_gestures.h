// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/pin_gestures.h"

#include <QObject>
#include <QPointF>

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
    bool turnWheel(const QWheelEvent& event);
    bool pressKey(const QKeyEvent& event);
    bool moveByKey(int key, bool isFar);
    void setSpaceHeld(bool isHeld);
    void fit();
    void zoomToSelection();
    [[nodiscard]] QRectF selection() const;
    [[nodiscard]] bool isSelectionFlat() const;

    PlotView& m_view;
    PinGestures m_pins;
    Drag m_drag = Drag::None;
    bool m_isSpaceHeld = false;
    QPointF m_from;
    QPointF m_to;
};

} // namespace lockstep::ui
