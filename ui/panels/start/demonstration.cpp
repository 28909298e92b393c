// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/start/demonstration.h"

#include "panels/shared/run_text.h"
#include "plots/axes/number_text.h"
#include "plots/charts/loss_plot.h"
#include "theme/icons.h"
#include "theme/tower_colors.h"
#include "widgets/forms/layouts.h"
#include "widgets/forms/note_label.h"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <limits>

namespace lockstep::ui {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFrame{50};
/// What a busy computer held up is not made up for all at once.
constexpr milliseconds kLongestFrame{200};
constexpr double kSmoothing = 0.9;
constexpr int kBetweenWords = 6;
constexpr int kChartHeight = 204;
constexpr int kLowChart = 150; ///< above the words
constexpr int kBatch = 32;
constexpr std::size_t kKinds = 2; ///< of findings

void append(RunSeries& series, const StepRecord& step)
{
    std::vector<double> losses;
    std::ranges::transform(step.towers, std::back_inserter(losses), &TowerRecord::loss);
    StepPoint point{
        {step.step, 0.0, step.wallSeconds, 0.0},
        losses,
        step.lossMean,
        std::numeric_limits<double>::quiet_NaN()};
    point.totalLoss = step.lossMean; // its network has no weight decay
    series.append(point);
}

} // namespace

Demonstration::Demonstration(int fromChart, QWidget* parent)
    : QWidget(parent), m_plot(new LossPlot(m_range)), m_chart(new QWidget), m_words(new QWidget),
      m_question(new NoteLabel(NoteLabel::Tone::Muted)), m_button(new QPushButton),
      m_own(new QPushButton(tr("Do It Yourself")))
{
    setObjectName(QStringLiteral("start_demonstration"));
    setAccessibleName(tr("Two of four towers go wrong"));
    setFocusPolicy(Qt::StrongFocus);
    m_timer.setInterval(kFrame);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        advance(std::min(milliseconds(m_sinceFrame.restart()), kLongestFrame));
    });
    m_plot->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setShared({.highlight = &m_highlight});

    auto* const words =
        columnIn(m_words, {}, kBetweenWords, {headingLabel(accessibleName()), m_question});
    for (std::size_t i = 0; i < kKinds; ++i) {
        auto* const sentence = new NoteLabel(NoteLabel::Tone::Plain);
        sentence->setObjectName(QStringLiteral("start_finding"));
        sentence->setNote({});
        m_sentences.push_back(sentence);
        words->addWidget(sentence);
    }
    words->addStretch(1);
    m_button->setObjectName(QStringLiteral("start_play"));
    m_button->setFocusPolicy(Qt::TabFocus);
    connect(m_button, &QPushButton::clicked, this, &Demonstration::toggle);
    m_own->setObjectName(QStringLiteral("start_own"));
    m_own->setToolTip(tr("Starts a run with a poisoned tower on this computer"));
    connect(m_own, &QPushButton::clicked, this, &Demonstration::ownRunWanted);
    words->addLayout(rowOf({m_button, m_own, space()}, kBetweenWords));
    rowIn(m_chart, {}, 0, {m_plot});
    m_row = rowIn(this, {}, fromChart, {{m_chart, 1}, m_words});
    follow();
}

void Demonstration::arrange(int width, int ofWords)
{
    const bool isBeside = ofWords < width;
    setFixedWidth(width);
    m_words->setFixedWidth(ofWords);
    m_chart->setFixedHeight(isBeside ? kChartHeight : kLowChart);
    m_row->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void Demonstration::load()
{
    m_steps = demonstrationSteps();
    begin();
    const bool isStill = style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0;
    if (isStill) {
        advance(kLength);
    }
    follow();
}

void Demonstration::begin()
{
    const std::size_t towers = m_steps.front().towers.size();
    m_shown = 0;
    m_time = milliseconds(0);
    m_found.clear();
    m_verdicts.emplace(AlertSettings(), towers, 0);
    m_highlight.select({});
    auto series = std::make_unique<RunSeries>(static_cast<int>(towers), kBatch);
    series->setRecorded(true); // with no more than it shows
    series->setSmoothing(kSmoothing);
    m_plot->setRun(series.get());
    m_range.setTimeline(&series->steps().timeline());
    m_series = std::move(series);
    showFindings();
}

void Demonstration::advance(milliseconds time)
{
    m_time = std::min(m_time + time, kLength);
    const std::size_t due = m_steps.size() * static_cast<std::size_t>(m_time.count())
                            / static_cast<std::size_t>(kLength.count());
    for (; m_shown < due; ++m_shown) {
        append(*m_series, m_steps[m_shown]);
        m_verdicts->take(m_steps[m_shown]);
        find(m_verdicts->data());
        find(m_verdicts->pace());
    }
    m_range.dataChanged();
    m_plot->dataChanged();
    showFindings();
    follow();
}

void Demonstration::find(const Verdict& verdict)
{
    if (verdict.tower >= 0) {
        const auto known = std::ranges::find(m_found, verdict.alert, &Verdict::alert);
        known == m_found.end() ? m_found.push_back(verdict) : void(*known = verdict);
    }
}

void Demonstration::showFindings()
{
    for (std::size_t i = 0; i < kKinds; ++i) {
        const bool isFound = i < m_found.size();
        m_sentences[i]->setNote(
            isFound
                ? tr("Step %1. %2").arg(countText(m_found[i].since), sentenceOf(m_found[i].text))
                : QString());
        m_sentences[i]->setJudgement(isFound ? judgementOf(m_found[i].light) : Judgement::None);
        if (isFound && m_found[i].alert == AlertKind::TowerLoss) {
            m_highlight.select(m_found[i].tower);
        }
    }
    m_question->setNote(
        isAtEnd() && !m_steps.empty()
            ? tr("Recorded: from step 150 on tower 1 got random labels, from step 300 on tower 3 "
                 "slept in each step.")
            : tr("A recorded run. Which ones, and what is wrong with them?"));
    setNamedTower(*this, m_highlight.selected()); // red, as in a run
}

void Demonstration::toggle()
{
    if (m_steps.empty()) {
        return;
    }
    if (isAtEnd()) {
        begin();
        m_isWanted = true;
    } else {
        m_isWanted = !m_isWanted;
    }
    follow();
}

/// The timer runs while there is something to see; the button says what a click would do.
void Demonstration::follow()
{
    const bool isPlaying = m_isWanted && isVisible() && !isAtEnd();
    if (isPlaying && !m_timer.isActive()) {
        m_sinceFrame.start();
        m_timer.start();
    } else if (!isPlaying) {
        m_timer.stop();
    }
    const bool isOver = isAtEnd() && !m_steps.empty();
    m_button->setText(isOver ? tr("Play Again") : m_isWanted ? tr("Pause") : tr("Play"));
    m_button->setIcon(icon(isOver || !m_isWanted ? IconName::Play : IconName::Pause));
}

void Demonstration::paintEvent(QPaintEvent* /*event*/)
{
    if (m_steps.empty()) { // the window is there: what follows does not delay it
        QMetaObject::invokeMethod(
            this, [this] { m_steps.empty() ? load() : void(); }, Qt::QueuedConnection);
    }
    if (hasFocus()) {
        QPainter painter(this);
        painter.setPen(themeColors(palette()).accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void Demonstration::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    follow();
}

void Demonstration::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    follow();
}

void Demonstration::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) {
        toggle();
    }
}

void Demonstration::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space) {
        toggle();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace lockstep::ui
