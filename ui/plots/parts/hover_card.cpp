// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/hover_card.h"

#include "plots/parts/plot_header.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kPadding = 9.0;
constexpr double kPaddingAbove = 6.0;
constexpr double kFromCrossHair = 12.0;
constexpr double kSwatch = 9.0;
constexpr double kGap = 8.0;
constexpr double kBetweenFigures = 14.0;
constexpr double kBetweenColumns = 20.0;
constexpr double kLeastName = 16.0;
constexpr double kReadableLetters = 10.0;

double roomRight(const CardPlace& place)
{
    return place.room.right() - place.crossHair - kFromCrossHair;
}

double roomLeft(const CardPlace& place)
{
    return place.crossHair - kFromCrossHair - place.room.left();
}

/// Measures and paints the parts of one card.
class CardPainter
{
public:
    CardPainter(HoverCard card, const QFont& font, const ThemeColors& theme, QSizeF room)
        : m_card(std::move(card)), m_theme(theme), m_font(font), m_bold(boldOf(font)),
          m_metrics(m_bold), m_lineHeight(std::ceil(m_metrics.height() + 1.0))
    {
        measureRows();
        arrange(room.height());
        fitNames(room.width());
    }

    [[nodiscard]] QSizeF size() const
    {
        return {
            std::ceil(std::max(rowsWidth(), m_titleWidth) + 2 * kPadding),
            (m_rowsPerColumn + headLines()) * m_lineHeight + 2 * kPaddingAbove};
    }

    [[nodiscard]] int columns() const { return m_columns; }
    /// Whether enough is left of the names.
    [[nodiscard]] bool isReadable() const
    {
        return m_nameWidth
               >= std::min(m_fullNameWidth, kReadableLetters * m_metrics.averageCharWidth());
    }

    void paint(QPainter& painter, const QRectF& rect) const
    {
        painter.setPen(QPen(m_theme.outline, 1.0));
        painter.setBrush(m_theme.raised);
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        QRectF line(
            rect.left() + kPadding, rect.top() + kPaddingAbove, rect.width() - 2 * kPadding,
            m_lineHeight);
        painter.setPen(m_theme.text);
        painter.setFont(m_bold);
        painter.drawText(
            line, Qt::AlignLeft | Qt::AlignVCenter,
            elidedAtParts(m_card.title, m_metrics, line.width() + 0.5));
        line.translate(0, m_lineHeight);
        for (int column = 0; column < m_columns; ++column) {
            const double left = line.left() + column * (columnWidth() + kBetweenColumns);
            const double width = m_columns == 1 ? line.width() : columnWidth();
            paintColumn(painter, column * m_rowsPerColumn, {left, line.top(), width, m_lineHeight});
        }
    }

private:
    void measureRows()
    {
        const auto widen = [this](double& width, const QString& text) {
            width = std::max(width, m_metrics.horizontalAdvance(text));
        };
        widen(m_titleWidth, m_card.title);
        for (const HoverCard::Row& row : m_card.rows) {
            m_nameWidth = std::max(m_nameWidth, m_metrics.horizontalAdvance(row.name) + 1.0);
            widen(m_valueWidth, row.value);
            widen(m_smoothedWidth, row.smoothed);
            m_hasColors = m_hasColors || row.color.isValid();
        }
        m_fullNameWidth = m_nameWidth;
        if (m_card.hasSmoothed) {
            widen(m_valueWidth, m_valueHead);
            widen(m_smoothedWidth, m_smoothedHead);
        }
    }

    void arrange(double mostHeight)
    {
        const double room = mostHeight - 2 * kPaddingAbove - headLines() * m_lineHeight;
        const int fitting = std::max(1, static_cast<int>(room / m_lineHeight));
        const int rows = std::max(1, static_cast<int>(m_card.rows.size()));
        m_columns = (rows + fitting - 1) / fitting;
        m_rowsPerColumn = (rows + m_columns - 1) / m_columns;
    }

    void fitNames(double mostWidth)
    {
        const double room = mostWidth - 2 * kPadding;
        m_titleWidth = std::min(m_titleWidth, room);
        const double excess = rowsWidth() - room;
        if (excess > 0.0) {
            m_nameWidth = std::max(kLeastName, m_nameWidth - std::ceil(excess / m_columns));
        }
    }

