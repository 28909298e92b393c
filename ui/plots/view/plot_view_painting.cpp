// SPDX-License-Identifier: GPL-3.0-or-later
// How a chart is painted.
#include "plots/view/plot_painting.h"
#include "plots/view/plot_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kTextMargin = 12.0;
constexpr double kBetweenNotes = 24.0;
constexpr double kShareOfNames = 0.72; ///< of other runs, in a line

} // namespace

void PlotView::renderFrame()
{
    const double ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_frame.size() != pixels) {
        m_frame = QPixmap(pixels);
    }
    m_frame.setDevicePixelRatio(ratio);
    m_frame.fill(m_theme.window);
    QPainter painter(&m_frame);
    paintFrame(painter, ratio);
    m_isStale = false;
    describe();
}

void PlotView::paintFrame(QPainter& painter, double pixelRatio)
{
    paintCard(painter, rect(), m_theme);
    const PlotLayout places = m_room->layout();
    const bool isFolded = m_room->isFolded();
    m_status =
        hasRun() && !isFolded ? chartStatus(m_curves, scale(), isValuesZoomed()) : ChartStatus();
    paintHeadline(painter, places);
    if (m_room->isFoldable()) {
        paintFoldMark(painter, m_room->foldMark(), isFolded, m_theme);
    }
    if (isFolded) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (isEmpty()) {
        paintEmptyState(painter, places.area, m_empty, font(), m_theme);
    } else {
        paintBody(painter, scale(), pixelRatio);
    }
}

/// Title, values and keys; the names of other runs in a line of their own where there is one.
void PlotView::paintHeadline(QPainter& painter, const PlotLayout& places)
{
    m_header.caption = hasRun() ? captionText() : QString();
    m_header.keys = hasRun() && !m_room->isFolded() ? ownKeys() : std::vector<LegendKey>();
    std::vector<LegendKey> behind = legendKeys(m_behind, m_theme);
    m_legend->markHidden(behind);
    if (!places.hasStatus()) {
        const QStringList parts = QStringList{m_header.caption} + exceptionsOf(m_status);
        m_header.caption = parts.join(QStringLiteral(" · "));
    }
    if (!places.hasNotes() && !m_room->isFolded()) {
        m_header.keys.insert(m_header.keys.end(), behind.begin(), behind.end());
    }
    m_isCaptionCut = !paintHeader(painter, places.header, m_header, font(), m_theme);
    std::vector<LegendKey> keys = m_header.keys;
    if (places.hasNotes() && !m_room->isFolded()) {
        paintNotes(painter, places, behind);
        keys.insert(keys.end(), behind.begin(), behind.end());
    }
    m_legend->setKeys(std::move(keys));
}

/// The list of the other runs from the left, the status from the right; it gives way to them.
void PlotView::paintNotes(
    QPainter& painter, const PlotLayout& places, std::vector<LegendKey>& namesBehind) const
{
    const QRectF& line = places.notes;
    const QFont small = m_room->axisFont();
    const QFontMetricsF metrics(small);
    double namesEnd = line.left();
    if (!namesBehind.empty()) {
        const double share = hasRun() && places.hasStatus() ? kShareOfNames : 1.0;
        const QRectF room(line.left(), line.top(), share * line.width(), line.height());
        listKeys(namesBehind, room, places.columns, small);
        paintKeys(painter, namesBehind, small, m_theme);
        for (const LegendKey& key : namesBehind) {
            namesEnd = std::max(namesEnd, key.place.right() + kBetweenNotes);
        }
    }
    if (hasRun() && places.hasStatus()) {
        painter.setFont(small);
        painter.setPen(m_theme.mutedText);
        painter.drawText(
            line, Qt::AlignRight | Qt::AlignTop,
            fittingStatus(m_status, metrics, line.right() - namesEnd));
    }
}

/// Of the run; none for a single curve: the title says what it is.
std::vector<LegendKey> PlotView::ownKeys() const
{
    std::vector<LegendKey> keys = legendKeys(m_curves, m_theme);
    m_legend->markHidden(keys);
    return keys.size() == 1 ? std::vector<LegendKey>() : keys;
}

void PlotView::paintBody(QPainter& painter, const PlotScale& scale, double pixelRatio)
{
    const QFont labelFont = m_room->axisFont();
    PlotGrid grid = plotGrid(scale, m_specification.format, labelFont);
    grid.hasXLabels = m_room->hasXLabels();
    if (m_shared.phases != nullptr) {
        paintPhases(painter, scale, *m_shared.phases, m_theme);
    }
    paintGrid(painter, scale, grid, labelFont, m_theme);
    if (hasPhaseNames()) {
        paintPhaseNames(painter, scale, *m_shared.phases, labelFont, m_theme);
    }
    if (m_expected) {
        paintReference(painter, scale, *m_expected, m_theme);
    }
    const std::vector<Curve> curves = allCurves();
    RawCurves raw = rawCurves(curves, scale, pixelRatio, m_theme);
    if (isValuesZoomed()) { // what lies outside is what a person left out
        std::erase_if(raw.marks, [](const PlotMark& mark) { return isOffScale(mark.kind); });
    }
    painter.drawImage(scale.area.topLeft(), raw.image);
    m_lines.paint(painter, curveLines(curves, scale, m_theme), scale.area);
    paintDots(painter, scale, curves, m_theme);
    paintMarks(painter, scale, raw.marks, m_theme);
    m_marks = std::move(raw.marks);
}

