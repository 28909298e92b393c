// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/picture_area.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace lockstep::ui {

PictureArea::PictureArea(const QString& accessibleName, QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setAccessibleName(accessibleName);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Else what grows with the room, and the bar could chase each other.
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    viewport()->setBackgroundRole(QPalette::Base);
}

void PictureArea::setContentHeight(int height)
{
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(fontMetrics().height() * 2);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    viewport()->update();
}

void PictureArea::bringIntoSight(const QRect& cell, int room)
{
    const QRect wanted = cell.adjusted(0, -room, 0, room);
    if (wanted.top() < scrolled()) {
        verticalScrollBar()->setValue(wanted.top());
    } else if (wanted.bottom() > scrolled() + viewport()->height()) {
        verticalScrollBar()->setValue(wanted.bottom() - viewport()->height());
    }
    viewport()->update();
}

int PictureArea::cellAt(const std::vector<QRect>& cells, QPoint position) const
{
    const QPoint place = position + QPoint(0, scrolled());
    const auto found =
        std::ranges::find_if(cells, [&](const QRect& cell) { return cell.contains(place); });
    return found == cells.end() ? -1 : static_cast<int>(found - cells.begin());
}

void PictureArea::paintSmooth(QPainter& painter, const QRectF& place, const QImage& image)
{
    const QSize pixels = (place.size() * painter.device()->devicePixelRatioF()).toSize();
    const bool isShrunk = pixels.width() < image.width();
    painter.drawImage(
        place,
        isShrunk ? image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image);
}

void PictureArea::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        relayout();
    }
    QAbstractScrollArea::changeEvent(event);
}

void PictureArea::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    relayout();
}

} // namespace lockstep::ui
