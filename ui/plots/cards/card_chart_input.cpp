// SPDX-License-Identifier: GPL-3.0-or-later
// What pointer and keyboard do on a small chart, and the card that they bring.
#include "plots/cards/card_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

/// Of the height: how far up and down move the cross-hair.
constexpr double kValueStep = 0.05;
/// On either side of the point, and above and below it, as far as the window reaches.
constexpr QSize kMostRoom(360, 150);

} // namespace

CardBubble::CardBubble(QWidget& chart) : QWidget(chart.window()), m_chart(chart)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void CardBubble::showCard(const HoverCard& card, QPoint point)
{
    if (parentWidget() != m_chart.window()) { // its dock floats now, or no more
        setParent(m_chart.window());
    }
    m_card = card;
    const QPoint place = m_chart.mapTo(parentWidget(), point);
    const QRect wanted(
        place.x() - kMostRoom.width(), place.y() - kMostRoom.height(), 2 * kMostRoom.width(),
        2 * kMostRoom.height());
    setGeometry(wanted.intersected(parentWidget()->rect()));
    m_point = place - pos();
    raise();
    show();
    update();
}

void CardBubble::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const CardPlace place{
        QRectF(rect()), static_cast<double>(m_point.y()), static_cast<double>(m_point.x())};
    paintHoverCard(painter, m_card, place, m_chart.font(), themeColors(m_chart.palette()));
}

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

double CardChart::placeNear(double position, int steps) const
{
    const std::vector<double> all = places();
    if (all.empty()) {
        return position;
    }
    const auto closest = std::ranges::min_element(
        all, {}, [position](double place) { return std::abs(place - position); });
    const std::ptrdiff_t wanted = closest - all.begin() + steps;
    return all[static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(wanted, 0, std::ssize(all) - 1))];
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

void CardChart::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    if (key == Qt::Key_Escape && m_point) {
        return takeAway();
    }
    if (isEmpty()) {
        return QWidget::keyPressEvent(event);
    }
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
    case Qt::Key_Home:
    case Qt::Key_End:
        point.position = placeNear(key == Qt::Key_Home ? shown.first : shown.last, 0);
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    moveTo(point);
}

bool CardChart::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::WindowDeactivate: // a dialog or another window covers it
    case QEvent::Wheel:            // it may be scrolled away from under its card
    case QEvent::Leave:
    case QEvent::FocusOut:
    case QEvent::Hide:
        takeAway();
        return QWidget::event(event);
    case QEvent::ToolTip:
        break;
    default:
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
