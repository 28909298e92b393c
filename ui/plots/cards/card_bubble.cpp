// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/card_bubble.h"

#include <QPainter>

namespace lockstep::ui {
namespace {

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

} // namespace lockstep::ui
