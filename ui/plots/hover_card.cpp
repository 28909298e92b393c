// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/hover_card.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kPadding = 9.0;
constexpr double kFromCrossHair = 12.0;
constexpr double kSwatch = 9.0;
constexpr double kGap = 8.0;
constexpr double kBetweenFigures = 14.0;
constexpr double kBetweenColumns = 20.0;

/// Measures and paints the parts of one card.
class CardPainter
{
public:
    CardPainter(const HoverCard& card, const QFont& font, const ThemeColors& theme, double mostHeight)
        : m_card(card), m_theme(theme), m_font(font), m_bold(font), m_metrics(font), m_boldMetrics([&font] {
              QFont bold(font);
              bold.setWeight(QFont::DemiBold);
              return bold;
          }())
    {
        m_bold.setWeight(QFont::DemiBold);
        m_lineHeight = std::ceil(m_metrics.height() + 2.0);
        for (const HoverCard::Row& row : card.rows) {
            m_nameWidth = std::max(m_nameWidth, m_boldMetrics.horizontalAdvance(row.name));
            m_valueWidth = std::max(m_valueWidth, m_boldMetrics.horizontalAdvance(row.value));
            m_smoothedWidth = std::max(m_smoothedWidth, m_boldMetrics.horizontalAdvance(row.smoothed));
        }
        const double room = mostHeight - 2 * kPadding - m_lineHeight;
        const int fitting = std::max(1, static_cast<int>(room / m_lineHeight));
        const int rows = static_cast<int>(card.rows.size());
        m_columns = std::max(1, (rows + fitting - 1) / fitting);
        m_rowsPerColumn = (rows + m_columns - 1) / m_columns;
    }

    [[nodiscard]] QSizeF size() const
    {
        const double rows = m_columns * columnWidth() + (m_columns - 1) * kBetweenColumns;
        return {
            std::ceil(std::max(rows, m_boldMetrics.horizontalAdvance(m_card.title)) + 2 * kPadding),
            (m_rowsPerColumn + 1) * m_lineHeight + 2 * kPadding};
    }

    void paint(QPainter& painter, const QRectF& rect) const
    {
        painter.setPen(QPen(m_theme.outline, 1.0));
        painter.setBrush(m_theme.raised);
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        const QRectF inner = rect.adjusted(kPadding, kPadding, -kPadding, -kPadding);
        painter.setPen(m_theme.text);
        painter.setFont(m_bold);
        painter.drawText(
            QRectF(inner.left(), inner.top() - 2, inner.width(), m_lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
            m_card.title);
        for (int i = 0; i < static_cast<int>(m_card.rows.size()); ++i) {
            const double left = inner.left() + i / m_rowsPerColumn * (columnWidth() + kBetweenColumns);
            const double top = inner.top() + (1 + i % m_rowsPerColumn) * m_lineHeight;
            const double width = m_columns == 1 ? inner.width() : columnWidth();
            paintRow(painter, m_card.rows[static_cast<std::size_t>(i)], {left, top, width, m_lineHeight});
        }
    }

private:
    [[nodiscard]] double columnWidth() const
    {
        const double smoothed = m_smoothedWidth > 0.0 ? m_smoothedWidth + kBetweenFigures : 0.0;
        return kSwatch + kGap + m_nameWidth + kBetweenFigures + m_valueWidth + smoothed;
    }

    void paintRow(QPainter& painter, const HoverCard::Row& row, QRectF rect) const
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(row.color);
        painter.drawRoundedRect(QRectF(rect.left(), rect.center().y() - kSwatch / 2, kSwatch, kSwatch), 2, 2);
        rect.setLeft(rect.left() + kSwatch + kGap);
        painter.setPen(m_theme.text);
        painter.setFont(row.isBold ? m_bold : m_font);
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, row.value);
        rect.setRight(rect.right() - m_valueWidth - kBetweenFigures);
        painter.setPen(m_theme.mutedText);
        painter.drawText(rect, Qt::AlignRight | Qt::AlignVCenter, row.smoothed);
    }

    const HoverCard& m_card;
    const ThemeColors& m_theme;
    QFont m_font;
    QFont m_bold;
    QFontMetricsF m_metrics;
    QFontMetricsF m_boldMetrics;
    double m_lineHeight = 0.0;
    double m_nameWidth = 0.0;
    double m_valueWidth = 0.0;
    double m_smoothedWidth = 0.0;
    int m_columns = 1;
    int m_rowsPerColumn = 1;
};

} // namespace

QRectF placeCard(QSizeF size, const QRectF& area, double crossHairX)
{
    const double roomRight = area.right() - crossHairX - kFromCrossHair;
    const double roomLeft = crossHairX - kFromCrossHair - area.left();
    const bool isRight = roomRight >= size.width() || (roomLeft < size.width() && roomRight >= roomLeft);
    const double left = isRight ? crossHairX + kFromCrossHair : crossHairX - kFromCrossHair - size.width();
    return {QPointF(std::round(left), std::round(area.top() + 4)), size};
}

void paintHoverCard(
    QPainter& painter, const HoverCard& card, const QRectF& area, double crossHairX, const QFont& font,
    const ThemeColors& theme)
{
    const CardPainter cardPainter(card, font, theme, area.height() - 8);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    cardPainter.paint(painter, placeCard(cardPainter.size(), area, crossHairX));
    painter.restore();
}

} // namespace lockstep::ui
