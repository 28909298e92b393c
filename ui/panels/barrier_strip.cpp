// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier_strip.h"

#include "panels/barrier_phases.h"
#include "plots/number_text.h"
#include "theme/tower_colors.h"

#include <QPainter>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr double kTick = 1.0;
constexpr double kTickOverhang = 2.0;

} // namespace

void BarrierStrip::setSteps(const std::vector<StepRecord>& steps)
{
    m_steps = steps;
    m_seconds = 0.0;
    for (const StepRecord& step : steps) {
        m_seconds += step.stepSeconds;
    }
    setTowers(steps.empty() ? 0 : static_cast<int>(steps.back().towers.size()));
}

/// `begin` counts from the first step that is shown.
QRectF BarrierStrip::placeOf(int tower, double begin, double seconds) const
{
    const QRectF place = lane(tower);
    const double perSecond = m_seconds > 0.0 ? place.width() / m_seconds : 0.0;
    return {place.left() + begin * perSecond, place.top(), seconds * perSecond, place.height()};
}

void BarrierStrip::paintLanes(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing); // a step may be narrower than a pixel
    double begin = 0.0;
    for (const StepRecord& step : m_steps) {
        paintStep(painter, step, begin);
        begin += step.stepSeconds;
    }
}

void BarrierStrip::paintStep(QPainter& painter, const StepRecord& step, double begin) const
{
    const ThemeColors theme = themeColors(palette());
    const auto straggler = stragglerOf(step);
    for (int tower = 0; tower < static_cast<int>(step.towers.size()); ++tower) {
        const TowerRecord& record = step.towers[static_cast<std::size_t>(tower)];
        const auto arrival = arrivalSeconds(record);
        if (!arrival) {
            painter.fillRect(
                placeOf(tower, begin, step.stepSeconds), phaseBrush(StepPhase::Unknown, theme));
            continue;
        }
        const QRectF work = placeOf(
            tower, begin + step.inputSeconds + record.startSeconds, *arrival - record.startSeconds);
        painter.fillRect(work, towerColor(tower, theme));
        if (straggler && straggler->tower == tower) {
            painter.fillRect(
                QRectF(work.right() - kTick / 2, work.top(), kTick, work.height())
                    .adjusted(0, -kTickOverhang, 0, kTickOverhang),
                theme.text);
        }
    }
}

QString BarrierStrip::toolTipAt(int tower, QPointF position) const
{
    double begin = 0.0;
    for (const StepRecord& step : m_steps) {
        const QRectF whole = placeOf(tower, begin, step.stepSeconds);
        begin += step.stepSeconds;
        if (position.x() < whole.left() || position.x() >= whole.right()) {
            continue;
        }
        const TowerRecord& record = step.towers[static_cast<std::size_t>(tower)];
        const QString name =
            tr("Step %1, tower %2").arg(countText(step.step), QString::number(tower));
        const auto waiting = waitingSeconds(step, record);
        if (!waiting) {
            return name + QLatin1Char('\n') + phaseMeaning(StepPhase::Unknown);
        }
        return name + QLatin1Char('\n')
               + tr("%1 at work, %2 waiting at the barrier")
                     .arg(
                         millisecondsText(workSeconds(record).value_or(0.0)),
                         millisecondsText(*waiting));
    }
    return {};
}

} // namespace lockstep::ui
