// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_view.h"

#include "plots/cursor_card.h"
#include "plots/plot_gestures.h"
#include "plots/plot_painting.h"
#include "plots/y_range.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kCardRadius = 6.0;
constexpr double kMargin = 12.0;
constexpr double kAboveHeader = 7.0;
constexpr double kAboveArea = 11.0; // room for pins
constexpr double kBelowLabels = 7.0;
constexpr double kAxisFontShare = 0.92;
constexpr double kEmptyFontShare = 1.15;
constexpr double kEmptyLineDistance = 44.0;
/// A chart that is lower names the other runs by their colours only: a taller one does it beside
/// it.
constexpr double kLeastHeightForNames = 190.0;

bool isWithoutValues(const Curve& curve)
{
    return curve.store->size() == 0;
}

} // namespace

PlotView::PlotView(XRange& range, QWidget* parent)
    : QWidget(parent), m_range(range), m_theme(themeColors(palette()))
{
    new PlotGestures(*this);
    connect(&range, &XRange::rangeChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::axisChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &XRange::modeChanged, this, [this] {
        if (m_range.mode() == XRange::Mode::Fit) {
            setYRange(std::nullopt);
        }
    });
}

PlotView::~PlotView() = default;

void PlotView::dataChanged()
{
    m_isStale = true;
    update();
}

void PlotView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    dataChanged();
}

void PlotView::setChecklist(std::vector<ChecklistLine> lines)
{
    m_checklist = std::move(lines);
    dataChanged();
}

void PlotView::setLogarithmic(bool isLogarithmic)
{
    if (isLogarithmic == m_isLogarithmic) {
        return;
    }
    m_isLogarithmic = isLogarithmic;
    m_yRange.reset();
    dataChanged();
    emit logarithmicChanged(isLogarithmic);
}

void PlotView::setPins(PinRow& pins)
{
    m_pins = &pins;
    connect(&pins, &PinRow::changed, this, [this] {
        describe();
        update();
    });
}

void PlotView::setYRange(std::optional<std::pair<double, double>> range)
{
    m_yRange = range;
    dataChanged();
}

void PlotView::setSelection(const QRectF& selection)
{
    m_selection = selection;
    update();
}

void PlotView::setTitle(const QString& title)
{
    m_header.title = title;
    setAccessibleName(title);
}

void PlotView::setCurves(std::vector<Curve> curves)
{
    m_curves = std::move(curves);
    m_yRange.reset();
    dataChanged();
}

void PlotView::setCurvesBehind(std::vector<Curve> curves)
{
    m_behind = std::move(curves);
    dataChanged();
}

void PlotView::setLimits(std::optional<double> floor, std::optional<double> ceiling)
{
    m_floor = floor;
    m_ceiling = ceiling;
}

bool PlotView::isEmpty() const
{
    return !hasRun() && std::all_of(m_behind.begin(), m_behind.end(), isWithoutValues);
}

bool PlotView::hasRun() const
{
    return !std::all_of(m_curves.begin(), m_curves.end(), isWithoutValues);
}

/// In the order in which they are drawn.
std::vector<Curve> PlotView::allCurves() const
{
    std::vector<Curve> curves = m_behind;
    curves.insert(curves.end(), m_curves.begin(), m_curves.end());
    return curves;
}

QString PlotView::summary() const
{
    if (hasRun() || !isEmpty()) {
        return hasRun() ? captionText() : QString();
    }
    return m_checklist.empty() ? m_emptyText : checklistSummary(m_checklist);
}

QFont PlotView::axisFont() const
{
    QFont smaller(font());
    if (smaller.pointSizeF() > 0) {
        smaller.setPointSizeF(smaller.pointSizeF() * kAxisFontShare);
    }
    return smaller;
}

QRectF PlotView::headerLine() const
{
    return {kMargin, kAboveHeader, width() - 2 * kMargin, QFontMetricsF(font()).height() + 2.0};
}

