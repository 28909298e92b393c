// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/card_chart.h"

#include "plots/view/chart_room.h"
#include "plots/view/plot_painting.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMargin = 10.0;
constexpr double kAboveHeader = 4.0;
constexpr double kAboveArea = 6.0;
constexpr double kBelowLabels = 4.0;

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

CardChart::CardChart(
    const QString& title, const QString& meaning, const ValueFormat& format, QWidget* parent)
    : QWidget(parent), m_meaning(meaning), m_format(format), m_theme(themeColors(*this))
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

void CardChart::setCaption(const QString& caption)
{
    m_caption = caption;
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
    m_header.caption = isEmpty() ? QString() : m_caption;
    m_header.keys = isEmpty() ? std::vector<LegendKey>() : legend();
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
        const QString caption = m_isCaptionCut ? m_header.caption : QString();
        QToolTip::showText(
            help.globalPos(), titleTip(caption, m_meaning.split(QLatin1Char('\n'))), this,
            headerLine().toRect());
    } else {
        QToolTip::hideText();
    }
    return true;
}

void CardChart::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_theme = themeColors(*this);
        dataChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace lockstep::ui