void PlotView::paintEvent(QPaintEvent* /*event*/)
{
    if (m_isStale || m_frame.size() != (QSizeF(size()) * devicePixelRatioF()).toSize()) {
        renderFrame();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_frame);
    if (!m_room->isFolded()) {
        paintOverFrame(painter);
    }
    if (hasFocus() && m_isFocusShown) {
        paintFocusRing(painter, rect(), m_theme);
    }
}

/// What changes more often than the frame.
void PlotView::paintOverFrame(QPainter& painter) const
{
    if (!m_selection.isEmpty()) {
        QColor fill = m_theme.accent;
        fill.setAlphaF(0.16F);
        painter.setPen(QPen(m_theme.accent, 1.0));
        painter.setBrush(fill);
        painter.drawRect(m_selection.toRect());
    }
    const SharedParts parts = shared();
    if (parts.markers != nullptr) {
        paintMarkers(painter, xScale(), *parts.markers, m_theme);
    }
    if (parts.pins != nullptr) {
        paintPins(painter, xScale(), *parts.pins, m_room->axisFont(), m_theme);
    }
    paintCrossHair(painter);
    paintMarkedCard(painter);
}

void PlotView::paintCrossHair(QPainter& painter) const
{
    const std::optional<Moment> moment = m_range.crossHair().moment();
    if (!moment || isEmpty()) {
        return;
    }
    const PlotScale shown = scale();
    const QRectF area = shown.area;
    const double share = shown.shareOf(positionOf(*moment, m_range.axis()));
    if (share < 0.0 || share > 1.0) {
        return;
    }
    const double x = std::floor(area.left() + share * area.width()) + 0.5;
    painter.setPen(QPen(m_theme.mutedText, 1.0));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    const std::vector<Curve> curves = allCurves();
    paintCursorDots(painter, shown, curves, *moment, m_theme);
    std::vector<Curve> told = m_legend->told(m_curves);
    told.insert(told.end(), curves.begin(), curves.end());
    const HoverCard card =
        cursorCard(told, *moment, m_range.axis(), m_specification.format, m_theme);
    const QObject* const reader = m_range.crossHair().reader();
    if (reader == this || (reader == nullptr && m_room->isUppermost())) {
        paintHoverCard(painter, card, {cardRoom(), area.top(), x}, m_room->axisFont(), m_theme);
    } else {
        paintCursorCaption(painter, card);
    }
}

/// One card is enough: the other charts say their values in the line of their titles, the most
/// important first, those of other runs last.
void PlotView::paintCursorCaption(QPainter& painter, const HoverCard& card) const
{
    QStringList values;
    QStringList behind;
    for (const HoverCard::Row& row : card.rows) {
        const QString text = QStringLiteral("%1 %2").arg(row.name, row.value);
        row.isBold ? values.prepend(text) : (row.isBehind ? behind : values).append(text);
    }
    const QRectF line = m_room->titleLine();
    PlotHeader header = m_header;
    header.caption = (values + behind).join(QStringLiteral(" · "));
    painter.fillRect(line, m_theme.card);
    paintHeader(painter, line, header, font(), m_theme);
}

/// Where a card may lie: below the title, unless too little is left there.
QRectF PlotView::cardRoom() const
{
    constexpr double kInset = kTextMargin / 2;
    constexpr double kLeastHeight = 62.0;
    QRectF room = QRectF(rect()).adjusted(kInset, kInset, -kInset, -kInset);
    const double below = m_room->titleLine().bottom() + 1.0;
    if (room.bottom() - below >= kLeastHeight) {
        room.setTop(below);
    }
    return room;
}

/// Only where the mouse or the keyboard is: one card is enough.
void PlotView::paintMarkedCard(QPainter& painter) const
{
    if (!underMouse() && !hasFocus()) {
        return;
    }
    const PlotScale shown = xScale();
    const SharedParts parts = shared();
    for (const AxisMarks* const row :
         std::initializer_list<const AxisMarks*>{parts.pins, parts.markers}) {
        if (const auto group = row != nullptr ? row->markedGroup(shown) : std::nullopt) {
            const CardPlace place{cardRoom(), shown.area.top(), group->x};
            return paintHoverCard(painter, row->card(*group), place, m_room->axisFont(), m_theme);
        }
    }
}

} // namespace lockstep::ui