/// Between title and chart: the names of the other runs.
QRectF PlotView::overlayLine() const
{
    const QRectF header = headerLine();
    return {header.left(), header.bottom() + 1.0, header.width(), header.height()};
}

bool PlotView::hasOverlayLine() const
{
    return !m_behind.empty() && height() >= kLeastHeightForNames;
}

/// Its left edge is the same in all charts of a window, whatever their labels, so that steps stand
/// above each other; it lies on whole pixels, so that columns do.
QRectF PlotView::plotArea() const
{
    const QFontMetricsF metrics(axisFont());
    const double left =
        std::ceil(metrics.horizontalAdvance(QStringLiteral("00,000")) + kMargin + 4);
    const QRectF above = hasOverlayLine() ? overlayLine() : headerLine();
    const double top = std::ceil(above.bottom() + kAboveArea);
    const double right = width() - kMargin - 2;
    const double bottom = std::floor(height() - metrics.height() - 6 - kBelowLabels);
    return {left, top, std::max(10.0, std::floor(right - left)), std::max(10.0, bottom - top)};
}

PlotScale PlotView::xScale() const
{
    PlotScale scale;
    scale.area = plotArea();
    scale.axis = m_range.axis();
    scale.first = m_range.first();
    scale.last = m_range.last();
    return scale;
}

PlotScale PlotView::scale() const
{
    PlotScale scale = xScale();
    scale.isLogarithmic = m_isLogarithmic;
    YLimits limits{m_floor, m_ceiling, {}};
    for (const ReferenceLine& line : m_references) {
        limits.values.push_back(line.value);
    }
    std::tie(scale.bottom, scale.top) =
        m_yRange ? *m_yRange : fittingYRange(allCurves(), scale, limits);
    return scale;
}

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
    m_header.caption = hasRun() ? captionText() : QString();
    m_header.keys = hasRun() ? legend() : std::vector<LegendKey>();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.card);
    painter.drawRoundedRect(rect(), kCardRadius, kCardRadius);
    m_isCaptionCut = !paintHeader(painter, headerLine(), m_header, font(), m_theme);
    if (hasOverlayLine()) {
        paintKeys(painter, overlayLine(), legendKeys(m_behind, m_theme), font(), m_theme);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (isEmpty()) {
        paintEmptyState(painter);
    } else {
        paintBody(painter, scale(), pixelRatio);
    }
}

/// None for a single curve: the title says what it is.
std::vector<LegendKey> PlotView::legend() const
{
    std::vector<LegendKey> keys = legendKeys(m_curves, m_theme);
    for (const ReferenceLine& line : m_references) {
        if (!line.name.isEmpty()) {
            keys.push_back({line.name, KeyShape::Dashes, {m_theme.mutedText}});
        }
    }
    return keys.size() == 1 ? std::vector<LegendKey>() : keys; // one is named by the title
}

void PlotView::paintBody(QPainter& painter, const PlotScale& scale, double pixelRatio)
{
    const QFont labelFont = axisFont();
    paintGrid(painter, scale, plotGrid(scale, m_format, labelFont), labelFont, m_theme);
    for (const ReferenceLine& line : m_references) {
        paintReference(painter, scale, line.value, m_theme);
    }
    const std::vector<Curve> curves = allCurves();
    const RawCurves raw = rawCurves(curves, scale, pixelRatio, m_theme);
    painter.drawImage(scale.area.topLeft(), raw.image);
    m_lines.setLines(curveLines(curves, scale, m_theme), scale.area.size());
    painter.save();
    painter.translate(scale.area.topLeft());
    m_lines.render(painter);
    painter.restore();
    paintDots(painter, scale, curves, m_theme);
    paintMarks(painter, scale, raw.marks, m_theme);
}

