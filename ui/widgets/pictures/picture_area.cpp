// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures/picture_area.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kRoom = 8; // above and below the current cell

/// The nearest cell of the next row below (direction 1) or above (-1); the same where there is
/// none.
int cellInNextRow(const std::vector<QRect>& cells, int index, int direction)
{
    const QRect& from = cells[static_cast<std::size_t>(index)];
    int best = index;
    std::pair<int, int> bestDistance; // the nearest row comes first, then the nearest column
    for (int i = 0; i < static_cast<int>(cells.size()); ++i) {
        const QRect& cell = cells[static_cast<std::size_t>(i)];
        const std::pair distance{
            (cell.top() - from.top()) * direction, std::abs(cell.left() - from.left())};
        if (distance.first > 0 && (best == index || distance < bestDistance)) {
            best = i;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace

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

void PictureArea::setCurrent(int cell)
{
    m_current = cell;
    describe();
}

/// Scrolls as far as it takes.
void PictureArea::goTo(int cell)
{
    setCurrent(cell);
    const QRect wanted = cells()[static_cast<std::size_t>(cell)].adjusted(0, -kRoom, 0, kRoom);
    if (wanted.top() < scrolled()) {
        verticalScrollBar()->setValue(wanted.top());
    } else if (wanted.bottom() > scrolled() + viewport()->height()) {
        verticalScrollBar()->setValue(wanted.bottom() - viewport()->height());
    }
    viewport()->update();
    emit currentChanged(cell);
}

void PictureArea::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(cells().size()) - 1;
    const int from = std::max(0, m_current);
    const bool isArrow = event->key() >= Qt::Key_Left && event->key() <= Qt::Key_Down;
    if (last < 0 || !(isArrow || event->key() == Qt::Key_Home || event->key() == Qt::Key_End)) {
        return QAbstractScrollArea::keyPressEvent(event);
    }
    const int key = isArrow && m_current < 0 ? Qt::Key_Home : event->key();
    const int to = key == Qt::Key_Home   ? 0
                   : key == Qt::Key_End  ? last
                   : key == Qt::Key_Left ? std::max(0, from - 1)
                   : key == Qt::Key_Right
                       ? std::min(last, from + 1)
                       : cellInNextRow(cells(), from, key == Qt::Key_Up ? -1 : 1);
    if (to != m_current) {
        goTo(to);
    }
}

void PictureArea::mousePressEvent(QMouseEvent* event)
{
    if (const int cell = cellAt(cells(), event->pos()); cell >= 0) {
        goTo(cell);
    }
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
