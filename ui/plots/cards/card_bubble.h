// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/parts/hover_card.h"

#include <QWidget>

namespace lockstep::ui {

/// A hover card that floats above the whole window, for charts that have no room for it.
class CardBubble : public QWidget
{
    Q_OBJECT

public:
    /// Nothing is shown yet. `chart` is what the cards are about.
    explicit CardBubble(QWidget& chart);

    /// Shows a card beside a point of the chart, on which it does not lie.
    void showCard(const HoverCard& card, QPoint point);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_chart;
    HoverCard m_card;
    QPoint m_point; ///< in this widget
};

} // namespace lockstep::ui
