// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_bars.h"

#include "plots/axes/number_text.h"
#include "theme/tower_colors.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kSwatch = 10;
constexpr int kLegendGap = 3;
constexpr int kBetweenColumns = 6;
constexpr int kMostColumns = 4;

/// Calls `take` with each phase of a tower, and where it is painted.
template<class Take>
void forEachSpan(const StepRecord& step, int tower, const QRectF& lane, Take take)
{
    const double perSecond = step.stepSeconds > 0.0 ? lane.width() / step.stepSeconds : 0.0;
    double left = lane.left();
    for (const PhaseSpan& span : phasesOf(step, step.towers[static_cast<std::size_t>(tower)])) {
        const double width = std::min(span.seconds * perSecond, lane.right() - left);
        take(span, QRectF(left, lane.top(), width, lane.height()));
        left += width;
    }
}

constexpr double kTallyGap = 8.0;

} // namespace

PhaseLegend::PhaseLegend(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void PhaseLegend::setStep(const StepRecord& step, bool isRecorded)
{
    m_isRecorded = isRecorded;
    std::array<double, kStepPhases.size()> sums{};
    for (const TowerRecord& tower : step.towers) {
        for (const PhaseSpan& span : phasesOf(step, tower)) {
            sums[static_cast<std::size_t>(span.phase)] += span.seconds;
        }
    }
    const bool isShared =
        takesTurns(step) || std::ranges::any_of(step.towers, [&](const TowerRecord& tower) {
            return tower.device >= 0
                   && std::ranges::count(step.towers, tower.device, &TowerRecord::device) > 1;
        });
    const bool isUnknown = sums[static_cast<std::size_t>(StepPhase::Unknown)] > 0.0;
    const std::size_t entries = m_entries.size();
    m_entries.clear();
    m_widest = 0;
    QStringList spoken;
    for (const StepPhase phase : kStepPhases) {
        const bool isOfTowers = phase >= StepPhase::Turn && phase <= StepPhase::Barrier;
        const bool isAbsent = phase == StepPhase::Shared && !isShared;
        if (isAbsent || (phase == StepPhase::Unknown ? !isUnknown : isUnknown && isOfTowers)) {
            continue;
        }
        const double towers = std::max<double>(1.0, static_cast<double>(step.towers.size()));
        m_entries.push_back({phase, sums[static_cast<std::size_t>(phase)] / towers});
        m_widest =
            std::max(m_widest, fontMetrics().horizontalAdvance(phaseName(phase, m_isRecorded)));
        spoken.append(
            phaseName(phase, m_isRecorded) + QLatin1Char(' ')
            + millisecondsText(m_entries.back().seconds));
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    if (entries != m_entries.size()) {
        updateGeometry();
    }
    update();
}

int PhaseLegend::columnsIn(int width) const
{
    const int column = kSwatch + kLegendGap + m_widest + kLegendGap
                       + fontMetrics().horizontalAdvance(QStringLiteral("0,000 ms"))
                       + kBetweenColumns;
    return std::clamp((width + kBetweenColumns) / column, 1, kMostColumns);
}

int PhaseLegend::heightForWidth(int width) const
{
    const int columns = columnsIn(width);
    return (static_cast<int>(m_entries.size()) + columns - 1) / columns * rowHeight();
}

/// Column by column, so that time goes downwards.
QRect PhaseLegend::placeOf(int entry) const
{
    const int columns = columnsIn(width());
    const int rows = heightForWidth(width()) / rowHeight();
    const int pitch = (width() + kBetweenColumns) / columns;
    return {entry / rows * pitch, entry % rows * rowHeight(), pitch - kBetweenColumns, rowHeight()};
}

void PhaseLegend::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const ThemeColors theme = themeColors(palette());
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const QRect place = placeOf(static_cast<int>(i));
        const QRect swatch(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
        painter.fillRect(swatch, phaseBrush(entry.phase, theme));
        painter.setPen(theme.mutedText);
        painter.drawText(
            place.adjusted(kSwatch + kLegendGap, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
            phaseName(entry.phase, m_isRecorded));
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, millisecondsText(entry.seconds));
    }
}

bool PhaseLegend::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) {
        return QWidget::event(event);
    }
    const auto* const help = static_cast<QHelpEvent*>(event);
    QString text;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (placeOf(static_cast<int>(i)).contains(help->pos())) {
            text = phaseMeaning(m_entries[i].phase, m_isRecorded) + QLatin1Char('\n')
                   + tr("The figure is the mean over the towers in the last step.");
        }
    }
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void BarrierBars::setStep(const StepRecord& step, bool isRecorded)
{
    m_isRecorded = isRecorded;
    m_step = step;
    setTowers(static_cast<int>(step.towers.size()));
    QStringList lines;
    for (std::size_t tower = 0; tower < step.towers.size(); ++tower) {
        QStringList parts;
        for (const PhaseSpan& span : phasesOf(step, step.towers[tower])) {
            parts.append(
                tr("%1 %2", "phase and time")
                    .arg(phaseName(span.phase, m_isRecorded), millisecondsText(span.seconds)));
        }
        lines.append(tr("tower %1: %2").arg(QString::number(tower), parts.join(tr(", "))));
    }
    setAccessibleDescription(lines.join(QLatin1Char('\n')));
}

std::optional<PhaseSpan> BarrierBars::phaseAt(int tower, double x) const
{
    std::optional<PhaseSpan> found;
    forEachSpan(m_step, tower, lane(tower), [&](const PhaseSpan& span, const QRectF& place) {
        if (x >= place.left() && x < place.right()) {
            found = span;
        }
    });
    return found;
}

