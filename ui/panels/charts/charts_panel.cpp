// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/charts_panel.h"

#include "bridge/base/file_names.h"
#include "bridge/preview/batch_text.h"
#include "bridge/runs/overlay_runs.h"
#include "bridge/runs/run_title.h"
#include "bridge/session/live_run.h"
#include "engine/config.h"
#include "engine/storage.h"
#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"
#include "widgets/forms/layouts.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>
#include <QLocale>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kMostLetters = 60; // of a line in a card

struct MarkerText
{
    Q_DECLARE_TR_FUNCTIONS(MarkerText)
};

QString percentText(double share)
{
    return std::isnan(share) ? QStringLiteral("–")
                             : numberText(share, {100.0, 1, MarkerText::tr(" %")});
}

void addTime(PlotMarker& marker, double seconds)
{
    if (seconds > 0.0) {
        const auto time = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(seconds));
        marker.facts.emplace_back(
            MarkerText::tr("when"), QLocale().toString(time, QLocale::ShortFormat));
    }
}

void tellFault(PlotMarker& marker, const RunMark& mark)
{
    marker.kind = PlotMarker::Kind::Fault;
    if (mark.text.isEmpty()) {
        marker.title = MarkerText::tr("the loss is not a number");
        return;
    }
    marker.title = MarkerText::tr("an error");
    addTime(marker, mark.time);
    const bool isLong = mark.text.size() > kMostLetters;
    marker.facts.emplace_back(
        MarkerText::tr("why"),
        isLong ? mark.text.left(kMostLetters).trimmed() + QStringLiteral("…") : mark.text);
    if (mark.isLeftBehind) {
        marker.facts.emplace_back(
            MarkerText::tr("since then"), MarkerText::tr("the run went on from before"));
    }
}

void tellBranch(PlotMarker& marker, const RunMark& mark)
{
    marker.kind = PlotMarker::Kind::Branch;
    marker.title = MarkerText::tr("the run went on from here");
    addTime(marker, mark.time);
    if (mark.endStep > mark.updates) {
        marker.facts.emplace_back(
            MarkerText::tr("left behind"),
            MarkerText::tr("steps %1 to %2 (grey)")
                .arg(countText(mark.updates), countText(mark.endStep - 1)));
    }
}

/// What happened in a run, in words, for the x axes of its charts.
PlotMarker markerOf(const RunMark& mark)
{
    PlotMarker marker;
    marker.updates = mark.updates;
    switch (mark.kind) {
    case RunMark::Kind::Fault:
        tellFault(marker, mark);
        break;
    case RunMark::Kind::LearningRate:
        marker.kind = PlotMarker::Kind::LearningRate;
        marker.title = MarkerText::tr("learning rate %1 → %2")
                           .arg(rateText(mark.before), rateText(mark.after));
        break;
    case RunMark::Kind::Branch:
        tellBranch(marker, mark);
        break;
    case RunMark::Kind::Evaluation:
        marker.kind = PlotMarker::Kind::Evaluation;
        marker.title = MarkerText::tr("evaluated, %1")
                           .arg(percentText(std::isnan(mark.after) ? mark.before : mark.after));
        marker.facts = {
            {MarkerText::tr("test accuracy, raw weights"), percentText(mark.before)},
            {MarkerText::tr("moving averages"), percentText(mark.after)}};
        break;
    }
    return marker;
}

struct PhaseText
{
    Q_DECLARE_TR_FUNCTIONS(PhaseWords)
};

QString phaseName(const RunPhase& phase)
{
    return phase.objective.empty() ? PhaseText::tr("all objectives")
                                   : QString::fromStdString(phase.objective);
}

QString textOf(const RunPhase& phase)
{
    const QString frozen = namesOf(phase.frozen).join(QStringLiteral(", "));
    const QString rate = phase.learningRate
                             ? PhaseText::tr("learning rate %1").arg(rateText(*phase.learningRate))
                             : PhaseText::tr("learning rate by the schedule");
    const QString text =
        PhaseText::tr("Steps %1 to %2: %3, %4")
            .arg(
                countText(phase.firstStep), countText(std::max(phase.firstStep, phase.endStep - 1)),
                phaseName(phase), rate);
    return frozen.isEmpty() ? text : PhaseText::tr("%1; frozen: %2").arg(text, frozen);
}

/// The phases of a run, of which those that follow each other and differ in the learning rate only
/// are one band: that the rate changes has a mark of its own.
std::vector<PhaseBand> phaseBands(const RunConfig& config)
{
    std::vector<PhaseBand> bands;
    const RunPhase* before = nullptr;
    const std::vector<RunPhase> plan = phasePlan(config.trainedPhases());
    for (const RunPhase& phase : plan) {
        const bool isSame = before != nullptr && before->objective == phase.objective
                            && before->frozen == phase.frozen;
        if (isSame) {
            bands.back().endStep = phase.endStep;
            bands.back().text += QLatin1Char('\n') + textOf(phase);
        } else {
            bands.push_back({phase.firstStep, phase.endStep, phaseName(phase), textOf(phase)});
        }
        before = &phase;
    }
    return bands;
}

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
    m_controls->setMinimumHeight(kControlsHeight);
    columnIn(this, {6, 0, 6, 4}, 2, {m_controls, {m_charts, 1}});
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
}

void ChartsPanel::restoreState(const QByteArray& state)
{
    ChartPlaces places;
    places.readText(state);
    m_charts->setPlaces(places);
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
    if (m_run.series() != nullptr) {
        m_overlays.keepOnly(subjectOf(m_run.config()));
    }
    showPhases();
    showOverlays();
}

void ChartsPanel::showPhases()
{
    m_phases->setBands(
        m_run.series() != nullptr && !m_run.isRecorded() ? phaseBands(m_run.config())
                                                         : std::vector<PhaseBand>());
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
    qsizetype place = 0; // behind the run itself
    const bool hasRun = m_run.series() != nullptr;
    const QString subject = hasRun ? subjectOf(m_run.config()) : QString();
    QStringList titles{hasRun ? titleOf(m_run.folder(), m_run.config()) : QString()};
    std::vector<RunConfig> configs{m_run.config()};
    for (const OverlayRuns::Overlay& overlay : m_overlays.overlays()) {
        titles.append(overlay.name);
        configs.push_back(overlay.config);
    }
    titles = distinctTitles(titles, configs);
    for (const OverlayRuns::Overlay& overlay : m_overlays.overlays()) {
        const QString title = titles.at(++place);
        if (overlay.series && toPath(overlay.folder) != m_run.folder()) {
            const bool isForeign = !subject.isEmpty() && overlay.subject != subject;
            shown.push_back(
                {(isForeign ? tr("%1 – not comparable, %2") : QStringLiteral("%1 – %2"))
                     .arg(overlay.color + 1)
                     .arg(title),
                 overlay.color, overlay.series.get(), false, isForeign});
        }
    }
    m_charts->setOverlays(shown);
}

void ChartsPanel::refresh()
{
    QElapsedTimer clock;
    clock.start();
    if (std::exchange(m_areMarksNew, false)) { // not for each change: a long run has thousands
        std::vector<PlotMarker> markers(m_marks.marks().size());
        std::ranges::transform(m_marks.marks(), markers.begin(), markerOf);
        m_markers->setMarkers(std::move(markers));
    }
    m_charts->repaintData();
    m_pace.note(std::chrono::nanoseconds(clock.nsecsElapsed()));
}

} // namespace lockstep::ui
