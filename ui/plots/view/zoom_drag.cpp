// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/zoom_drag.h"

#include "plots/view/plot_view.h"

#include <cmath>

namespace lockstep::ui {
namespace {

/// A drag lower than this zooms the x axis only; shorter than the other, it is a click.
constexpr double kFlatDrag = 28.0;
constexpr double kLeastDrag = 5.0;

} // namespace

void ZoomDrag::begin(QPointF at, bool isOfValues)
{
    m_from = at;
    m_to = at;
    m_isOfValues = isOfValues;
}

void ZoomDrag::moveTo(QPointF point)
{
    m_to = point;
    m_view.setSelection(rectangle());
}

void ZoomDrag::end()
{
    const QRectF chosen = rectangle();
    m_view.setSelection({});
    if ((m_isOfValues ? chosen.height() : chosen.width()) < kLeastDrag) {
        return;
    }
    const PlotScale scale = m_view.scale();
    const std::pair values(scale.valueAtPixel(chosen.bottom()), scale.valueAtPixel(chosen.top()));
    const double first = scale.positionAtPixel(chosen.left());
    const double last = scale.positionAtPixel(chosen.right());
    if (m_isOfValues) {
        m_view.range().zoomValues(m_view, values);
    } else if (isFlat()) {
        m_view.range().zoomTo(first, last);
    } else {
        m_view.range().zoomTo(first, last, &m_view, values);
    }
}

void ZoomDrag::cancel()
{
    m_view.setSelection({});
}

bool ZoomDrag::isFlat() const
{
    return std::abs(m_to.y() - m_from.y()) < kFlatDrag;
}

QRectF ZoomDrag::rectangle() const
{
    const QRectF area = m_view.xScale().area;
    QRectF chosen = QRectF(m_from, m_to).normalized();
    if (m_isOfValues) {
        chosen.setLeft(area.left());
        chosen.setRight(area.right());
    } else if (isFlat()) {
        chosen.setTop(area.top());
        chosen.setBottom(area.bottom());
    }
    return chosen & area;
}

} // namespace lockstep::ui
