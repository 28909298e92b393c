// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_view.h"

#include "plots/curves/y_range.h"
#include "plots/view/plot_gestures.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QStringList>
#include <QToolTip>

#include <algorithm>
#include <tuple>

namespace lockstep::ui {
namespace {

bool isWithoutValues(const Curve& curve)
{
    return curve.store->size() == 0;
}

} // namespace

void ChartLegend::markHidden(std::vector<LegendKey>& keys) const
{
    for (LegendKey& key : keys) {
        key.isOff = isHidden(key.text);
    }
}

void ChartLegend::setHidden(const QString& key, bool isHidden)
{
    m_hidden.removeAll(key);
    if (isHidden) {
        m_hidden.append(key);
    }
    emit changed();
}

bool ChartLegend::toggle(QPointF point, bool isAlone)
{
    const LegendKey* const key = keyAt(point);
    if (key == nullptr) {
        return false;
    }
    if (isAlone) {
        QStringList others;
        for (const LegendKey& other : m_keys) {
            if (other.text != key->text) {
                others.append(other.text);
            }
        }
        m_hidden = others == m_hidden ? QStringList() : others;
    } else if (!m_hidden.removeOne(key->text)) {
        m_hidden.append(key->text);
    }
    emit changed();
    return true;
}

std::vector<Curve> ChartLegend::told(std::vector<Curve> curves) const
{
    std::erase_if(curves, [this](const Curve& curve) {
        return !curve.isAlwaysTold || !isHidden(curve.name);
    });
    for (Curve& curve : curves) {
        curve.ink = Ink::Muted;
    }
    return curves;
}

const LegendKey* ChartLegend::keyAt(QPointF point) const
{
    const auto found = std::ranges::find_if(
        m_keys, [&](const LegendKey& key) { return key.place.contains(point); });
    return found == m_keys.end() ? nullptr : &*found;
}

std::optional<ColorOwner> ChartLegend::ownerAt(QPointF point) const
{
    const LegendKey* const key = keyAt(point);
    return key == nullptr ? std::nullopt : lockstep::ui::ownerAt(*key, point);
}

PlotView::PlotView(XRange& range, RunChartSpecification specification, QWidget* parent)
    : QWidget(parent), m_range(range), m_specification(std::move(specification)),
      m_room(new ChartRoom(*this)), m_legend(new ChartLegend(this)),
      m_theme(themeColors(*this)), m_header{m_specification.title}
{
    setObjectName(QLatin1String(m_specification.name));
    setAccessibleName(m_specification.title);
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing has to be painted behind it
    new PlotGestures(*this);
    connect(&range, &XRange::rangeChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::axisChanged, this, &PlotView::dataChanged);
    connect(&range.crossHair(), &CrossHair::changed, this, qOverload<>(&QWidget::update));
    connect(&range, &XRange::robustChanged, this, &PlotView::dataChanged);
    connect(m_room, &ChartRoom::changed, this, &PlotView::dataChanged);
    connect(m_legend, &ChartLegend::changed, this, &PlotView::dataChanged);
}

void PlotView::setRun(const RunSeries* run)
{
    const QString& ofOneTower = m_specification.ofOneTower;
    const bool isAlone = run != nullptr && run->towers() == 1 && !ofOneTower.isEmpty();
    const bool hasCurves = run != nullptr && !isAlone;
    m_run = run;
    if (!ofOneTower.isEmpty()) {
        m_empty.text = isAlone ? ofOneTower : QString();
    }
    m_expected = hasCurves && m_specification.expected
                     ? std::optional(m_specification.expected(*run))
                     : std::nullopt;
    m_curves = hasCurves ? m_specification.curves(*run) : std::vector<Curve>();
    dataChanged();
}

void PlotView::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    m_behind = m_specification.behind ? m_specification.behind(overlays) : std::vector<Curve>();
    m_room->setNames(static_cast<int>(m_behind.size()));
    dataChanged();
}

/// What the specification has, else the newest value of each curve.
QString PlotView::captionText() const
{
    if (m_specification.caption) {
        return m_specification.caption(*m_run);
    }
    QStringList parts;
    for (const Curve& curve : m_curves) {
        const std::int64_t newest = curve.store->size() - 1;
        if (newest >= 0) {
            const double value = curve.series().smoothedAt(newest);
            parts << curve.name + QLatin1Char(' ') + numberText(value, m_specification.format);
        }
    }
    return parts.join(QStringLiteral(" · "));
}

QStringList PlotView::explanation() const
{
    QStringList lines = m_specification.meaning.split(QLatin1Char('\n'));
    if (m_run != nullptr && m_specification.remarks) {
        lines << m_specification.remarks(*m_run);
    }
    return lines;
}

void PlotView::dataChanged()
{
    m_isStale = true;
    m_fittingY.reset();
    update();
}

void PlotView::setEmptyState(EmptyState state)
{
    m_empty = std::move(state);
    dataChanged();
}

void PlotView::setLogarithmic(bool isLogarithmic)
{
    if (isLogarithmic == m_isLogarithmic) {
        return;
    }
    m_isLogarithmic = isLogarithmic;
    dataChanged();
    emit logarithmicChanged(isLogarithmic);
}

void PlotView::setShared(const SharedParts& parts)
{
    const auto tellOfMarks = [this] {
        describe();
        update();
    };
    const auto take = [this](auto*& place, auto* part, auto renew) {
        if (part != nullptr) {
            place = part;
            connect(part, &std::remove_pointer_t<decltype(part)>::changed, this, renew);
        }
    };
    take(m_shared.pins, parts.pins, tellOfMarks);
    take(m_shared.markers, parts.markers, tellOfMarks);
    take(m_shared.phases, parts.phases, &PlotView::dataChanged);
    take(m_shared.highlight, parts.highlight, [this] {
        if (std::ranges::any_of(m_curves, &Curve::isOfTower)) {
            m_isStale = true; // the y axis stays
            update();
        }
    });
}

