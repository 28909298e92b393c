// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/card_chart.h"

#include "plots/view/chart_room.h"
#include "plots/view/plot_painting.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMargin = 10.0;
constexpr double kAboveHeader = 4.0;
constexpr double kAboveArea = 6.0;
constexpr double kBelowLabels = 4.0;

} // namespace

CardChart::CardChart(const QString& title, QWidget* parent)
    : QWidget(parent), m_theme(themeColors(palette()))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing has to be painted behind it
    m_header.title = title;
    setAccessibleName(title);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

CardChart::~CardChart()
{
    delete m_bubble;
}

void CardChart::setEmptyText(const QString& text)
{
    m_emptyText = text;
    dataChanged();
}

void CardChart::dataChanged()
{
    m_isStale = true;
    if (m_bubble && m_bubble->isVisible()) {
        isEmpty() ? m_bubble->hide() : showCard();
    }
    const QString text = summary();
    if (text != accessibleDescription()) {
        setAccessibleDescription(text);
    }
    update();
}

void CardChart::setCrossHair(std::optional<double> position)
{
    m_point = position ? std::optional(ChartPoint{*position}) : std::nullopt;
    if (m_bubble) {
        m_bubble->hide();
    }
    update();
}

HoverCard CardChart::card() const
{
    return m_point && !isEmpty() ? cardAt(*m_point) : HoverCard{};
}

QRectF CardChart::headerLine() const
{
    return {kMargin, kAboveHeader, width() - 2 * kMargin, QFontMetricsF(font()).height() + 2.0};
}

QRectF CardChart::plotArea() const
{
    const QFontMetricsF metrics(axisFont(font()));
    const double left =
        std::ceil(metrics.horizontalAdvance(QStringLiteral("−0.0000")) + kMargin + 2);
    const double top = std::ceil(headerLine().bottom() + kAboveArea);
    const double bottom = std::floor(height() - metrics.height() - 6 - kBelowLabels);
    return {
        left, top, std::max(10.0, std::floor(width() - kMargin - 2 - left)),
        std::max(10.0, bottom - top)};
}

void CardChart::renderFrame()
{
    const double ratio = devicePixelRatioF();
    m_frame = QPixmap((QSizeF(size()) * ratio).toSize());
    m_frame.setDevicePixelRatio(ratio);
    m_frame.fill(m_theme.window);
    QPainter painter(&m_frame);
    paintCard(painter, rect(), m_theme);
    m_header.caption = isEmpty() ? QString() : captionText();
    m_header.keys = isEmpty() ? std::vector<LegendKey>() : legend();
    arrangeKeys(m_header, headerLine(), font());
    m_isCaptionCut = !paintHeader(painter, headerLine(), m_header, font(), m_theme);
    if (isEmpty()) {
        painter.setFont(font());
        painter.setPen(m_theme.mutedText);
        const double top = headerLine().bottom();
        painter.drawText(
            QRectF(kMargin, top, width() - 2 * kMargin, height() - top),
            Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    } else {
        painter.setRenderHint(QPainter::Antialiasing, false);
        const PlotScale shown = scale();
        PlotGrid grid = plotGrid(shown, m_format, axisFont(font()));
        grid.xName = xName().isEmpty() ? grid.xName : xName();
        paintGrid(painter, shown, grid, axisFont(font()), m_theme);
        painter.setRenderHint(QPainter::Antialiasing);
        paintBody(painter, shown);
    }
    m_isStale = false;
}

void CardChart::paintEvent(QPaintEvent* /*event*/)
{
    if (m_isStale || m_frame.size() != (QSizeF(size()) * devicePixelRatioF()).toSize()) {
        renderFrame();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_frame);
    if (m_point && !isEmpty()) {
        paintCrossHair(painter);
    }
    if (hasFocus()) {
        paintFocusRing(painter, rect(), m_theme);
    }
}

void CardChart::paintCrossHair(QPainter& painter) const
{
    const PlotScale shown = scale();
    const double x = std::floor(shown.pixelX(placeNear(m_point->position, 0))) + 0.5;
    painter.setPen(QPen(m_theme.mutedText, 1.0));
    painter.drawLine(QPointF(x, shown.area.top()), QPointF(x, shown.area.bottom()));
    if (m_point->value) {
        const double y = std::floor(shown.pixelY(*m_point->value)) + 0.5;
        painter.drawLine(QPointF(x - 4, y), QPointF(x + 4, y));
    }
}

/// Where the pointer or the keyboard is: one is enough.
void CardChart::showCard()
{
    if (!m_bubble) {
        m_bubble = new CardBubble(*this);
    }
    const PlotScale shown = scale();
    m_bubble->showCard(
        card(), QPointF(shown.pixelX(m_point->position), shown.area.top()).toPoint());
}

void CardChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_theme = themeColors(palette());
        dataChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace lockstep::ui
