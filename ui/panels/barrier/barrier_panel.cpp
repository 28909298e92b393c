// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_panel.h"

#include "panels/barrier/barrier_bars.h"
#include "panels/barrier/barrier_text.h"
#include "panels/barrier/tower_lanes.h"
#include "plots/axes/number_text.h"
#include "widgets/forms/note_label.h"

#include <QScrollArea>

#include <algorithm>
#include <iterator>

namespace lockstep::ui {
namespace {

constexpr std::size_t kStripSteps = 50;
constexpr std::size_t kWindowSteps = 1000;
constexpr int kMargin = 8;
constexpr int kBetweenSections = 4;

/// Has a scroll bar while its content is too high for it. Qt's own, which comes as needed, may stay
/// above a content whose height depends on its width when there is room again.
class ClockArea : public QScrollArea
{
public:
    using QScrollArea::QScrollArea;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        fit();
    }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        const bool isDone = QScrollArea::eventFilter(watched, event);
        if (event->type() == QEvent::LayoutRequest) {
            fit();
        }
        return isDone;
    }

private:
    void fit()
    {
        setVerticalScrollBarPolicy(
            widget()->heightForWidth(width()) > height() ? Qt::ScrollBarAlwaysOn
                                                         : Qt::ScrollBarAlwaysOff);
    }
};

} // namespace