SharedParts PlotView::shared() const
{
    SharedParts shown = m_shared;
    shown.pins = isEmpty() || !m_room->hasPins() ? nullptr : shown.pins;
    shown.markers = isEmpty() ? nullptr : shown.markers;
    return shown;
}

void PlotView::showAs(const PlotView& other)
{
    m_shared.phases = other.m_shared.phases;
    m_legend->hideAs(*other.m_legend);
    m_isLogarithmic = other.m_isLogarithmic;
    if (const auto values = other.range().yRange(other)) {
        m_range.zoomValues(*this, *values);
    }
    dataChanged();
}

void PlotView::setSelection(const QRectF& selection)
{
    m_selection = selection;
    update();
}

bool PlotView::isEmpty() const
{
    return !hasRun() && std::ranges::all_of(m_behind, isWithoutValues);
}

bool PlotView::hasRun() const
{
    return !std::ranges::all_of(m_curves, isWithoutValues);
}

/// In the order in which they are drawn.
std::vector<Curve> PlotView::allCurves() const
{
    std::vector<Curve> curves = m_legend->shown(m_behind);
    const std::vector<Curve> own = m_legend->shown(m_curves);
    curves.insert(curves.end(), own.begin(), own.end());
    if (m_shared.highlight != nullptr) {
        emphasise(curves, m_shared.highlight->tower());
    }
    return curves;
}

/// Only on the uppermost chart: once is enough.
bool PlotView::hasPhaseNames() const
{
    return m_shared.phases != nullptr && !m_shared.phases->bands().empty() && m_room->isUppermost()
           && !isEmpty();
}

/// Not where the values that a person chose have no place: 0 on an axis that is logarithmic now.
bool PlotView::isValuesZoomed() const
{
    const auto range = m_range.yRange(*this);
    return range && (!m_isLogarithmic || range->first > 0.0);
}

PlotScale PlotView::xScale() const
{
    return {
        .area = m_room->layout().area,
        .axis = m_range.axis(),
        .first = m_range.first(),
        .last = m_range.last(),
        .isXLogarithmic = m_range.isLogarithmic()};
}

PlotScale PlotView::scale() const
{
    PlotScale scale = xScale();
    scale.isLogarithmic = m_isLogarithmic;
    if (isValuesZoomed()) {
        std::tie(scale.bottom, scale.top) = *m_range.yRange(*this);
        return scale;
    }
    if (!m_fittingY) {
        const bool hasOutliers = m_specification.format.factor == 1.0; // a share has none
        m_fittingY = fittingYRange(
            allCurves(), scale,
            {m_specification.floor, m_specification.ceiling, m_expected,
             m_range.isRobust() && hasOutliers});
    }
    std::tie(scale.bottom, scale.top) = *m_fittingY;
    if (hasPhaseNames()) { // which no curve runs through
        scale.top = m_shared.phases->topAbove(scale, m_room->axisFont());
    }
    return scale;
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
    QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this); // none: it hides
    return true;
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_theme = themeColors(*this);
        m_room->fitFolded();
        dataChanged();
    }
    QWidget::changeEvent(event);
}

QString PlotView::summary() const
{
    if (hasRun()) {
        const ChartStatus status =
            m_isStale ? chartStatus(m_curves, scale(), isValuesZoomed()) : m_status;
        return captionText() + QStringLiteral(" · ") + statusText(status);
    }
    return isEmpty() ? emptyStateSummary(m_empty) : QString();
}

void PlotView::describe()
{
    QStringList parts{summary()};
    const auto [pins, markers, phases, highlight] = shared();
    parts << (pins != nullptr ? pins->summary() : QString());
    parts << (markers != nullptr ? markers->summary() : QString());
    parts << (phases != nullptr && hasRun() ? phases->summary() : QString());
    parts.removeAll(QString());
    const QString text = parts.join(QLatin1Char(' '));
    if (text != accessibleDescription()) {
        setAccessibleDescription(text);
    }
}

QString PlotView::toolTipAt(QPointF point) const
{
    const PlotLayout places = m_room->layout();
    const QString status = statusText(m_status) + QLatin1Char('\n') + statusExplanation();
    if (m_room->foldMark().contains(point)) {
        return m_room->isFolded() ? tr("Opens this chart (F)")
                                  : tr("Folds this chart to its title (F)");
    }
    if (const LegendKey* const key = m_legend->keyAt(point)) {
        const QString gestures =
            tr("Click: hides this, or shows it again. Shift and click: only this.");
        const QString colors = key->owners.empty() ? QString() : tr("Right click: another colour.");
        const bool isCut = key->shownText != key->text;
        return (isCut ? key->text + QLatin1Char('\n') : QString())
               + QStringList{gestures, colors}.join(QLatin1Char('\n')).trimmed();
    }
    if (places.notes.contains(point)) {
        return hasRun() && places.hasStatus() ? status : QString();
    }
    if (!places.header.contains(point)) {
        const QString mark = markText(m_marks, m_curves, scale(), m_specification.format, point);
        const PhaseBand* const phase =
            hasPhaseNames() ? m_shared.phases->bandNamedAt(xScale(), m_room->axisFont(), point)
                            : nullptr;
        return mark.isEmpty() && phase != nullptr ? phase->text : mark;
    }
    QStringList lines = explanation();
    if (hasRun() && !places.hasStatus() && !m_room->isFolded()) {
        lines << statusText(m_status);
    }
    return titleTip(m_isCaptionCut ? m_header.caption : QString(), lines);
}

} // namespace lockstep::ui