    /// The title, and what the figures are where there are two.
    [[nodiscard]] int headLines() const { return m_card.hasSmoothed ? 2 : 1; }
    [[nodiscard]] double rowsWidth() const
    {
        return m_columns * columnWidth() + (m_columns - 1) * kBetweenColumns;
    }
    [[nodiscard]] double columnWidth() const
    {
        const double smoothed = m_card.hasSmoothed ? m_smoothedWidth + kBetweenFigures : 0.0;
        return beforeName() + m_nameWidth + kBetweenFigures + m_valueWidth + smoothed;
    }

    [[nodiscard]] double beforeName() const { return m_hasColors ? kSwatch + kGap : 0.0; }

    void paintColumn(QPainter& painter, int first, QRectF line) const
    {
        if (m_card.hasSmoothed) {
            painter.setFont(m_font);
            painter.setPen(m_theme.mutedText);
            paintFigures(painter, m_valueHead, m_smoothedHead, line);
            line.translate(0, m_lineHeight);
        }
        const int end = std::min(static_cast<int>(m_card.rows.size()), first + m_rowsPerColumn);
        for (int row = first; row < end; ++row) {
            paintRow(painter, m_card.rows[static_cast<std::size_t>(row)], line);
            line.translate(0, m_lineHeight);
        }
    }

    void paintRow(QPainter& painter, const HoverCard::Row& row, const QRectF& line) const
    {
        if (row.color.isValid()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(row.color);
            painter.drawRoundedRect(
                QRectF(line.left(), line.center().y() - kSwatch / 2, kSwatch, kSwatch), 2, 2);
        }
        painter.setFont(row.isBold ? m_bold : m_font);
        painter.setPen(m_theme.text);
        painter.drawText(
            line.adjusted(beforeName(), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(painter.font()).elidedText(row.name, Qt::ElideMiddle, m_nameWidth));
        paintFigures(painter, row.value, row.smoothed, line);
    }

    void paintFigures(
        QPainter& painter, const QString& value, const QString& smoothed, QRectF line) const
    {
        const QPen pen = painter.pen();
        if (m_card.hasSmoothed) {
            painter.setPen(m_theme.mutedText);
            painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, smoothed);
            line.setRight(line.right() - m_smoothedWidth - kBetweenFigures);
        }
        painter.setPen(pen);
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, value);
    }

    QString m_valueHead = QCoreApplication::translate("lockstep::ui::PlotView", "value");
    QString m_smoothedHead = QCoreApplication::translate("lockstep::ui::PlotView", "smoothed");
    HoverCard m_card;
    ThemeColors m_theme;
    QFont m_font;
    QFont m_bold;
    QFontMetricsF m_metrics; // of the wider, bold face
    double m_lineHeight;
    double m_titleWidth = 0.0;
    double m_nameWidth = 0.0;
    double m_fullNameWidth = 0.0;
    double m_valueWidth = 0.0;
    double m_smoothedWidth = 0.0;
    bool m_hasColors = false;
    int m_columns = 1;
    int m_rowsPerColumn = 1;
};

CardPainter fittingPainter(HoverCard card, const QFont& font, const ThemeColors& theme, QSizeF room)
{
    CardPainter painter(card, font, theme, room);
    if (!painter.isReadable() && card.hasSmoothed) {
        card.hasSmoothed = false;
        painter = CardPainter(card, font, theme, room);
    }
    while (!painter.isReadable() && painter.columns() > 1) {
        card.rows.erase(card.rows.begin());
        painter = CardPainter(card, font, theme, room);
    }
    return painter;
}

} // namespace

QRectF placeCard(QSizeF size, const CardPlace& place)
{
    const bool isRight = roomRight(place) >= size.width() || roomRight(place) >= roomLeft(place);
    const double left = isRight ? place.crossHair + kFromCrossHair
                                : place.crossHair - kFromCrossHair - size.width();
    const double top =
        std::max(place.room.top(), std::min(place.top + 4, place.room.bottom() - size.height()));
    return {QPointF(std::round(left), std::round(top)), size};
}

void paintHoverCard(
    QPainter& painter, const HoverCard& card, const CardPlace& place, const QFont& font,
    const ThemeColors& theme)
{
    const QSizeF room(std::max(roomLeft(place), roomRight(place)), place.room.height());
    const CardPainter cardPainter = fittingPainter(card, font, theme, room);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    cardPainter.paint(painter, placeCard(cardPainter.size(), place));
    painter.restore();
}

} // namespace lockstep::ui