BarrierPanel::BarrierPanel(LiveRun& run, QWidget* parent)
    : Panel(parent), m_run(run), m_clock(kWindowSteps),
      m_note(new NoteLabel(NoteLabel::Tone::Plain)), m_bars(new BarrierBars),
      m_legend(new PhaseLegend), m_strip(new BarrierStrip), m_tally(new BarrierTally),
      m_backwardBars(new BackwardBars), m_backwardNote(new NoteLabel(NoteLabel::Tone::Muted))
{
    nameParts();
    m_lastStep = makeSection(tr("Last step"), {m_bars, m_legend});
    m_lastSteps = makeSection(tr("Last steps"), {m_strip});
    m_lastSteps.whole->setToolTip(
        tr("Each tower's work in its colour. A tick marks the arrival that the step waited for."));
    m_cameLast = makeSection(tr("Came last"), {m_tally});
    m_cameLast.whole->setToolTip(
        tr("The tower that arrived last at the barrier. Where towers share a processor, the one "
           "that worked longest among those that ran one after another until then. Where they "
           "share a GPU, the last one of the GPU that was done last."));
    m_backward = makeSection(tr("Backward"), {m_backwardBars, m_backwardNote});
    m_backward.caption->setNote(tr("with its all-reduce, and without"));
    auto* const content = new QWidget;
    columnIn(
        content, {kMargin, 0, kMargin, 0}, kBetweenSections,
        {m_note, m_backward.whole, m_lastStep.whole, m_lastSteps.whole, m_cameLast.whole, space()});
    auto* const scroll = new ClockArea(this);
    scroll->setObjectName(QStringLiteral("barrier_clock"));
    scroll->setAccessibleName(tr("Barrier clock"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setMinimumHeight(fontMetrics().height()); // in a low window it is what gives way
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    columnIn(this, {}, kUsualSpacing, {scroll});
    connect(&m_refresh, &RefreshTimer::due, this, &BarrierPanel::refresh);
    connect(&run, &LiveRun::begun, this, &BarrierPanel::clear);
    connect(&run, &LiveRun::stepsAppended, this, &BarrierPanel::onSteps);
    clear();
}

void BarrierPanel::nameParts()
{
    m_bars->setObjectName(QStringLiteral("barrier_bars"));
    m_bars->setAccessibleName(tr("Phases of the last step"));
    m_legend->setAccessibleName(tr("Mean over the towers"));
    m_strip->setObjectName(QStringLiteral("barrier_strip"));
    m_strip->setAccessibleName(tr("Last steps in time"));
    m_tally->setObjectName(QStringLiteral("barrier_tally"));
    m_tally->setAccessibleName(tr("Which tower came last"));
    m_backwardBars->setObjectName(QStringLiteral("backward_bars"));
    m_backwardBars->setAccessibleName(tr("Backward passes, from outside and by themselves"));
    m_note->setObjectName(QStringLiteral("barrier_sentence"));
}

BarrierPanel::Section BarrierPanel::makeSection(
    const QString& title, std::initializer_list<LayoutPart> parts)
{
    const Section section{new QWidget, new NoteLabel(NoteLabel::Tone::Muted)};
    filled(
        columnIn(section.whole, {}, 2, {rowOf({headingLabel(title), {section.caption, 1}})}), 2,
        parts);
    return section;
}

void BarrierPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void BarrierPanel::clear()
{
    m_clock.clear();
    m_latest.clear();
    refresh();
}

void BarrierPanel::onSteps(const std::vector<StepRecord>& records)
{
    // A history may hold steps of another number of towers, and those in which one had no part.
    const std::size_t towers = records.back().towers.size();
    const auto isWhole = [towers](const StepRecord& step) {
        return step.towers.size() == towers && std::ranges::none_of(step.towers, isMissing);
    };
    std::vector<StepRecord> whole;
    for (auto step = records.rbegin(); step != records.rend() && whole.size() < kWindowSteps;
         ++step) {
        if (isWhole(*step)) {
            whole.push_back(*step);
        }
    }
    std::ranges::reverse(whole);
    std::ranges::for_each(whole, [this](const StepRecord& step) { m_clock.add(step); });
    std::erase_if(m_latest, [&](const StepRecord& step) { return !isWhole(step); });
    std::ranges::move(whole, std::back_inserter(m_latest));
    if (m_latest.size() > kStripSteps) {
        m_latest.erase(m_latest.begin(), m_latest.end() - kStripSteps);
    }
    if (isVisible()) {
        m_refresh.request();
    }
}

void BarrierPanel::refresh()
{
    const bool arePhasesKnown =
        !m_latest.empty()
        && std::ranges::all_of(m_latest.back().towers, [](const TowerRecord& tower) {
               return arrivalSeconds(tower).has_value();
           });
    const BarrierSummary summary = m_clock.summary();
    m_lastStep.whole->setVisible(!m_latest.empty());
    m_lastSteps.whole->setVisible(arePhasesKnown);
    const bool areSeveral = arePhasesKnown && m_latest.back().towers.size() > 1;
    m_cameLast.whole->setVisible(areSeveral);
    m_backward.whole->setVisible(areSeveral && m_run.isRecorded());
    m_note->setNote(noteOf(summary, arePhasesKnown));
    if (m_latest.empty()) {
        return;
    }
    const StepRecord& step = m_latest.back();
    m_bars->setStep(step, m_run.isRecorded());
    m_legend->setStep(step, m_run.isRecorded());
    m_lastStep.caption->setNote(
        tr("step %1, %2").arg(countText(step.step), millisecondsText(step.stepSeconds)));
    m_strip->setSteps(m_latest);
    m_lastSteps.caption->setNote(
        tr("%1 steps, %2")
            .arg(countText(std::ssize(m_latest)), millisecondsText(m_strip->seconds())));
    m_tally->setSummary(summary, m_run.isRecorded());
    m_cameLast.caption->setNote(tr("share of %1 steps").arg(countText(summary.steps)));
    if (!m_backward.whole->isHidden()) {
        m_backwardBars->setSummary(summary);
        m_backwardNote->setNote(backwardSentence(summary, m_run.seats()));
    }
}

QString BarrierPanel::noteOf(const BarrierSummary& summary, bool arePhasesKnown) const
{
    if (m_latest.empty()) {
        return tr("After the first step this shows where the time goes in each tower, and which "
                  "tower the others wait for.");
    }
    if (!arePhasesKnown) {
        return tr("The devices of this run do not report when a tower arrives at the barrier: the "
                  "phases of the towers are unknown.");
    }
    return m_latest.back().towers.size() == 1
               ? tr("A single tower never waits for another.")
               : barrierSentences(summary, m_run.seats(), m_run.isRecorded());
}

} // namespace lockstep::ui
