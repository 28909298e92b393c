// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/charts_panel.h"

#include "bridge/base/file_names.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/session/live_run.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/marker_text.h"
#include "panels/charts/phase_text.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"

#include <QElapsedTimer>
#include <QThread>
#include <QVBoxLayout>

#include <chrono>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kControlsHeight = 34; // of a message, which may lie over them and hides no chart

} // namespace

ChartsPanel::ChartsPanel(
    LiveRun& run, OverlayRuns& overlays, TowerHighlight& highlight, QWidget* parent)
    : QWidget(parent), m_run(run), m_overlays(overlays), m_marks(run),
      m_pace(QThread::idealThreadCount()), m_charts(new ChartStack(this)),
      m_controls(new ChartControls(range(), *plots().front())),
      m_markers(new MarkerRow(range(), this)), m_phases(new PhaseRow(range(), this))
{
    setObjectName(QStringLiteral("charts"));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 4);
    layout->setSpacing(2);
    m_controls->setMinimumHeight(kControlsHeight);
    layout->addWidget(m_controls);
    layout->addWidget(m_charts, 1);
    m_controls->showSmoothing(m_run.smoothing());
    for (PlotView* const plot : m_charts->allPlots()) {
        plot->setShared({.markers = m_markers, .phases = m_phases, .highlight = &highlight});
    }

    connect(&run, &LiveRun::begun, this, &ChartsPanel::onRunBegun);
    connect(&run, &LiveRun::stepsAppended, this, &ChartsPanel::onDataChanged);
    connect(&run, &LiveRun::curvesChanged, this, &ChartsPanel::onDataChanged);
    connect(&run, &LiveRun::configChanged, this, &ChartsPanel::showPhases);
    connect(&overlays, &OverlayRuns::changed, this, &ChartsPanel::showOverlays);
    connect(&m_marks, &RunMarks::changed, this, [this] {
        m_areMarksNew = true;
        onDataChanged();
    });
    connect(&m_marks, &RunMarks::abandonedChanged, this, &ChartsPanel::showOverlays);
    connect(&m_refresh, &RefreshTimer::due, this, &ChartsPanel::refresh);
    connect(m_controls, &ChartControls::smoothingChosen, this, &ChartsPanel::setSmoothing);
    connect(plots().front(), &PlotView::logarithmicChanged, this, &ChartsPanel::logarithmicChanged);
}

XRange& ChartsPanel::range() const
{
    return m_charts->range();
}

const std::vector<PlotView*>& ChartsPanel::plots() const
{
    return m_charts->plots();
}

bool ChartsPanel::isLogarithmic() const
{
    return plots().front()->isLogarithmic();
}

void ChartsPanel::setLogarithmic(bool isLogarithmic)
{
    plots().front()->setLogarithmic(isLogarithmic);
}

void ChartsPanel::setSmoothing(int hundredths)
{
    m_run.setSmoothing(hundredths / 100.0);
    m_overlays.setSmoothing(m_run.smoothing());
    m_marks.setSmoothing(m_run.smoothing());
    m_controls->showSmoothing(m_run.smoothing());
    for (PlotView* const plot : plots()) { // under the hand: at once
        plot->dataChanged();
    }
    emit smoothingChanged(hundredths);
}

void ChartsPanel::setAxis(XAxis axis)
{
    range().setAxis(axis);
}

QByteArray ChartsPanel::saveState() const
{
    return m_charts->places().toText();
}

void ChartsPanel::restoreState(const QByteArray& state)
{
    ChartPlaces places;
    places.readText(state);
    m_charts->setPlaces(places);
}

void ChartsPanel::resetHeights()
{
    m_charts->setPlaces(ChartPlaces());
}

void ChartsPanel::toggleEnlarged()
{
    PlotView* chosen = plots().front();
    for (PlotView* const plot : plots()) {
        chosen = plot->hasFocus() ? plot : chosen;
    }
    m_charts->toggleEnlarged(*chosen);
}

void ChartsPanel::setChecklist(std::vector<ChecklistLine> lines)
{
    m_empty.checklist = std::move(lines);
    plots().front()->setEmptyState(m_empty);
}

void ChartsPanel::setEmptyText(const QString& text)
{
    m_empty.text = text;
    plots().front()->setEmptyState(m_empty);
}

void ChartsPanel::onRunBegun()
{
    m_charts->setRun(m_run.series());
    showPhases();
    showOverlays();
}

void ChartsPanel::showPhases()
{
    m_phases->setBands(
        m_run.series() != nullptr ? phaseBands(m_run.config()) : std::vector<PhaseBand>());
}

/// The run that is shown is not laid over itself.
void ChartsPanel::showOverlays()
{
    std::vector<PlotOverlay> shown;
    for (const AbandonedSteps& steps : m_marks.abandoned()) {
        shown.push_back(
            {tr("left behind from step %1").arg(countText(steps.firstStep)), 0, steps.series.get(),
             true});
    }
    const QString subject = m_run.series() != nullptr ? subjectOf(m_run.config()) : QString();
    for (const OverlayRuns::Overlay& overlay : m_overlays.overlays()) {
        if (overlay.series && toPath(overlay.folder) != m_run.folder()) {
            const bool isForeign = !subject.isEmpty() && overlay.subject != subject;
            shown.push_back(
                {isForeign ? tr("not comparable: %1").arg(overlay.name) : overlay.name,
                 overlay.color, overlay.series.get(), false, isForeign});
        }
    }
    m_charts->setOverlays(shown);
}

void ChartsPanel::onDataChanged()
{
    m_refresh.request(m_pace.interval());
}

void ChartsPanel::refresh()
{
    QElapsedTimer clock;
    clock.start();
    if (std::exchange(m_areMarksNew, false)) { // not for each change: a long run has thousands
        m_markers->setMarkers(markersOf(m_marks.marks()));
    }
    m_charts->repaintData();
    m_pace.note(std::chrono::nanoseconds(clock.nsecsElapsed()));
}

} // namespace lockstep::ui
