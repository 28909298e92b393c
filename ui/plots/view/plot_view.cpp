// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_view.h"

#include "plots/curves/y_range.h"
#include "plots/view/plot_gestures.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace lockstep::ui {
namespace {

bool isWithoutValues(const Curve& curve)
{
    return curve.store->size() == 0;
}

} // namespace

PlotView::PlotView(XRange& range, QWidget* parent)
    : QWidget(parent), m_range(range), m_room(new ChartRoom(*this)),
      m_legend(new ChartLegend(this)), m_theme(themeColors(palette()))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing has to be painted behind it
    new PlotGestures(*this);
    connect(&range, &XRange::rangeChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::axisChanged, this, &PlotView::dataChanged);
    connect(&range.crossHair(), &CrossHair::changed, this, qOverload<>(&QWidget::update));
    connect(&range, &XRange::robustChanged, this, &PlotView::dataChanged);
    connect(m_room, &ChartRoom::changed, this, &PlotView::dataChanged);
    connect(m_legend, &ChartLegend::changed, this, &PlotView::dataChanged);
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

void PlotView::setTitle(const QString& title)
{
    m_header.title = title;
    setAccessibleName(title);
}

void PlotView::setCurves(std::vector<Curve> curves)
{
    m_curves = std::move(curves);
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
    PlotScale scale;
    scale.area = m_room->layout().area;
    scale.axis = m_range.axis();
    scale.first = m_range.first();
    scale.last = m_range.last();
    scale.isXLogarithmic = m_range.isLogarithmic();
    return scale;
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
        YLimits limits{m_floor, m_ceiling, {}, m_range.isRobust()};
        for (const ReferenceLine& line : m_references) {
            limits.values.push_back(line.value);
        }
        m_fittingY = fittingYRange(allCurves(), scale, limits);
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
    const QString text = toolTipAt(help.pos());
    if (text.isEmpty()) {
        QToolTip::hideText();
    } else {
        QToolTip::showText(help.globalPos(), text, this);
    }
    return true;
}

void PlotView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_theme = themeColors(palette());
        m_room->fitFolded();
        dataChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace lockstep::ui
