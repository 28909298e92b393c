// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRectF>

#include <optional>

class QContextMenuEvent;
class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace lockstep::ui {

class AxisMarks;
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
    bool pressPin(const QMouseEvent& event);
    bool pressDouble(const QMouseEvent& event);
    bool move(const QMouseEvent& event);
    bool release();
    void leave();
    bool openMenu(const QContextMenuEvent& event);
    bool turnWheel(const QWheelEvent& event);
    void zoomValues(double factor, double at);

    void moveCursorTo(QPointF point);
    bool markAt(QPointF point);
    bool mark(AxisMarks* row, bool& isAtMark, QPointF point);
    [[nodiscard]] std::optional<int> towerAt(QPointF point) const;

    [[nodiscard]] QRectF selection() const;
    [[nodiscard]] bool isFlat() const;
    void zoomToSelection();

    bool pressKey(const QKeyEvent& event);
    bool pressMarkKey(const QKeyEvent& event);
    void setSpaceHeld(bool isHeld);

    PlotView& m_view;
    Drag m_drag = Drag::None;
    QPointF m_from;            // where the drag began
    QPointF m_to;              // where the pointer was last
    bool m_isOfValues = false; // the rectangle chooses values only
    bool m_isSpaceHeld = false;
    bool m_isAtPin = false;
    bool m_isAtMarker = false;
    /// Where the cross-hair is kept as the axis moves; not after a key has moved it.
    std::optional<QPointF> m_pointer;
};

} // namespace lockstep::ui
