// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/palette.h"
#include "widgets/pictures/confusion_view.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kStrongest = 0.9; ///< share of the colour over the card
constexpr double kWeakest = 0.1;   ///< of a cell that is not zero
constexpr double kReadable = 4.5;  ///< contrast of the numbers

} // namespace

QColor ConfusionView::cellColor(const MatrixPlace& place) const
{
    const QColor card = themeColors(palette()).card;
    if (count(place) == 0) {
        return card;
    }
    const bool isRight = place.label == place.predicted;
    const double strength = isRight ? share(place) : share(place) / m_mostConfused;
    return mixed(
        isRight ? labelColor() : predictionColor(), card,
        kWeakest + (kStrongest - kWeakest) * strength);
}

void ConfusionView::paintEvent(QPaintEvent* /*event*/)
{
    if (classes() == 0) {
        return;
    }
    QPainter painter(this);
    const QRectF all = area();
    paintCells(painter, all);
    paintNames(painter, all);
    paintFrames(painter, all);
}

void ConfusionView::paintCells(QPainter& painter, const QRectF& all) const
{
    const ThemeColors colors = themeColors(palette());
    const QRectF first = cellIn(all, {0, 0});
    const QString widest = m_isShares ? QStringLiteral("100.0")
                                      : QLocale().toString(*std::ranges::max_element(m_counts));
    const bool hasNumbers = first.height() >= fontMetrics().height() - 2
                            && first.width() >= fontMetrics().horizontalAdvance(widest) + 2;
    for (int row = 0; row < classes(); ++row) {
        for (int column = 0; column < classes(); ++column) {
            const MatrixPlace place{row, column};
            const QRectF cell = cellIn(all, place);
            const QColor ground = cellColor(place);
            painter.fillRect(cell, ground);
            if (hasNumbers) {
                painter.setPen(withContrast(colors.text, ground, kReadable));
                painter.drawText(cell, Qt::AlignCenter, cellText(place));
            }
        }
    }
    painter.setPen(colors.grid);
    painter.drawRect(
        QRectF(first.topLeft(), cellIn(all, {classes() - 1, classes() - 1}).bottomRight()));
}

/// Those for which there is room.
void ConfusionView::paintNames(QPainter& painter, const QRectF& all) const
{
    const double line = fontMetrics().height();
    const double cell = all.height() / classes();
    const int every = std::max(1, static_cast<int>(std::ceil((line - 2) / cell)));
    painter.setPen(themeColors(palette()).mutedText);
    for (int i = 0; i < classes(); i += every) {
        const QRectF row = cellIn(all, {i, 0});
        const QRectF place(0, row.center().y() - line / 2, all.left() - kNameGap, line);
        painter.drawText(
            place, Qt::AlignRight | Qt::AlignVCenter,
            fontMetrics().elidedText(m_names[i], Qt::ElideRight, static_cast<int>(place.width())));
    }
    const double column = all.width() / classes();
    const int step =
        isColumnUpright() ? std::max(1, static_cast<int>(std::ceil((line - 2) / column))) : 1;
    for (int i = 0; i < classes(); i += step) {
        paintColumnName(painter, i, cellIn(all, {0, i}), all.top() - kNameGap);
    }
}

void ConfusionView::paintColumnName(
    QPainter& painter, int number, const QRectF& cell, double room) const
{
    const double line = fontMetrics().height();
    if (!isColumnUpright()) {
        painter.drawText(
            QRectF(cell.left(), 0, cell.width(), line), Qt::AlignCenter, m_names[number]);
        return;
    }
    painter.save();
    painter.translate(cell.center().x() - line / 2, room);
    painter.rotate(-90);
    painter.drawText(
        QRectF(0, 0, room, line), Qt::AlignLeft | Qt::AlignVCenter,
        fontMetrics().elidedText(m_names[number], Qt::ElideRight, static_cast<int>(room)));
    painter.restore();
}

void ConfusionView::paintFrames(QPainter& painter, const QRectF& all) const
{
    constexpr double kFrame = 2.0;
    const auto frame = [&](const MatrixPlace& place, Qt::PenStyle style) {
        painter.setPen(QPen(themeColors(palette()).text, kFrame, style));
        painter.drawRect(cellIn(all, place).adjusted(1, 1, -1, -1));
    };
    if (m_chosen) {
        frame(*m_chosen, Qt::SolidLine);
    }
    if (hasFocus() && m_cursor != m_chosen) {
        frame(m_cursor, Qt::DotLine);
    }
}

} // namespace lockstep::ui
