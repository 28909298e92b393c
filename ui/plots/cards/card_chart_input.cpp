// SPDX-License-Identifier: GPL-3.0-or-later
// What pointer and keyboard do on a small chart.
#include "plots/cards/card_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Of the height: how far up and down move the cross-hair.
constexpr double kValueStep = 0.05;

} // namespace

void CardChart::moveTo(const ChartPoint& point)
{
    m_point = point;
    update();
    showCard();
    emit crossHairMoved(point.position);
}

void CardChart::takeAway()
{
    if (m_point) {
        setCrossHair(std::nullopt);
        emit crossHairMoved(std::nullopt);
    }
}

void CardChart::mouseMoveEvent(QMouseEvent* event)
{
    if (isEmpty()) {
        return;
    }
    const PlotScale shown = scale();
    const double y = std::clamp(event->position().y(), shown.area.top(), shown.area.bottom());
    moveTo({placeNear(shown.positionAtPixel(event->position().x()), 0), shown.valueAtPixel(y)});
}

void CardChart::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    takeAway();
}

void CardChart::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    takeAway();
}

/// The chart may be scrolled away from under its card.
void CardChart::wheelEvent(QWheelEvent* event)
{
    takeAway();
    QWidget::wheelEvent(event);
}

void CardChart::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    takeAway();
}

void CardChart::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const bool isMove = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up
                        || key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End;
    if (isMove && !isEmpty()) {
        moveByKey(key);
    } else if (key == Qt::Key_Escape && m_point) {
        takeAway();
    } else {
        QWidget::keyPressEvent(event);
    }
}

void CardChart::moveByKey(int key)
{
    const PlotScale shown = scale();
    ChartPoint point = m_point.value_or(ChartPoint{placeNear(shown.last, 0)});
    const double value = point.value.value_or((shown.bottom + shown.top) / 2);
    const double step = kValueStep * (shown.top - shown.bottom);
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        point.position = placeNear(point.position, !m_point ? 0 : key == Qt::Key_Left ? -1 : 1);
        break;
    case Qt::Key_Up:
        point.value = std::min(shown.top, value + step);
        break;
    case Qt::Key_Down:
        point.value = std::max(shown.bottom, value - step);
        break;
    default:
        point.position = placeNear(key == Qt::Key_Home ? shown.first : shown.last, 0);
    }
    moveTo(point);
}

bool CardChart::event(QEvent* event)
{
    if (event->type() == QEvent::WindowDeactivate) {
        takeAway(); // a dialog or another window covers it
    }
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto& help = static_cast<const QHelpEvent&>(*event);
    if (headerLine().contains(help.pos())) {
        const QString text = m_isCaptionCut
                                 ? m_header.caption + QStringLiteral("\n\n") + explanation()
                                 : explanation();
        QToolTip::showText(help.globalPos(), text, this, headerLine().toRect());
    } else {
        QToolTip::hideText();
    }
    return true;
}

} // namespace lockstep::ui
