// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

namespace lockstep::ui {

class PlotView;

/// A rectangle that is drawn with the mouse on a chart, which then shows what is in it: a flat one
/// chooses steps, one of values only chooses values, any other both.
class ZoomDrag
{
public:
    /// The chart must outlive it.
    explicit ZoomDrag(PlotView& view) : m_view(view) {}

    void begin(QPointF at, bool isOfValues);
    void moveTo(QPointF point);
    /// Zooms, unless it was so short that it is a click.
    void end();
    void cancel();

private:
    [[nodiscard]] QRectF rectangle() const;
    [[nodiscard]] bool isFlat() const;

    PlotView& m_view;
    QPointF m_from;
    QPointF m_to;
    bool m_isOfValues = false;
};

} // namespace lockstep::ui