void BarrierBars::paintLanes(QPainter& painter)
{
    const ThemeColors theme = themeColors(palette());
    for (int tower = 0; tower < towers(); ++tower) {
        forEachSpan(m_step, tower, lane(tower), [&](const PhaseSpan& span, const QRectF& place) {
            painter.fillRect(place, phaseBrush(span.phase, theme));
        });
    }
}

QString BarrierBars::toolTipAt(int tower, QPointF position) const
{
    const auto span = phaseAt(tower, position.x());
    if (!span) {
        return {};
    }
    return tr("Tower %1, %2: %3")
               .arg(
                   QString::number(tower), phaseName(span->phase, m_isRecorded),
                   millisecondsText(span->seconds))
           + QLatin1Char('\n') + phaseMeaning(span->phase, m_isRecorded);
}

void BackwardBars::setSummary(const BarrierSummary& summary)
{
    m_summary = summary;
    m_most = 0.0;
    QStringList spoken;
    for (const TowerBarrierShare& share : summary.towers) {
        m_most = std::max(m_most, share.outsideSeconds);
        spoken.append(toolTipAt(static_cast<int>(spoken.size()), {}));
    }
    setTowers(static_cast<int>(summary.towers.size()));
    setAccessibleDescription(spoken.join(QLatin1Char('\n')));
}

void BackwardBars::paintLanes(QPainter& painter)
{
    const ThemeColors theme = themeColors(*this);
    const int figures = fontMetrics().horizontalAdvance(millisecondsText(m_most)) + int(kTallyGap);
    const bool hasFigures = lane(0).height() > fontMetrics().height(); // for two rows
    for (int tower = 0; tower < towers(); ++tower) {
        const TowerBarrierShare& share = m_summary.towers[static_cast<std::size_t>(tower)];
        const auto paint = [&](QRectF place, double seconds, const QBrush& brush) {
            QRectF bar = place.adjusted(0, 0, -figures, 0);
            bar.setWidth(m_most > 0.0 ? bar.width() * seconds / m_most : 0.0);
            painter.fillRect(bar, brush);
            if (hasFigures) {
                painter.setPen(palette().color(QPalette::WindowText));
                painter.drawText(
                    place.adjusted(0, -kTallyGap, 0, kTallyGap), Qt::AlignRight | Qt::AlignVCenter,
                    millisecondsText(seconds));
            }
        };
        QRectF place = lane(tower);
        place.setHeight(place.height() / 2 - 1);
        paint(place, share.outsideSeconds, phaseBrush(StepPhase::Backward, theme));
        paint(
            place.translated(0, place.height() + 2), share.backwardSeconds,
            towerColor(tower, theme));
    }
}

QString BackwardBars::toolTipAt(int tower, QPointF /*position*/) const
{
    const TowerBarrierShare& share = m_summary.towers[static_cast<std::size_t>(tower)];
    return tr("Tower %1: backward pass %2 from outside, %3 without the sum over all ranks")
        .arg(
            QString::number(tower), millisecondsText(share.outsideSeconds),
            millisecondsText(share.backwardSeconds));
}

void BarrierTally::setSummary(const BarrierSummary& summary, bool isRecorded)
{
    m_isRecorded = isRecorded;
    m_summary = summary;
    setTowers(static_cast<int>(summary.towers.size()));
    QStringList spoken;
    for (int tower = 0; tower < towers(); ++tower) {
        spoken.append(tr("tower %1: %2").arg(QString::number(tower), shareText(shareOf(tower))));
    }
    setAccessibleDescription(spoken.join(tr(", ")));
}

double BarrierTally::shareOf(int tower) const
{
    return static_cast<double>(m_summary.towers[static_cast<std::size_t>(tower)].stepsLast)
           / static_cast<double>(m_summary.steps);
}

void BarrierTally::paintLanes(QPainter& painter)
{
    const ThemeColors theme = themeColors(*this);
    const double figures = fontMetrics().horizontalAdvance(shareText(1.0)) + kTallyGap;
    const bool hasFigures = lane(0).height() * 2 > fontMetrics().height();
    for (int tower = 0; tower < towers(); ++tower) {
        const QRectF place = lane(tower);
        const QRectF bar = place.adjusted(0, 0, -figures, 0);
        painter.fillRect(bar, phaseBrush(StepPhase::Unknown, theme));
        painter.fillRect(
            QRectF(bar.topLeft(), QSizeF(bar.width() * shareOf(tower), bar.height())),
            towerColor(tower, theme));
        if (hasFigures) {
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(
                place.adjusted(0, -kTallyGap, 0, kTallyGap), Qt::AlignRight | Qt::AlignVCenter,
                shareText(shareOf(tower)));
        }
    }
}

QString BarrierTally::toolTipAt(int tower, QPointF /*position*/) const
{
    const TowerBarrierShare& share = m_summary.towers[static_cast<std::size_t>(tower)];
    return (m_isRecorded
                ? tr("Tower %1 came last in %2 of %3 steps.\nIt costs %4 a step: all would have "
                     "arrived this much earlier if it had worked as fast as the median of the "
                     "others.\nIt waits %5 a step at the barrier, and begins %6 after the first.")
                : tr("Tower %1 came last in %2 of %3 steps.\nIt costs %4 a step: all would have "
                     "arrived this much earlier if it had worked as fast as the median of the "
                     "others.\nIt waits %5 a step at the barrier, and %6 for its turn."))
        .arg(
            QString::number(tower), countText(share.stepsLast), countText(m_summary.steps),
            millisecondsText(share.costSeconds), millisecondsText(share.waitingSeconds),
            millisecondsText(share.turnSeconds));
}

} // namespace lockstep::ui
