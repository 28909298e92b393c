// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_view.h"

#include "plots/curves/y_range.h"
#include "plots/view/plot_gestures.h"

#include <QEvent>
#include <QFocusEvent>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kAxisFontShare = 0.92;

bool isWithoutValues(const Curve& curve)
{
    return curve.store->size() == 0;
}

} // namespace

PlotView::PlotView(XRange& range, QWidget* parent)
    : QWidget(parent), m_range(range), m_theme(themeColors(palette()))
{
    setAttribute(Qt::WA_OpaquePaintEvent); // nothing has to be painted behind it
    new PlotGestures(*this);
    connect(&range, &XRange::rangeChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::axisChanged, this, &PlotView::dataChanged);
    connect(&range, &XRange::cursorChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &XRange::robustChanged, this, &PlotView::dataChanged);
}

PlotView::~PlotView() = default;

void PlotView::dataChanged()
{
    m_isStale = true;
    m_fittingY.reset();
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

void PlotView::setMarkers(MarkerRow& markers)
{
    m_markers = &markers;
    connect(&markers, &MarkerRow::changed, this, [this] {
        describe();
        update();
    });
}

void PlotView::setPhases(PhaseRow& phases)
{
    m_phases = &phases;
    connect(&phases, &PhaseRow::changed, this, &PlotView::dataChanged);
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
    const std::vector<Curve> shown = shownCurves(m_curves, m_hiddenKeys);
    curves.insert(curves.end(), shown.begin(), shown.end());
    return curves;
}

bool PlotView::toggleKey(QPointF point, bool isAlone)
{
    const int number = keyAt(m_header, titleLine(), font(), point);
    if (number < 0) {
        return false;
    }
    const QString key = m_header.keys[static_cast<std::size_t>(number)].text;
    if (isAlone) {
        QStringList others;
        for (const LegendKey& other : m_header.keys) {
            if (other.text != key) {
                others.append(other.text);
            }
        }
        m_hiddenKeys = others == m_hiddenKeys ? QStringList() : others;
    } else if (!m_hiddenKeys.removeOne(key)) {
        m_hiddenKeys.append(key);
    }
    dataChanged();
    return true;
}

QFont PlotView::axisFont() const
{
    QFont smaller(font());
    if (smaller.pointSizeF() > 0) {
        smaller.setPointSizeF(smaller.pointSizeF() * kAxisFontShare);
    }
    return smaller;
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
    scale.area = arrangement().area;
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
        fitFolded();
        dataChanged();
    }
    QWidget::changeEvent(event);
}

} // namespace lockstep::ui