void PlotView::paintEmptyState(QPainter& painter) const
{
    const QRectF area = plotArea();
    const int spaces = std::max(2, static_cast<int>(area.height() / kEmptyLineDistance));
    painter.setPen(QPen(m_theme.grid, 1.0));
    for (int line = 0; line <= spaces; ++line) {
        const double y = std::floor(area.top() + area.height() * line / spaces) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    if (!m_checklist.empty()) {
        return paintChecklist(painter, area, m_checklist, font(), m_theme);
    }
    if (m_emptyText.isEmpty()) {
        return;
    }
    QFont larger(font());
    larger.setPointSizeF(larger.pointSizeF() * kEmptyFontShare);
    const QFontMetricsF metrics(larger);
    const QString text =
        metrics.elidedText(m_emptyText, Qt::ElideRight, area.width() - 4 * kMargin);
    QRectF ground(0, 0, metrics.horizontalAdvance(text) + 3 * kMargin, metrics.height() + kMargin);
    ground.moveCenter(area.center());
    painter.fillRect(ground, m_theme.card);
    painter.setFont(larger);
    painter.setPen(m_theme.text);
    painter.drawText(ground, Qt::AlignCenter, text);
}

void PlotView::describe()
{
    const QString pinned = pins() != nullptr ? m_pins->summary() : QString();
    const QString text = pinned.isEmpty() ? summary() : summary() + QLatin1Char(' ') + pinned;
    if (text != accessibleDescription()) {
        setAccessibleDescription(text);
    }
}

void PlotView::paintEvent(QPaintEvent* /*event*/)
{
    if (m_isStale || m_frame.size() != (QSizeF(size()) * devicePixelRatioF()).toSize()) {
        renderFrame();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_frame);
    if (!m_selection.isEmpty()) {
        QColor fill = m_theme.accent;
        fill.setAlphaF(0.16F);
        painter.setPen(QPen(m_theme.accent, 1.0));
        painter.setBrush(fill);
        painter.drawRect(m_selection.toRect());
    }
    if (pins() != nullptr) {
        paintPins(painter, xScale(), *m_pins, axisFont(), m_theme);
    }
    paintCrossHair(painter);
    paintMarkedPin(painter);
    paintFocusRing(painter);
}

void PlotView::paintCrossHair(QPainter& painter) const
{
    const std::optional<Moment> moment = m_range.cursorMoment();
    if (!moment || isEmpty()) {
        return;
    }
    const QRectF area = plotArea();
    const double share = (positionOf(*moment, m_range.axis()) - m_range.first())
                         / (m_range.last() - m_range.first());
    if (share < 0.0 || share > 1.0) {
        return;
    }
    const double x = std::floor(area.left() + share * area.width()) + 0.5;
    painter.setPen(QPen(m_theme.mutedText, 1.0));
    painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    paintCursorDots(painter, scale(), allCurves(), *moment, m_theme);
    constexpr double kInset = kMargin / 2;
    const QRectF room = QRectF(rect()).adjusted(kInset, kInset, -kInset, -kInset);
    paintHoverCard(
        painter, cursorCard(allCurves(), {*moment, m_range.axis()}, m_format, m_theme),
        {room, area.top(), x}, axisFont(), m_theme);
}

/// Only where the mouse or the keyboard is: one card is enough.
void PlotView::paintMarkedPin(QPainter& painter) const
{
    const bool isHere = underMouse() || hasFocus();
    const auto group = pins() != nullptr && isHere ? m_pins->markedGroup(xScale()) : std::nullopt;
    if (!group) {
        return;
    }
    constexpr double kInset = kMargin / 2;
    const QRectF room = QRectF(rect()).adjusted(kInset, kInset, -kInset, -kInset);
    paintHoverCard(
        painter, m_pins->card(*group), {room, plotArea().top(), group->x}, axisFont(), m_theme);
}

void PlotView::paintFocusRing(QPainter& painter) const
{
    if (!hasFocus() || !m_isFocusShown) {
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.accent, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius, kCardRadius);
}

bool PlotView::event(QEvent* event)
{
    if (event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<const QFocusEvent*>(event)->reason();
        m_isFocusShown = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason
                         || reason == Qt::ShortcutFocusReason;
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

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_theme = themeColors(palette());
        dataChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace lockstep::ui
