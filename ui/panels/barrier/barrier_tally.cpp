// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/barrier/barrier_tally.h"

#include "panels/barrier/barrier_phases.h"
#include "panels/barrier/barrier_text.h"
#include "plots/axes/number_text.h"
#include "theme/tower_colors.h"

#include <QPainter>
#include <QStringList>

namespace lockstep::ui {
namespace {

constexpr double kTallyGap = 8.0;

} // namespace

void BarrierTally::setSummary(const BarrierSummary& summary)
{
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
    const ThemeColors theme = themeColors(palette());
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
    return tr("Tower %1 came last in %2 of %3 steps.\nIt costs %4 a step: all would have arrived "
              "this much earlier if it had worked as fast as the median of the others.\nIt waits "
              "%5 a step at the barrier, and %6 for its turn.")
        .arg(
            QString::number(tower), countText(share.stepsLast), countText(m_summary.steps),
            millisecondsText(share.costSeconds), millisecondsText(share.waitingSeconds),
            millisecondsText(share.turnSeconds));
}

} // namespace lockstep::ui
