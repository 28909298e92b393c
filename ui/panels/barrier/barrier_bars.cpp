// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_bars.h"

#include <QPainter>
#include <QStringList>

namespace lockstep::ui {
namespace {

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

} // namespace

void BarrierBars::setStep(const StepRecord& step)
{
    m_step = step;
    setTowers(static_cast<int>(step.towers.size()));
    setAccessibleDescription(spokenText());
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
               .arg(QString::number(tower), phaseName(span->phase), millisecondsText(span->seconds))
           + QLatin1Char('\n') + phaseMeaning(span->phase);
}

QString BarrierBars::spokenText() const
{
    QStringList lines;
    for (std::size_t tower = 0; tower < m_step.towers.size(); ++tower) {
        QStringList parts;
        for (const PhaseSpan& span : phasesOf(m_step, m_step.towers[tower])) {
            parts.append(tr("%1 %2", "phase and time")
                             .arg(phaseName(span.phase), millisecondsText(span.seconds)));
        }
        lines.append(tr("tower %1: %2").arg(QString::number(tower), parts.join(tr(", "))));
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace lockstep::ui
